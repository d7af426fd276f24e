// See null_space.hpp. Householder QR with column pivoting, which reveals the rank.
#include <driftless/linalg/null_space.hpp>

#include <Eigen/QR>

#include <driftless/linalg/rank.hpp>

namespace driftless::linalg {

Matrix null_space(MatrixIn C, double tolerance) {
  const Eigen::Index n = C.cols();
  if (C.rows() == 0 || n == 0) return Matrix::Identity(n, n);
  Eigen::ColPivHouseholderQR<Matrix> qr(n, C.rows());
  qr.setThreshold(tolerance);
  qr.compute(row_normalised(C).transpose());
  const Matrix Q = qr.householderQ() * Matrix::Identity(n, n);
  return Q.rightCols(n - qr.rank());
}

}  // namespace driftless::linalg
