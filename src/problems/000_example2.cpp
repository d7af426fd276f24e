// 000-example2: Ascher, Petzold (1993), Example 2: order 1, given B far from G^T. Exact: see the models; the
// solution ends at t = 2. Explicit methods need steps below about 3 (2 - t)/nu.
#include "common/ascher_petzold.hpp"

namespace driftless::problems {

ProblemEntry paper_000_example2() {
  return ascher_petzold_2("Ascher, Petzold, Example 2");
}

}  // namespace driftless::problems
