// See least_norm.hpp. Complete orthogonal decomposition, which reveals the rank.
#include <driftless/linalg/least_norm.hpp>

#include <Eigen/QR>

namespace driftless::linalg {

Matrix least_norm_solution(MatrixIn A, MatrixIn R) {
  if (A.size() == 0 || R.size() == 0) return Matrix::Zero(A.cols(), R.cols());
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition(A.rows(), A.cols());
  decomposition.setThreshold(1e-13);
  decomposition.compute(A);
  return decomposition.solve(R);
}

}  // namespace driftless::linalg
