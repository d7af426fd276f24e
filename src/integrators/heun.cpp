// Heun's method (1900), the explicit trapezoidal rule, order 2:
//   0 |
//   1 |  1
//     | 1/2 1/2
// (Other methods bear the same name, among them one of order 3.) No error estimate, so the step is the
// user's; too large a step is not noticed. Undamped oscillations grow.
#include <driftless/core/entries.hpp>

#include "common/runge_kutta.hpp"

namespace driftless::integrators {

IntegratorEntry heun() {
  return {.summary = "Heun's method, the explicit trapezoidal rule, order 2, fixed step",
          .shapes = {SystemShape::ode},
          .order = 2,
          .dense_order = 2,
          .options = {},
          .make = [](const OptionValues&) {
            return runge_kutta({.a = {{1}}, .b = {1. / 2, 1. / 2}, .c = {0, 1}});
          }};
}

}  // namespace driftless::integrators
