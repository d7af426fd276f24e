// Which constraints are redundant, and how close the rest are to it. All functions work on the row-normalised
// matrix (each row divided by its length), so the units of a constraint do not matter:
//
//     row j is dependent when |c_j - sum of x_k c_k over the independent rows k < j| <= tolerance,   |c_j|
//     = 1.
//
// Greedy in row order: earlier rows are kept, later ones are named. Off the fast path; allocates.
#pragma once

#include <vector>

#include <driftless/linalg/factor_status.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless::linalg {

struct RowDependence {
  int row = 0;
  std::vector<int> on;  // rows with a coefficient x_k that is not negligible; empty for a zero row
};

/// Dependent rows in ascending order. A row that is zero, or has an entry that is not finite, depends on
/// nothing.
std::vector<RowDependence> dependent_rows(MatrixIn C, double tolerance = row_angle_limit);

/// Number of rows that dependent_rows() does not name.
int rank(MatrixIn C);

/// The m-th singular value of the row-normalised m x n matrix: 0 when m > n or a row is zero, 1 for
/// orthogonal rows, infinity for m = 0 (nothing can be lost), NaN when an entry is not finite.
double smallest_singular_value(MatrixIn C);

/// C with every row divided by its length; zero rows stay zero.
Matrix row_normalised(MatrixIn C);

}  // namespace driftless::linalg
