// Adams and Bashforth's method of two steps, order 2 (1883; Hairer, Norsett, Wanner I, section III.1):
//   y_{n+1} = y_n + h/2 (3 f_n - f_{n-1})
// with the weights of the actual times where steps differ in size. Its real stability interval is (-1, 0):
// fast decay needs small steps; and undamped oscillations grow at every step size, by (h omega)^4/4 a step.
#include <driftless/core/entries.hpp>

#include "common/adams_bashforth.hpp"
#include "common/starters.hpp"

namespace driftless::integrators {

IntegratorEntry ab2() {
  return {.summary = "Adams-Bashforth method, order 2, fixed step",
          .shapes = {SystemShape::ode},
          .order = 2,
          .dense_order = 2,
          .options = {start_option("heun")},
          .make = [](const OptionValues& o) { return adams_bashforth(2, make_starter(o.word("start"))); }};
}

}  // namespace driftless::integrators
