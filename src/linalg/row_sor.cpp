#include <driftless/linalg/row_sor.hpp>

#include <algorithm>
#include <limits>

namespace driftless::linalg {

FactorStatus RowSor::prepare(MatrixIn C, const std::vector<int>& left_out) {
  for (Eigen::Index i = 0; i < C.rows(); ++i) {
    const double norm = C.row(i).squaredNorm();
    if (!(norm <= std::numeric_limits<double>::max())) return FactorStatus::not_finite;
    const bool counts = std::find(left_out.begin(), left_out.end(), static_cast<int>(i)) == left_out.end();
    if (counts && norm == 0.0) return FactorStatus::rank_loss;
    inverse_norms_(i) = counts ? 1 / norm : 0;
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
