#include "event_watch.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include <fmt/format.h>

#include "root.hpp"

namespace driftless {

namespace {

constexpr int parts_of_a_step = 4;
constexpr double soon = 1e-6;  // of a step

int sign_of(double value) {
  return (value > 0) - (value < 0);
}

}  // namespace

EventWatch::EventWatch(const std::vector<Event>& events)
    : events_(events),
      value_(events.size(), 0),
      sign_(events.size(), 0),
      reads_multipliers_(events.size(), false) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].name.empty())
      throw InputError(fmt::format("event {} has no name; give each event a name", i + 1));
    if (!events[i].value)
      throw InputError(
          fmt::format("event '{}' has no function; give it a function of the state", events[i].name));
  }
}

EventWatch::Trouble EventWatch::not_finite(std::size_t event, double value, double t) const {
  return {Status::not_finite,
          t,
          {},
          fmt::format("event '{}' is {} at t = {:.10g} (must be a finite number along the whole motion); "
                      "guard its function there",
                      events_[event].name, value, t)};
}

// Nothing: the function does not do without them.
std::optional<double> EventWatch::without_multipliers(std::size_t event, const State& state) {
  blank_ = state;
  blank_.lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
  blank_.kappa.setConstant(std::numeric_limits<double>::quiet_NaN());
  try {
    const double found = value(event, blank_);
    return std::isnan(found) ? std::nullopt : std::optional(found);
  } catch (const std::exception&) {  // it will throw once more, if it is not for them
    return std::nullopt;
  }
}

// `carried` has multipliers as well, if perhaps less accurate ones.
double EventWatch::value_at_end(std::size_t event, const State& carried,
                                const std::function<const State&()>& shown) {
  const bool any = carried.lambda.size() + carried.kappa.size() > 0;
  if (any && !reads_multipliers_[event]) {
    const auto blank = without_multipliers(event, carried);
    if (blank && *blank == value(event, carried)) return *blank;
    reads_multipliers_[event] = true;
  }
  return value(event, shown());
}

Status EventWatch::value_inside(StepInterior& step, std::size_t event, double& found) {
  const bool any = inside_.lambda.size() + inside_.kappa.size() > 0;
  if (any && !reads_multipliers_[event]) {
    if (const auto blank = without_multipliers(event, inside_)) {
      found = *blank;
      return Status::ok;
    }
    reads_multipliers_[event] = true;
  }
  const Status status = any ? step.add_multipliers(inside_) : Status::ok;
  if (status == Status::ok) found = value(event, inside_);
  return status;
}

std::optional<EventWatch::Trouble> EventWatch::start(const State& state) {
  for (std::size_t i = 0; i < events_.size(); ++i) {
    value_[i] = value_at_end(i, state, [&]() -> const State& { return state; });
    sign_[i] = sign_of(value_[i]);
    if (!std::isfinite(value_[i])) return not_finite(i, value_[i], state.t);
  }
  for (const Root& root : roots_) sign_[root.event] = 0;
  roots_.clear();
  return std::nullopt;
}

void EventWatch::set_signs(const std::vector<int>& signs) {
  if (signs.size() != sign_.size()) return;
  for (std::size_t i = 0; i < signs.size(); ++i)
    if (signs[i] == 0) sign_[i] = 0;
}

bool EventWatch::wanted(std::size_t event, int sign_before) const {
  const Direction direction = events_[event].direction;
  return direction == Direction::any || (direction == Direction::rising) == (sign_before < 0);
}

std::optional<EventWatch::Trouble> EventWatch::search(StepInterior& step) {
  roots_.clear();
  inside_ = step.to();
  std::optional<Trouble> first;
  for (std::size_t i = 0; i < events_.size(); ++i)
    if (auto trouble = search(step, i); trouble && (!first || trouble->t < first->t)) first = trouble;
  std::stable_sort(roots_.begin(), roots_.end(), [](const Root& a, const Root& b) { return a.t < b.t; });
  // What lies behind the first trouble is not known; trouble behind a cut never happens.
  if (first) std::erase_if(roots_, [&](const Root& root) { return root.t >= first->t; });
  drop_roots_after_cut(step.to().t - step.from().t);
  return cut_ ? std::nullopt : first;
}

// What happens at the same time up to roundoff happens together, in the order in which the events are given.
void EventWatch::drop_roots_after_cut(double h) {
  const auto first = std::find_if(roots_.begin(), roots_.end(), [&](const Root& r) { return cuts(r.event); });
  cut_ = first != roots_.end();
  if (!cut_) return;
  const double t = first->t, roundoff = 1e-12 * std::max(std::abs(t), h);
  std::erase_if(roots_, [&](const Root& root) { return root.t > t + roundoff; });
  for (Root& root : roots_)
    if (root.t > t - roundoff) root.t = t;
  std::sort(roots_.begin(), roots_.end(),
            [](const Root& a, const Root& b) { return a.t != b.t ? a.t < b.t : a.event < b.event; });
}

std::optional<EventWatch::Trouble> EventWatch::search(StepInterior& step, std::size_t i) {
  const double t0 = step.from().t, h = step.to().t - t0;
  double a = t0, fa = value_[i];
  // Right after an action the sign is not known: the motion soon shows it.
  for (int part = sign_[i] == 0 ? 0 : 1; part <= parts_of_a_step; ++part) {
    const bool at_end = part == parts_of_a_step;
    const double b = at_end ? step.to().t : t0 + h * (part == 0 ? soon : 1.0 * part / parts_of_a_step);
    double fb = 0;
    if (at_end) {
      fb = value_at_end(i, step.to(), [&]() -> const State& { return step.end(); });
    } else {
      // The interpolant alone tells the sign nearly always; only a change must be confirmed on the constraints.
      Status status = step.interpolated(b, inside_);
      if (status == Status::ok) status = value_inside(step, i, fb);
      if (status == Status::ok && std::isfinite(fb) && sign_of(fb) != sign_[i]) {
        status = step.stabilized(b, inside_);
        if (status == Status::ok) status = value_inside(step, i, fb);
      }
      if (status != Status::ok) return Trouble{status, inside_.t, inside_.z, {}};
    }
    if (!std::isfinite(fb)) return not_finite(i, fb, b);
    const int before = sign_[i], after = sign_of(fb);
    if (before != 0 && after != before && wanted(i, before)) {
      if (auto trouble = locate(step, i, a, fa, b, fb)) return trouble;
    }
    sign_[i] = after;
    a = b, fa = fb;
  }
  value_[i] = fa;
  return std::nullopt;
}

std::optional<EventWatch::Trouble> EventWatch::locate(StepInterior& step, std::size_t i, double a, double fa,
                                                      double b, double fb) {
  Status status = Status::ok;
  const auto value_at = [&](double at) {
    double found = std::nan("");
    status = step.stabilized(at, inside_);
    if (status == Status::ok) status = value_inside(step, i, found);
    return found;
  };
  const double t = fb == 0 ? first_zero(a, fa, b, value_at) : root_between(a, fa, b, fb, value_at);
  if (status != Status::ok) return Trouble{status, inside_.t, inside_.z, {}};
  if (!std::isfinite(t)) {
    double found = std::nan("");
    value_inside(step, i, found);
    return not_finite(i, found, inside_.t);
  }
  roots_.push_back({t, i});
  return std::nullopt;
}

}  // namespace driftless
