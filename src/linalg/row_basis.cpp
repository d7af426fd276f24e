#include <driftless/linalg/row_basis.hpp>

#include <algorithm>
#include <cmath>

namespace driftless::linalg {

// Eigen cannot decompose nothing; a row of zeros spans as much.
RowBasis::RowBasis(const Matrix& rows)
    : qr_(rows.rows() > 0 ? Matrix(rows.transpose()) : Matrix(Matrix::Zero(rows.cols(), 1))) {}

double RowBasis::distance(Eigen::Index i) const {
  return std::abs(qr_.matrixR()(i, i));
}

Eigen::Index RowBasis::farther_than(double limit) const {
  const Eigen::Index most = std::min(qr_.rows(), qr_.cols());
  Eigen::Index count = 0;
  while (count < most && distance(count) > limit) ++count;
  return count;
}

int RowBasis::row(Eigen::Index i) const {
  return static_cast<int>(qr_.colsPermutation().indices()(i));
}

Matrix RowBasis::span(Eigen::Index rank) const {
  return qr_.householderQ() * Matrix::Identity(qr_.rows(), rank);
}

Matrix RowBasis::complement(Eigen::Index rank) const {
  const Matrix whole = qr_.householderQ();
  return whole.rightCols(qr_.rows() - rank);
}

Vector RowBasis::least_move(const Vector& right, Eigen::Index rank) const {
  Vector along = Vector::Zero(qr_.rows());
  if (rank > 0) {
    const Vector ordered = qr_.colsPermutation().transpose() * right;
    const auto R = qr_.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
    along.head(rank) = R.transpose().solve(ordered.head(rank));
  }
  return qr_.householderQ() * along;
}

}  // namespace driftless::linalg
