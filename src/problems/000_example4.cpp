// 000-example4: Ascher, Petzold (1993), Example 4: order 2, strong damping and a constraint that turns.
// Exact: see the models; the solution ends at t = 2. Explicit methods need steps below about 3/nu^2. The
// multiplier contains nu^2 p, and so nu^2 times the error of p.
#include <driftless/core/auto_problem.hpp>
#include <driftless/problems/ascher_petzold.hpp>

#include "common/ascher_petzold.hpp"

namespace driftless::problems {

ProblemEntry paper_000_example4() {
  return {.summary =
              "Ascher, Petzold, Example 4: linear, order 2, damped, a constraint that turns fast (2 "
              "coordinates, 1 constraint)",
          .parameters = {{.name = "nu",
                          .fallback = "100",
                          .help = "rate of the constraint, damping nu^2; 1 and 100 in the paper",
                          .above = 0}},
          .make = [](const OptionValues& o) {
            return ascher_petzold(make_problem(AscherPetzold4{.nu = o.number("nu")}));
          }};
}

}  // namespace driftless::problems
