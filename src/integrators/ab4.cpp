// Adams and Bashforth's method of four steps, order 4 (1883; Hairer, Norsett, Wanner I, section III.1):
//   y_{n+1} = y_n + h/24 (55 f_n - 59 f_{n-1} + 37 f_{n-2} - 9 f_{n-3})
// with the weights of the actual times where steps differ in size. Its real stability interval is (-3/10, 0):
// fast decay needs small steps; and undamped oscillations blow up beyond h omega = 0.43.
#include <driftless/core/entries.hpp>

#include "common/adams_bashforth.hpp"
#include "common/starters.hpp"

namespace driftless::integrators {

IntegratorEntry ab4() {
  return {.summary = "Adams-Bashforth method, order 4, fixed step",
          .shapes = {SystemShape::ode},
          .order = 4,
          .dense_order = 4,
          .options = {start_option("rk4")},
          .make = [](const OptionValues& o) { return adams_bashforth(4, make_starter(o.word("start"))); }};
}

}  // namespace driftless::integrators
