// See symmetric_pencil.hpp. With M = L L^T: the eigenvalues of L^-1 S L^-T.
#include <driftless/linalg/symmetric_pencil.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace driftless::linalg {

SymmetricPencil symmetric_pencil(MatrixIn S, MatrixIn M) {
  if (S.size() == 0 || !S.allFinite() || !M.allFinite()) return {};
  if (Eigen::LLT<Matrix>(M).info() != Eigen::Success) return {};
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(S, M);
  if (solver.info() != Eigen::Success) return {};
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace driftless::linalg
