// radau5: the three-stage Radau IIA method, order 5, L-stable, for y' = f and for DAEs of index 1 to 3. Hairer, Wanner II, IV.8 and
// VII.4; RADAU5 is their program. For F(t, y, y') = 0 a step from y_0 to y_0 + Z_3 solves
//   F(t_0 + c_i h, y_0 + Z_i, (1/h) sum_j (A^-1)_ij Z_j) = 0,   i = 1, 2, 3
// by simplified Newton iteration (common/radau_newton.hpp), in which multipliers of index k count h^(k-1) times.
//   error     (gamma/h F_y' + F_y)^-1 F(t_0, y_0, u'(t_0)),   u the collocation polynomial: of order 3 while the result has order 5, which is
//             why it is compared with tol^(4/5)/8; unknowns of index k count h^(k-1) times here, velocities of
//             index 3 among them, while Newton's method takes these in full: the next step begins with what it leaves
//   between   u itself, a cubic through y_0 and the stages
//   lambda    evaluated at the accepted state, and then multipliers are in neither test; or the last stage's own, of order 3 in index 2 and
//             2 in index 3, and then they are in both
// Fails where the solution is not smooth within a step: jumps of the force cost many rejected steps (use events). Fast oscillations are
// damped, not followed, where steps are longer than they are.
#include <driftless/core/entries.hpp>

#include "common/radau_steps.hpp"

namespace driftless::integrators {

namespace {

RadauSettings settings_of(const OptionValues& o) {
  const bool step = o.word("jacobian") == "step";
  if (step && o.given("keep"))
    throw InputError(
        "keep of radau5 says how long a Jacobian serves and would be ignored with jacobian=step; leave one "
        "out");
  return {.newton = {.iterations = o.integer("iterations"), .keep = step ? -1 : o.number("keep")},
          .tolerance = o.number("tolerance"),
          .tolerance_given = o.given("tolerance"),
          .own_multipliers = o.word("lambda") == "own"};
}

}  // namespace

IntegratorEntry radau5() {
  return {.summary = "Radau IIA with three stages, order 5, for stiff systems and DAEs of index 1 to 3",
          .shapes = {SystemShape::ode, SystemShape::dae},
          .order = 5,
          .traits = {.error_estimate = true},
          .dense_order = 3,
          .options = {{.name = "iterations",
                       .fallback = "10",
                       .help = "at most so many Newton iterations",
                       .at_least = 2,
                       .at_most = 1000,
                       .integer = true},
                      {.name = "jacobian",
                       .fallback = "kept",
                       .help = "kept while Newton's method converges fast with it, or computed in every step",
                       .choices = {"kept", "step"}},
                      {.name = "keep",
                       .fallback = "0.01",
                       .help = "a rate of convergence up to this keeps the Jacobian for the next step",
                       .below = 1,
                       .at_least = 0},
                      {.name = "tolerance",
                       .fallback = "1e-10",
                       .help = "with a fixed step: error left by Newton's method, relative to 1 + |y|",
                       .above = 0,
                       .below = 1},
                      {.name = "lambda",
                       .fallback = "state",
                       .help = "evaluated at the accepted state, or the last stage's own",
                       .choices = {"state", "own"}}},
          .make = [](const OptionValues& o) { return radau_steps(settings_of(o)); },
          .controller = "predictive"};
}

}  // namespace driftless::integrators
