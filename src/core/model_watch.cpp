#include "model_watch.hpp"

#include <cmath>
#include <exception>

#include <fmt/format.h>

#include <driftless/core/check_model.hpp>
#include <driftless/core/checkable.hpp>

#include "model_comparison.hpp"
#include "model_suspicion.hpp"

namespace driftless {

namespace {

Parts motion_parts(const Shape& s) {
  Parts parts;
  if (s.ng > 0) parts = s.order > 1 ? Part::rates : Part::curvature;  // of order 1: c = g_t
  return s.nk > 0 ? parts | Part::velocity : parts;
}

}  // namespace

MotionWatch::MotionWatch(const Problem& problem)
    : problem_(problem),
      parts_(motion_parts(problem.shape())),
      at_(storage_of(problem.shape())),
      rest_(problem.shape().layout().size()) {}

std::optional<std::string> MotionWatch::look(double t, VectorIn z) {
  const Shape& s = problem_.shape();
  if (s.multipliers() == 0) return {};
  rest_ = z;
  rest_.tail(rest_.size() - s.nq).setZero();
  problem_.evaluate(parts_, Point(t, rest_), at_);
  for (int i = 0; i < s.multipliers(); ++i) {
    const double rate = i >= s.ng ? at_.w(i - s.ng) : s.order > 1 ? at_.rates(i, 0) : at_.c(i);
    if (std::isfinite(rate) && rate != 0)
      return fmt::format(
          "the constraint {} moves (rate {:.3g} at rest, t = {:.10g}); declare `moving = true` in the model",
          problem_.constraint_name(i), rate, t);
  }
  return {};
}

std::optional<std::string> self_contradiction(const Problem& problem, const State& state) {
  const auto* known = dynamic_cast<const Checkable*>(&problem);
  if (!known || known->hand_written().empty()) return {};
  try {
    if (!suspicious(problem, *known, state)) return {};
    const auto found = check_model(problem, state);
    if (!found.empty()) return found.front().text;
  } catch (const std::exception&) {
    // States beside this one, which differences need, may be none that the model takes.
  }
  return {};
}

std::optional<std::string> undeclared_motion(const Problem& problem, const State& state) {
  if (problem.shape().moving) return {};
  const auto* known = dynamic_cast<const Checkable*>(&problem);
  const TimeDependence found = known ? known->time_dependence(state.t, state.z) : TimeDependence();
  if (found.kind == TimeDependence::Kind::none) return {};
  MotionWatch motion(problem);
  for (const double t : {state.t, state.t + 0.12345})  // at once, where it can be, with a number
    if (auto moving = motion.look(t, state.z)) return moving;
  if (found.kind == TimeDependence::Kind::found) return undeclared(found);
  return {};
}

void ModelWatch::start(const State& state) {
  const auto* known = dynamic_cast<const Checkable*>(&problem_);
  const bool still = !problem_.shape().moving && problem_.shape().multipliers() > 0;
  moves_unknown_ =
      still && !(known && known->time_dependence(state.t, state.z).kind == TimeDependence::Kind::none);
  watched_ = moves_unknown_ || (known && !known->hand_written().empty());
  next_ = 10;
}

std::optional<std::string> ModelWatch::look_closely(const State& state, long steps) {
  if (moves_unknown_)
    if (auto moving = motion_.look(state.t, state.z)) return moving;
  if (steps < next_) return {};
  next_ = 100 * steps;
  return verdict(state);
}

std::optional<std::string> ModelWatch::verdict(const State& state) const {
  if (!watched_) return {};
  return self_contradiction(problem_, state);
}

}  // namespace driftless
