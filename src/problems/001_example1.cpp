// 001-example1: Ascher, Chin, Reich (1992), Example 1, which is Example 2 of Ascher, Petzold (1993): order 1,
// given B far from G^T, so that Baumgarte's feedback with large gains destroys the solution (Table 1.1:
// backward Euler, step 0.01). Exact: see the model; the solution ends at t = 2. Explicit methods need steps
// below about 3 (2 - t)/nu.
#include <driftless/core/auto_problem.hpp>
#include <driftless/problems/ascher_petzold.hpp>

#include "common/ascher_petzold.hpp"

namespace driftless::problems {

ProblemEntry paper_001_example1() {
  return {.summary =
              "Ascher, Chin, Reich, Example 1: linear, order 1, B given and far from G^T (2 coordinates, 1 "
              "constraint)",
          .parameters = {{.name = "nu",
                          .fallback = "1000",
                          .help = "size of B and stiffness of the motion; 1000 in the paper",
                          .above = 0}},
          .make = [](const OptionValues& o) {
            return ascher_petzold(make_problem(AscherPetzold2{.nu = o.number("nu")}));
          }};
}

}  // namespace driftless::problems
