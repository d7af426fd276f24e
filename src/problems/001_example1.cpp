// 001-example1: Ascher, Chin, Reich (1992), Example 1, which is Example 2 of Ascher, Petzold (1993): order 1,
// given B far from G^T, so that Baumgarte's feedback with large gains destroys the solution (Table 1.1:
// backward Euler, step 0.01). Exact: see the model; the solution ends at t = 2. Explicit methods need steps
// below about 3 (2 - t)/nu.
#include "common/ascher_petzold.hpp"

namespace driftless::problems {

ProblemEntry paper_001_example1() {
  return ascher_petzold_2("Ascher, Chin, Reich, Example 1");
}

}  // namespace driftless::problems
