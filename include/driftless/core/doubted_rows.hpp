// Rows that depend on others although squares let them pass. The pivots of S = C C^T, by which a SparseSaddle leaves rows out, have an error of
// roundoff by the weakest of them, and that reaches the limit for dependence where bodies are long or carried by many joints. Rows with such
// pivots are looked at again by their distance itself: what is left of them without their part in the span of the safe rows, of these rests the
// longest first, each without its part in those before it.
#pragma once

#include <vector>

#include <driftless/linalg/sparse_saddle.hpp>

namespace driftless {

// `left_out` with the rows of C added that turn out to depend on others, ascending. `saddle` is one for C, and afterwards without factors
// of use. More than 64 doubted rows are a place near a singular one, and count.
std::vector<int> with_doubted_rows(linalg::SparseSaddle& saddle, const linalg::SparseRows& C,
                                   std::vector<int> left_out);

}  // namespace driftless
