// arevalo: a particle driven along a circle, a test of the order of multipliers (Arevalo), from t0 = 1 to 5.
// Exact for every start time: x = sin t^2, y = cos t^2, lambda = 4 t^2. Statements that have the multiplier
// on the right-hand side with a plus sign print -4 t^2. Fails with steps that do not resolve the rate 2 t.
#include <driftless/problems/arevalo.hpp>

#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>

namespace driftless::problems {

namespace {

State exact(State state, double t) {
  const double s = std::sin(t * t), c = std::cos(t * t);
  state.t = t;
  state.q() << s, c;
  state.v() << 2 * t * c, -2 * t * s;
  state.lambda(0) = 4 * t * t;
  return state;
}

ProblemInstance make(const OptionValues& o) {
  ProblemInstance instance;
  instance.problem = make_problem(Arevalo{});
  const State blank = make_state(*instance.problem, {});
  const double t0 = o.number("t0");
  instance.start = exact(blank, t0);
  instance.t_end = t0 + 4;
  instance.reference = {.at = [blank](double t) { return std::optional(exact(blank, t)); },
                        .source = "exact, the angle is t^2"};
  return instance;
}

}  // namespace

ProblemEntry arevalo() {
  return {.summary = "particle driven along a circle angle t^2 (2 coordinates, 1 constraint)",
          .parameters = {{.name = "t0", .fallback = "1", .help = "start time; the run ends 4 later"}},
          .make = make};
}

}  // namespace driftless::problems
