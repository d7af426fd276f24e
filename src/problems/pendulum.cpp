// pendulum: point mass on a rod. Two public sets of values:
//   T9   the unit pendulum of the MEBDFDAE distribution: gravity 1, start (1, 0) upwards with speed 1, to t = 1
//   A01  the IFToMM benchmark library's simple pendulum: gravity 9.81, start (-1, 0) at rest, to t = 10
// The reference is the exact motion by elliptic functions, for all parameters; only the motion that ends upright has none.
#include <driftless/problems/pendulum.hpp>

#include <cmath>
#include <numbers>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/consistent_state.hpp>

#include "common/pendulum_motion.hpp"
#include "common/reference.hpp"

namespace driftless::problems {

namespace {

// The angle from the lowest position at time t; gravity may point upwards or be absent.
PendulumMotion motion(const Pendulum& p, PendulumMotion begin, double t) {
  if (p.gravity == 0) return {begin.angle + begin.rate * t, begin.rate};
  const double turned = p.gravity < 0 ? std::numbers::pi : 0;
  begin.angle = std::remainder(begin.angle - turned, 2 * std::numbers::pi);
  const PendulumMotion now = pendulum_motion(std::sqrt(std::abs(p.gravity) / p.length), begin, t);
  return {now.angle + turned, now.rate};
}

// The exact motion from where consistent_state puts the start.
Reference exact_motion(const Pendulum& p, const Problem& problem, const State& guess) {
  State start;
  try {
    start = consistent_state(problem, guess).state;
  } catch (const InputError&) {
    return {};  // the run will say why
  }
  const double x = start.q()(0), y = start.q()(1), vx = start.v()(0), vy = start.v()(1), l = p.length;
  const PendulumMotion begin{std::atan2(x, -y), (x * vy - y * vx) / (l * l)};
  const auto at = [=](double t) -> std::optional<State> {
    const auto [angle, rate] = motion(p, begin, t);
    if (!std::isfinite(angle)) return std::nullopt;
    State state({2, 2, 2}, 1, 0);
    state.t = t;
    const double s = std::sin(angle), c = std::cos(angle);
    state.q() << l * s, -l * c;
    state.v() << l * rate * c, l * rate * s;
    // From q . (mass q'' + q lambda) = q . weight:
    state.lambda(0) = p.m * (rate * rate + p.gravity * c / l);
    return state;
  };
  return {.at = at, .source = "exact, by Jacobi's elliptic functions"};
}

ProblemInstance make(const OptionValues& o) {
  const bool a01 = o.word("case") == "A01";
  const auto number = [&](const char* name, double fallback) {
    return o.given(name) ? o.number(name) : fallback;
  };
  Pendulum model{
      .m = number("m", 1), .gravity = number("gravity", a01 ? 9.81 : 1), .length = number("length", 1)};
  ProblemInstance instance;
  instance.problem = make_problem(model);
  instance.start =
      make_state(*instance.problem, {{number("x", a01 ? -model.length : model.length), number("y", 0)},
                                     {number("vx", 0), number("vy", a01 ? 0 : 1)}});
  instance.t_end = a01 ? 10 : 1;
  instance.reference = exact_motion(model, *instance.problem, instance.start);
  return instance;
}

}  // namespace

ProblemEntry pendulum() {
  return {.summary = "point mass on a rod in Cartesian coordinates (2 coordinates, 1 constraint)",
          .parameters = {{.name = "case",
                          .fallback = "T9",
                          .help = "T9: the unit pendulum; A01: IFToMM's, gravity 9.81 and 10 s",
                          .choices = {"T9", "A01"}},
                         {.name = "m", .fallback = "", .help = "mass, default 1", .above = 0},
                         {.name = "gravity", .fallback = "", .help = "default 1 (T9) or 9.81 (A01)"},
                         {.name = "length", .fallback = "", .help = "of the rod, default 1", .above = 0},
                         {.name = "x",
                          .fallback = "",
                          .help = "start position, default length (T9) or -length (A01)"},
                         {.name = "y", .fallback = "", .help = "default 0"},
                         {.name = "vx", .fallback = "", .help = "start velocity, default 0"},
                         {.name = "vy", .fallback = "", .help = "default 1 (T9) or 0 (A01)"}},
          .make = make};
}

}  // namespace driftless::problems
