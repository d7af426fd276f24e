// The classical Runge-Kutta method (Kutta 1901), order 4:
//   0   |
//   1/2 | 1/2
//   1/2 |  0  1/2
//   1   |  0   0   1
//       | 1/6 1/3 1/3 1/6
// No error estimate, so the step is the user's; too large a step is not noticed.
#include <driftless/core/entries.hpp>

#include "common/runge_kutta.hpp"

namespace driftless::integrators {

IntegratorEntry rk4() {
  return {.summary = "classical Runge-Kutta method, order 4, fixed step",
          .shapes = {SystemShape::ode},
          .order = 4,
          .dense_order = 3,
          .options = {},
          .make = [](const OptionValues&) {
            return runge_kutta({.a = {{1. / 2}, {0, 1. / 2}, {0, 0, 1}},
                                .b = {1. / 6, 1. / 3, 1. / 3, 1. / 6},
                                .c = {0, 1. / 2, 1. / 2, 1}});
          }};
}

}  // namespace driftless::integrators
