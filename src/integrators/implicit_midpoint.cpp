// The implicit midpoint rule: y_1 = y_0 + h f(t_0 + h/2, (y_0 + y_1)/2), the Gauss method with one stage
// (Hairer, Lubich, Wanner, II.1.3 and theorem IV.2.1). Order 2, symmetric, symplectic; every quadratic
// invariant of the ODE is kept, up to the tolerance of Newton's method. R(z) = (1 + z/2)/(1 - z/2): stable on
// all damped problems, but stiff components are not damped, they change sign from step to step; where that
// shows, take backward-euler.
#include <driftless/core/entries.hpp>

#include "common/implicit_one_step.hpp"

namespace driftless::integrators {

IntegratorEntry implicit_midpoint() {
  return {.summary = "implicit midpoint rule, order 2, symplectic, keeps quadratic invariants, fixed step",
          .shapes = {SystemShape::ode},
          .order = 2,
          .dense_order = 2,
          .options = newton_options(),
          .make = [](const OptionValues& o) {
            return implicit_one_step({.theta = 0.5, .interpolant = Interpolant::parabola},
                                     newton_settings(o));
          }};
}

}  // namespace driftless::integrators
