// jerk-sphere: a system of order 3 with a nonlinear moving constraint, mass matrix M(x) and given B, made to
// have a known solution (see the model). Neighbouring motions approach it for the default values; where beta
// or e are large against d they may leave it, and tight tolerances then lose digits.
#include <driftless/problems/jerk_sphere.hpp>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>

namespace driftless::problems {

namespace {

State exact(const JerkSphere& model, State state, double t) {
  state.t = t;
  for (int k = 0; k < 3; ++k) {
    const std::array<double, 3> x = model.motion(t, k);
    state.level(k) << x[0], x[1], x[2];
  }
  state.lambda(0) = model.multiplier(t);
  return state;
}

ProblemInstance make(const OptionValues& o) {
  const JerkSphere model{.mu = o.number("mu"),
                         .beta = o.number("beta"),
                         .d = o.number("d"),
                         .e = o.number("e"),
                         .h = o.number("h")};
  ProblemInstance instance;
  instance.problem = make_problem(model);
  const State blank = make_state(*instance.problem, {});
  instance.start = exact(model, blank, 0);
  instance.t_end = 10;
  instance.reference = {.at = [=](double t) { return std::optional(exact(model, blank, t)); },
                        .source = "exact, the force was made for it"};
  return instance;
}

}  // namespace

ProblemEntry jerk_sphere() {
  return {.summary =
              "order 3: a point on a moving sphere, B given, made to be exact (3 coordinates, 1 constraint)",
          .parameters = {{.name = "mu", .fallback = "0.5", .help = "in M = I + mu x x^T", .at_least = 0},
                         {.name = "beta", .fallback = "0.4", .help = "sideways part of B"},
                         {.name = "d",
                          .fallback = "1",
                          .help = "rate at which neighbouring motions approach the exact one",
                          .at_least = 0},
                         {.name = "e", .fallback = "0.3", .help = "coupling of velocities and accelerations"},
                         {.name = "h", .fallback = "0.2", .help = "how far the sphere's centre moves"}},
          .make = make};
}

}  // namespace driftless::problems
