// Jumps of formulas in t. Where one of a formula's cases changes its way, between two times that are neighbours among double numbers, what
// it is on both sides with two derivatives says whether anything jumps: a difference is large or small against what changes over the
// interval of a blend.
#include <cmath>
#include <numeric>

#include <driftless/autodiff/jet_functions.hpp>
#include <driftless/mechanics/motion.hpp>

#include "mechanics/hermite.hpp"

namespace driftless::mechanics {

namespace {

constexpr double usual_width = 1e-3;  // s
constexpr double noise = 1e-6;        // of what changes
constexpr double roundoff = 1e-12;
constexpr int samples = 4000;     // of a run, between which cases are looked for
constexpr int most_between = 16;  // changes between two of them

Knot knot_of(const autodiff::Jet<2>& y) {
  return {y.derivative(0), y.derivative(1), y.derivative(2)};
}

}  // namespace

std::uint64_t Motion::branches(double t) const {
  const double own = t / time_unit_;
  return std::get<Expression>(of_t_).branches(std::span<const double>(&own, 1));
}

Motion::Switch Motion::switch_between(double from, double to) const {
  const std::uint64_t way = branches(from);
  for (double middle = std::midpoint(from, to); middle > from && middle < to;
       middle = std::midpoint(from, to))
    (branches(middle) == way ? from : to) = middle;
  return {from, to};
}

std::optional<MotionJump> Motion::jump_at(const Switch& there) const {
  using Time = autodiff::Jet<2>;
  const double width = handling_.over.value_or(usual_width), t = there.after;
  const auto at = [&](double time) { return knot_of(of_formula(Time::variable(time))); };
  const Knot a = at(there.before), b = at(t), begin = at(std::max(t - width, 0.0)), end = at(t + width);
  const auto largest = [&](double Knot::*part) {
    return std::abs(a.*part) + std::abs(b.*part) + std::abs(begin.*part) + std::abs(end.*part);
  };
  const double bends = largest(&Knot::bend), slopes = largest(&Knot::slope), values = largest(&Knot::value);
  MotionJump jump{t, MotionJump::Place::inside, 0, a.value, b.value, t, t};
  if (!(std::abs(b.value - a.value) > roundoff * values + noise * width * (slopes + width * bends)))
    jump.order = 1, jump.before = a.slope, jump.after = b.slope;
  if (jump.order == 1 && !(std::abs(b.slope - a.slope) > noise * (slopes + width * bends)))
    jump.order = 2, jump.before = a.bend, jump.after = b.bend;
  if (jump.order == 2 && !(std::abs(b.bend - a.bend) > noise * (bends + slopes / width))) return std::nullopt;
  // Nothing is blended before t = 0, where runs begin.
  if (handling_.blend && jump.order < 2)
    jump.from = std::max(t - width / 2, std::min(t, 0.0)), jump.to = t + width / 2;
  return jump;
}

std::optional<Polynomial> Motion::blend_of_formula(double t) const {
  using Time = autodiff::Jet<2>;
  const double half = handling_.over.value_or(usual_width) / 2;
  if (branches(t - half) == branches(t + half)) return std::nullopt;
  const auto jump = jump_at(switch_between(t - half, t + half));
  if (!jump || !(t > jump->from && t < jump->to)) return std::nullopt;
  return quintic_between(jump->from, jump->to - jump->from, knot_of(of_formula(Time::variable(jump->from))),
                         knot_of(of_formula(Time::variable(jump->to))));
}

std::vector<MotionJump> Motion::formula_jumps(double from, double to) const {
  std::vector<MotionJump> found;
  if (branches(from) == 0 || !(to > from)) return found;  // no cases
  double here = from;
  for (int k = 1; k <= samples; ++k) {
    const double next = k == samples ? to : std::lerp(from, to, double(k) / samples);
    for (int i = 0; i < most_between && branches(here) != branches(next); ++i) {
      const Switch there = switch_between(here, next);
      here = there.after;
      auto jump = jump_at(there);
      if (!jump) continue;
      for (int part = 1; jump->blended() && part < 64; ++part) {
        const double t = std::lerp(jump->from, jump->to, part / 64.0);
        jump->off = std::max(jump->off, std::abs(value(t) - of_formula(t)));
      }
      found.push_back(*jump);
    }
    here = next;
  }
  return found;
}

}  // namespace driftless::mechanics
