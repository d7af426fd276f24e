// Kutta's method of order 3 (1901), which is Simpson's rule where the right-hand side depends on t alone:
//   0   |
//   1/2 | 1/2
//   1   | -1   2
//       | 1/6 2/3 1/6
// No error estimate, so the step is the user's; too large a step is not noticed.
#include <driftless/core/entries.hpp>

#include "common/runge_kutta.hpp"

namespace driftless::integrators {

IntegratorEntry kutta3() {
  return {
      .summary = "Kutta's method, order 3, fixed step",
      .shapes = {SystemShape::ode},
      .order = 3,
      .dense_order = 3,
      .options = {},
      .make = [](const OptionValues&) {
        return runge_kutta({.a = {{1. / 2}, {-1, 2}}, .b = {1. / 6, 2. / 3, 1. / 6}, .c = {0, 1. / 2, 1}});
      }};
}

}  // namespace driftless::integrators
