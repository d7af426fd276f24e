#include "penalty_matrix.hpp"

#include <driftless/core/whole_matrices.hpp>

#include <driftless/core/sparse_dynamics.hpp>
#include "sparse_penalty_matrix.hpp"

namespace driftless::formulations {

WholePenaltyMatrix::WholePenaltyMatrix(const linalg::SaddleShape& shape)
    : shape_(shape),
      kernel_(&linalg::cholesky_kernel(shape.n)),
      M_(Matrix::Zero(shape.n, shape.n)),
      H_(M_),
      X_(Matrix::Zero(shape.n, shape.m)),
      C_(Matrix::Zero(shape.m, shape.n)),
      none_(Matrix::Zero(0, shape.n)),
      diagonal_(Vector::Ones(shape.n)) {
  if (shape_.mass == linalg::MassStructure::identity) M_.setIdentity();
}

// Only what the structure says is read (linalg/saddle_point.hpp).
void WholePenaltyMatrix::copy_mass(MatrixIn M) {
  using linalg::MassStructure;
  if (shape_.mass == MassStructure::identity) return;
  if (shape_.mass == MassStructure::diagonal) {
    M_.diagonal() = M.diagonal();
  } else {
    const auto lower_block = [&](int first, int size) {
      for (int j = first; j < first + size; ++j)
        for (int i = j; i < first + size; ++i) M_(i, j) = M_(j, i) = M(i, j);
    };
    int first = 0;
    if (shape_.mass == MassStructure::dense) lower_block(0, shape_.n);
    for (const int size : shape_.blocks) {
      lower_block(first, size);
      first += size;
    }
  }
  diagonal_ = M_.diagonal();
}

void WholePenaltyMatrix::take(const Evaluation& at) {
  const auto ng = at.G.rows(), nk = shape_.m - ng;
  copy_mass(at.M);
  C_.topRows(ng) = at.G;
  if (nk > 0) C_.bottomRows(nk) = at.K;
}

void WholePenaltyMatrix::take(MatrixIn M, MatrixIn C) {
  copy_mass(M);
  C_ = C;
}

Status WholePenaltyMatrix::factor(const Vector& root) {
  if (!M_.allFinite() || !C_.allFinite()) return Status::not_finite;
  for (int i = 0; i < shape_.m; ++i) X_.col(i) = root(i) * C_.row(i).transpose();
  kernel_->gram(shape_.n, shape_.m, X_.data(), H_.data());
  H_.triangularView<Eigen::Lower>() += M_;
  // A motion without inertia that no row sees leaves a pivot of roundoff.
  return kernel_->factor(shape_.n, H_.data(), linalg::lu_pivot_limit(shape_.n)) ? Status::ok
                                                                                : Status::singular_mass;
}

std::unique_ptr<PenaltyMatrix> penalty_matrix(const Problem& problem) {
  const Shape& s = problem.shape();
  if (sparse_dynamics(problem)) return std::make_unique<SparsePenaltyMatrix>(problem);
  check_whole_matrices(s);
  return std::make_unique<WholePenaltyMatrix>(
      linalg::SaddleShape{s.nv, s.multipliers(), s.mass, s.mass_blocks});
}

}  // namespace driftless::formulations
