// 004-circle: Yoon, Howe, Greenwood, Problem 1: a unit mass on the unit circle without any force,
//   X'' = -lambda X,  Y'' = -lambda Y,  0 = Phi = (X^2 + Y^2 - 1)/2,  energy error psi = (Vx^2 + Vy^2 - 1)/2
// The exact motion turns uniformly: X = cos t, Y = sin t for the paper's start (1, 0), (0, 1). It is a
// pendulum without gravity. Its discrete equilibria are known exactly
// (driftless/analysis/energy_equilibrium.hpp).
#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/consistent_state.hpp>
#include <driftless/core/entries.hpp>
#include <driftless/problems/pendulum.hpp>

namespace driftless::problems {

namespace {

// From where consistent_state puts the start.
Reference exact_motion(const Problem& problem, const State& guess) {
  State start;
  try {
    start = consistent_state(problem, guess).state;
  } catch (const InputError&) {
    return {};  // the run will say why
  }
  const double x = start.q()(0), y = start.q()(1), rate = x * start.v()(1) - y * start.v()(0);
  const auto at = [=](double t) -> std::optional<State> {
    State state({2, 2, 2}, 1, 0);
    state.t = t;
    const double c = std::cos(rate * t), s = std::sin(rate * t);
    state.q() << x * c - y * s, x * s + y * c;
    state.v() << -rate * state.q()(1), rate * state.q()(0);
    state.lambda(0) = rate * rate;
    return state;
  };
  return {.at = at, .source = "exact, uniform rotation"};
}

ProblemInstance make(const OptionValues& o) {
  ProblemInstance instance;
  instance.problem = make_problem(Pendulum{.m = 1, .gravity = 0, .length = 1});
  instance.start =
      make_state(*instance.problem, {{o.number("X"), o.number("Y")}, {o.number("Vx"), o.number("Vy")}});
  instance.t_end = 50;
  instance.reference = exact_motion(*instance.problem, instance.start);
  return instance;
}

}  // namespace

ProblemEntry paper_004_circle() {
  return {
      .summary =
          "Yoon, Howe, Greenwood, Problem 1: a free mass on the unit circle (2 coordinates, 1 constraint)",
      .parameters = {{.name = "X", .fallback = "1", .help = "start position"},
                     {.name = "Y", .fallback = "0", .help = "start position"},
                     {.name = "Vx", .fallback = "0", .help = "start velocity"},
                     {.name = "Vy", .fallback = "1", .help = "start velocity"}},
      .make = make};
}

}  // namespace driftless::problems
