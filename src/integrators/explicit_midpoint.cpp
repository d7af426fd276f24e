// The explicit midpoint rule (Runge 1895; Hairer, Norsett, Wanner I, II.1), order 2:
//   0   |
//   1/2 | 1/2
//       |  0   1
// No error estimate, so the step is the user's; too large a step is not noticed. Undamped oscillations grow.
#include <driftless/core/entries.hpp>

#include "common/runge_kutta.hpp"

namespace driftless::integrators {

IntegratorEntry explicit_midpoint() {
  return {.summary = "explicit midpoint rule (Runge), order 2, fixed step",
          .shapes = {SystemShape::ode},
          .order = 2,
          .dense_order = 2,
          .options = {},
          .make = [](const OptionValues&) {
            return runge_kutta({.a = {{1. / 2}}, .b = {0, 1}, .c = {0, 1. / 2}});
          }};
}

}  // namespace driftless::integrators
