// Multipliers of constraints that depend on each other: among all with the same forces B l, the one of least norm is chosen, and what is
// left undetermined are combinations n with B n = 0. Off the manifold B has the rank that it has on it (rank_decision.hpp).
#pragma once

#include <vector>

#include <driftless/linalg/types.hpp>

namespace driftless {

// So many columns of B that the others span, ascending.
std::vector<int> idle_columns(const Matrix& B, std::size_t count);

// These columns as far as they lie in the span of the others.
void put_in_span(Matrix& B, const std::vector<int>& columns);

// Orthonormal n, one for each of these columns, which count as far as they lie in the span of the others.
Matrix idle_multipliers(const Matrix& B, const std::vector<int>& columns);

}  // namespace driftless
