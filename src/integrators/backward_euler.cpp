// Backward Euler: y_1 = y_0 + h f(t_1, y_1), that is F(t_1, y_1, (y_1 - y_0)/h) = 0 (Hairer, Wanner II, IV.3).
// Order 1; stability function R(z) = 1/(1 - z), so that stiff components are damped at once (L-stable), and
// slow oscillations too, which is its failure: energy is lost at every step size. Dense output is the chord
// between the steps, which is as accurate as the method and, unlike a polynomial with the slopes of both ends,
// does not overshoot where the first step swallows a fast transient.
#include <driftless/core/entries.hpp>

#include "common/implicit_one_step.hpp"

namespace driftless::integrators {

IntegratorEntry backward_euler() {
  return {.summary = "implicit Euler method, order 1, damps stiff components, fixed step",
          .shapes = {SystemShape::ode, SystemShape::dae, SystemShape::overdetermined},
          .order = 1,
          .dense_order = 1,
          .options = newton_options(),
          .make = [](const OptionValues& o) {
            return implicit_one_step({.theta = 1, .interpolant = Interpolant::chord}, newton_settings(o));
          }};
}

}  // namespace driftless::integrators
