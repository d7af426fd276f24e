#include <driftless/linalg/row_sor.hpp>

#include <limits>

namespace driftless::linalg {

FactorStatus RowSor::prepare(MatrixIn C) {
  for (Eigen::Index i = 0; i < C.rows(); ++i) {
    const double norm = C.row(i).squaredNorm();
    if (!(norm <= std::numeric_limits<double>::max())) return FactorStatus::not_finite;
    if (norm == 0.0) return FactorStatus::rank_loss;
    inverse_norms_(i) = 1 / norm;
  }
  return FactorStatus::ok;
}

void RowSor::solve(MatrixIn C, VectorIn r, int sweeps, double relaxation, VectorOut x, VectorOut a) const {
  const Eigen::Index rows = C.rows();
  a.setZero();
  for (Eigen::Index i = 0; i < rows; ++i) a += x(i) * C.row(i).transpose();
  const auto visit = [&](Eigen::Index i) {
    const double step = relaxation * inverse_norms_(i) * (r(i) - C.row(i).dot(a));
    x(i) += step;
    a += step * C.row(i).transpose();
  };
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (Eigen::Index i = 0; i < rows; ++i) visit(i);
    for (Eigen::Index i = rows - 1; i >= 0; --i) visit(i);
  }
}

}  // namespace driftless::linalg
