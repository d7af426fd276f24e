// 000-example1: Ascher, Petzold (1993), Example 1: order 1, the constraint turns with the rate nu. Exact: see
// the models; the solution ends at t = 2. Fails where a step does not resolve 1/nu, unless the constraint is
// imposed at the new time. The multiplier contains nu x, and so nu times the error of x.
#include <driftless/core/auto_problem.hpp>
#include <driftless/problems/ascher_petzold.hpp>

#include "common/ascher_petzold.hpp"

namespace driftless::problems {

ProblemEntry paper_000_example1() {
  return {.summary =
              "Ascher, Petzold, Example 1: linear, order 1, a constraint that turns fast (2 coordinates, 1 "
              "constraint)",
          .parameters = {{.name = "nu",
                          .fallback = "1000",
                          .help = "rate of the constraint; 1000 in the paper",
                          .above = 0}},
          .make = [](const OptionValues& o) {
            return ascher_petzold(make_problem(AscherPetzold1{.nu = o.number("nu")}));
          }};
}

}  // namespace driftless::problems
