#include <driftless/linalg/dependent_saddle.hpp>

#include <algorithm>

namespace driftless::linalg {

namespace {

// Orthonormal columns that span the named rows of A.
Matrix span_of_rows(const Matrix& A, const std::vector<int>& rows) {
  const auto count = static_cast<Eigen::Index>(rows.size());
  Matrix named(A.cols(), count);
  for (Eigen::Index j = 0; j < count; ++j)
    named.col(j) = A.row(rows[static_cast<std::size_t>(j)]).transpose();
  const Eigen::HouseholderQR<Matrix> qr(named);
  return qr.householderQ() * Matrix::Identity(A.cols(), count);
}

bool safely_positive(const Eigen::LLT<Matrix>& factored, const Matrix& M) {
  if (factored.info() != Eigen::Success) return false;
  const Vector pivots = factored.matrixLLT().diagonal().cwiseAbs2();
  return (pivots.array() > mass_pivot_limit * M.diagonal().array()).all();
}

}  // namespace

FactorStatus DependentSaddle::factor_mass(const Matrix& M, const Matrix& C) {
  rho_ = 0;
  mass_.compute(M);
  if (safely_positive(mass_, M)) return FactorStatus::ok;
  const double weight = C.squaredNorm();
  rho_ = weight > 0 ? std::max(M.norm(), 1e-300) / weight : 0;
  const Matrix augmented = M + rho_ * C.transpose() * C;
  mass_.compute(augmented);
  return safely_positive(mass_, augmented) ? FactorStatus::ok : FactorStatus::singular_mass;
}

FactorStatus DependentSaddle::factor(const Matrix& M, const Matrix& B, const Matrix& C,
                                     const std::vector<int>& rows, const std::vector<int>& columns) {
  if (!M.allFinite() || !B.allFinite() || !C.allFinite()) return FactorStatus::not_finite;
  C_.setZero(C.rows(), C.cols());
  for (const int i : rows) C_.row(i) = C.row(i);
  if (const FactorStatus status = factor_mass(M, C_); status != FactorStatus::ok) return status;
  const auto by_mass = [&](const Matrix& A) {
    return Matrix(mass_.matrixL().solve(A.transpose()).transpose());
  };
  Matrix X = by_mass(C_);
  const Matrix Y = by_mass(B.transpose());
  lengths_ = X.rowwise().norm();
  lengths_ = (lengths_.array() > 0).select(lengths_, 1.0);
  X.array().colwise() /= lengths_.array();
  Q_ = span_of_rows(X, rows);
  P_ = span_of_rows(Y, columns);
  if (rows.empty()) return FactorStatus::ok;
  W_.compute(X * Q_);
  V_.compute(Y * P_);
  const Matrix between = Q_.transpose() * P_;
  between_.compute(between);
  const double smallest = between_.matrixLU().diagonal().cwiseAbs().minCoeff();
  return smallest > row_angle_limit ? FactorStatus::ok : FactorStatus::rank_loss;
}

void DependentSaddle::solve(VectorIn f, VectorIn r, VectorOut a, VectorOut l) const {
  Vector y = f;
  if (rho_ > 0) y += rho_ * C_.transpose() * r;
  mass_.matrixL().solveInPlace(y);
  const Eigen::Index rank = Q_.cols();
  if (rank == 0) {
    l.setZero();
  } else {
    const auto R = W_.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
    const Vector rotated = W_.householderQ().transpose() * r.cwiseQuotient(lengths_);
    const Vector along = R.solve(rotated.head(rank));
    const Vector p = between_.solve(Q_.transpose() * y - along);
    Vector in_range = Vector::Zero(V_.rows());
    in_range.head(rank) = V_.matrixQR().topRows(rank).triangularView<Eigen::Upper>().transpose().solve(p);
    l = V_.householderQ() * in_range;
    y -= P_ * p;
  }
  mass_.matrixU().solveInPlace(y);
  a = y;
}

}  // namespace driftless::linalg
