// Forward Euler: y_1 = y_0 + h f(t_0, y_0). Order 1. Unstable on undamped oscillations at every step size:
// energy grows.
#include <driftless/core/entries.hpp>

#include "common/runge_kutta.hpp"

namespace driftless::integrators {

IntegratorEntry forward_euler() {
  return {.summary = "explicit Euler method, order 1, fixed step",
          .shapes = {SystemShape::ode},
          .order = 1,
          .dense_order = 1,
          .options = {},
          .make = [](const OptionValues&) { return runge_kutta({.a = {}, .b = {1}, .c = {0}}); }};
}

}  // namespace driftless::integrators
