// pendulum: point mass on a rod. Three public sets of values:
//   T9   the unit pendulum of the MEBDFDAE distribution: gravity 1, start (1, 0) upwards with speed 1, to t = 1
//   A01  the IFToMM benchmark library's simple pendulum: gravity 9.81, start (-1, 0) at rest, to t = 10
//   C3   SUNDIALS' cvPendulum: gravity such that the period is 2, start (1, 0) at rest, to t = 30
// The reference is the exact motion by elliptic functions, for all parameters without friction; only the motion that ends upright
// has none.
#include <driftless/problems/pendulum.hpp>

#include <cmath>
#include <numbers>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/consistent_state.hpp>

#include "common/pendulum_motion.hpp"
#include "common/reference.hpp"

namespace driftless::problems {

namespace {

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
    const auto [angle, rate] = angle_motion(p.gravity / l, begin, t);
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

struct Case {
  double gravity;
  double side;  // x/length at the start
  double vy;
  double t_end;
};

Case case_of(const std::string& name) {
  if (name == "A01") return {.gravity = 9.81, .side = -1, .vy = 0, .t_end = 10};
  if (name == "C3") {
    const double K = std::comp_ellint_1(std::numbers::sqrt2 / 2);  // the period is 4 K/sqrt(gravity)
    return {.gravity = 4 * K * K, .side = 1, .vy = 0, .t_end = 30};
  }
  return {.gravity = 1, .side = 1, .vy = 1, .t_end = 1};
}

ProblemInstance make(const OptionValues& o) {
  const Case values = case_of(o.word("case"));
  const auto number = [&](const char* name, double fallback) {
    return o.given(name) ? o.number(name) : fallback;
  };
  Pendulum model{
      .m = number("m", 1), .gravity = number("gravity", values.gravity), .length = number("length", 1)};
  const double c = o.number("c");
  ProblemInstance instance;
  if (c != 0)
    instance.problem = make_problem(DampedPendulum{model, c});
  else
    instance.problem = make_problem(model);
  instance.start = make_state(*instance.problem, {{number("x", values.side * model.length), number("y", 0)},
                                                  {number("vx", 0), number("vy", values.vy)}});
  instance.t_end = values.t_end;
  if (c == 0) instance.reference = exact_motion(model, *instance.problem, instance.start);
  return instance;
}

}  // namespace

ProblemEntry pendulum() {
  return {.summary = "point mass on a rod in Cartesian coordinates (2 coordinates, 1 constraint)",
          .parameters =
              {{.name = "case",
                .fallback = "T9",
                .help = "T9: the unit pendulum; A01: IFToMM's, gravity 9.81 and 10 s; C3: SUNDIALS', period "
                        "2 and 30 s",
                .choices = {"T9", "A01", "C3"}},
               {.name = "m", .fallback = "", .help = "mass, default 1", .above = 0},
               {.name = "gravity", .fallback = "", .help = "default 1 (T9), 9.81 (A01) or 13.75037.. (C3)"},
               {.name = "length", .fallback = "", .help = "of the rod, default 1", .above = 0},
               {.name = "c", .fallback = "0", .help = "friction: a force -c v"},
               {.name = "x", .fallback = "", .help = "start position, default length, with A01 -length"},
               {.name = "y", .fallback = "", .help = "default 0"},
               {.name = "vx", .fallback = "", .help = "start velocity, default 0"},
               {.name = "vy", .fallback = "", .help = "default 1, with A01 and C3 0"}},
          .make = make};
}

}  // namespace driftless::problems
