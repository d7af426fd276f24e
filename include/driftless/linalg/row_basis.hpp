// Rows made orthogonal, the strongest first: C^T P = Q R by Householder reflections with column pivoting. |R_ii| is the distance of the
// i-th row in that order from the span of those before it, so that the distances fall and their number above a limit is the
// rank. Off the fast path; allocates.
#pragma once

#include <Eigen/QR>

#include <driftless/linalg/types.hpp>

namespace driftless::linalg {

class RowBasis {
 public:
  explicit RowBasis(const Matrix& rows);

  double distance(Eigen::Index i) const;
  Eigen::Index farther_than(double limit) const;  // how many rows are
  int row(Eigen::Index i) const;                  // the i-th strongest

  /// Orthonormal columns: of the span of the first `rank` rows, and of all that is orthogonal to it.
  Matrix span(Eigen::Index rank) const;
  Matrix complement(Eigen::Index rank) const;
  /// The smallest x that has C x = right in the first `rank` rows; right in the order of C.
  Vector least_move(const Vector& right, Eigen::Index rank) const;

 private:
  Eigen::ColPivHouseholderQR<Matrix> qr_;
};

}  // namespace driftless::linalg
