// Adams and Bashforth's method of five steps, order 5 (1883; Hairer, Norsett, Wanner I, section III.1):
//   y_{n+1} = y_n + h/720 (1901 f_n - 2774 f_{n-1} + 2616 f_{n-2} - 1274 f_{n-3} + 251 f_{n-4})
// with the weights of the actual times where steps differ in size. Its real stability interval is (-90/551, 0):
// fast decay needs small steps; and undamped oscillations grow at every step size, by 95/288 (h omega)^6 a
// step as long as h omega is small.
#include <driftless/core/entries.hpp>

#include "common/adams_bashforth.hpp"
#include "common/starters.hpp"

namespace driftless::integrators {

IntegratorEntry ab5() {
  return {.summary = "Adams-Bashforth method, order 5, fixed step",
          .shapes = {SystemShape::ode},
          .order = 5,
          .dense_order = 5,
          .options = {start_option("dopri5")},
          .make = [](const OptionValues& o) { return adams_bashforth(5, make_starter(o.word("start"))); }};
}

}  // namespace driftless::integrators
