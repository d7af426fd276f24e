// See rank.hpp. Rows are made orthogonal by Gram-Schmidt, done twice: C_kept = R^T Q^T with orthonormal Q.
#include <driftless/linalg/rank.hpp>

#include <cmath>
#include <limits>

#include <Eigen/SVD>

namespace driftless::linalg {

/// Coefficients below this fraction of the largest are roundoff, amplified by badly conditioned kept rows.
constexpr double negligible_coefficient = 1e-5;

Matrix row_normalised(MatrixIn C) {
  Matrix unit = C;
  for (Eigen::Index i = 0; i < unit.rows() && unit.cols() > 0; ++i) {
    const double largest = unit.row(i).cwiseAbs().maxCoeff();
    if (!(largest > 0.0)) continue;
    unit.row(i) /= largest;
    unit.row(i) /= unit.row(i).norm();
  }
  return unit;
}

std::vector<RowDependence> dependent_rows(MatrixIn C, double tolerance) {
  const Matrix unit = row_normalised(C);
  const Eigen::Index m = C.rows(), n = C.cols();
  Matrix Q = Matrix::Zero(n, std::min(m, n)), R = Matrix::Zero(Q.cols(), Q.cols());
  std::vector<int> kept;
  std::vector<RowDependence> found;
  for (Eigen::Index j = 0; j < m; ++j) {
    const Eigen::Index count = static_cast<Eigen::Index>(kept.size());
    Vector rest = unit.row(j).transpose();
    Vector along = Vector::Zero(count);
    for (int pass = 0; pass < 2; ++pass) {
      const Vector part = Q.leftCols(count).transpose() * rest;
      rest -= Q.leftCols(count) * part;
      along += part;
    }
    const double distance = rest.norm();
    if (distance > tolerance && count < Q.cols()) {
      R.col(count).head(count) = along;
      R(count, count) = distance;
      Q.col(count) = rest / distance;
      kept.push_back(static_cast<int>(j));
      continue;
    }
    RowDependence dependence{static_cast<int>(j), {}};
    if (count > 0 && along.allFinite()) {
      const Vector x = R.topLeftCorner(count, count).triangularView<Eigen::Upper>().solve(along).cwiseAbs();
      const double largest = x.maxCoeff();
      for (Eigen::Index k = 0; k < count; ++k)
        if (x[k] > 0.0 && x[k] > negligible_coefficient * largest) dependence.on.push_back(kept[k]);
    }
    found.push_back(dependence);
  }
  return found;
}

int rank(MatrixIn C) {
  return static_cast<int>(C.rows()) - static_cast<int>(dependent_rows(C).size());
}

double smallest_singular_value(MatrixIn C) {
  if (C.rows() == 0) return std::numeric_limits<double>::infinity();
  if (!C.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  if (C.rows() > C.cols()) return 0.0;
  return Eigen::JacobiSVD<Matrix>(row_normalised(C)).singularValues().minCoeff();
}

}  // namespace driftless::linalg
