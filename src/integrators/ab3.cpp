// Adams and Bashforth's method of three steps, order 3 (1883; Hairer, Norsett, Wanner I, section III.1):
//   y_{n+1} = y_n + h/12 (23 f_n - 16 f_{n-1} + 5 f_{n-2})
// with the weights of the actual times where steps differ in size. Its real stability interval is (-6/11, 0):
// fast decay needs small steps; and undamped oscillations blow up beyond h omega = 0.72.
#include <driftless/core/entries.hpp>

#include "common/adams_bashforth.hpp"
#include "common/starters.hpp"

namespace driftless::integrators {

IntegratorEntry ab3() {
  return {.summary = "Adams-Bashforth method, order 3, fixed step",
          .shapes = {SystemShape::ode},
          .order = 3,
          .dense_order = 3,
          .options = {start_option("kutta3")},
          .make = [](const OptionValues& o) { return adams_bashforth(3, make_starter(o.word("start"))); }};
}

}  // namespace driftless::integrators
