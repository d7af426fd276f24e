// Rows that depend on others although squares let them pass. The pivots of S = C C^T, by which a SparseSaddle leaves rows out, have an error of
// roundoff by the weakest of them, and that reaches the limit for dependence where bodies are carried by many joints. Rows with such
// pivots are looked at again by their distance itself: what is left of them without their part in the span of the safe rows, of these rests the
// longest first, each without its part in those before it.
#pragma once

#include <vector>

#include <driftless/linalg/sparse_saddle.hpp>

namespace driftless {

// Rows whose pivots are up to that part of their squares though they were not left out. `saddle` has factored C.
std::vector<int> doubted_rows(const linalg::SparseSaddle& saddle, const std::vector<int>& left_out,
                              double square);

// `left_out` with those of the candidates added that depend on the other rows and on each other, up to this sine; at least
// so many are, whatever their sines. Ascending. `saddle` is one for C, and afterwards without factors of use.
std::vector<int> with_dependent_rows(linalg::SparseSaddle& saddle, const linalg::SparseRows& C,
                                     const std::vector<int>& left_out, std::vector<int> candidates,
                                     double sine, std::size_t redundant = 0);

// `left_out` with the rows of C added that turn out to depend on others up to a sine of 1e-5. More than 64 doubted rows are a place near a
// singular one, and count.
std::vector<int> with_doubted_rows(linalg::SparseSaddle& saddle, const linalg::SparseRows& C,
                                   std::vector<int> left_out);

constexpr std::size_t most_doubted = 64;

}  // namespace driftless
