#include "penalty_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless::formulations {

PenaltyIteration::PenaltyIteration(const linalg::SaddleShape& shape, const IterationLimit& limit)
    : shape_(shape),
      limit_(limit),
      kernel_(&linalg::cholesky_kernel(shape.n)),
      M_(Matrix::Zero(shape.n, shape.n)),
      H_(Matrix::Zero(shape.n, shape.n)),
      X_(Matrix::Zero(shape.n, shape.m)),
      root_(Vector::Zero(shape.m)),
      importance_(Vector::Zero(shape.n)),
      scaled_r_(Vector::Zero(shape.m)),
      scaled_l_(Vector::Zero(shape.m)),
      violation_(Vector::Zero(shape.m)),
      push_(Vector::Zero(shape.m)),
      a_(Vector::Zero(shape.n)),
      increment_(Vector::Zero(shape.n)) {}

// Only what the structure says is read (linalg/saddle_point.hpp).
void PenaltyIteration::copy_mass(MatrixIn M) {
  using linalg::MassStructure;
  if (shape_.mass == MassStructure::identity) {
    M_.setIdentity();
  } else if (shape_.mass == MassStructure::diagonal) {
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
}

Status PenaltyIteration::factor(MatrixIn M, MatrixIn C, VectorIn weights, VectorIn importance) {
  copy_mass(M);
  if (!M_.allFinite() || !C.allFinite()) return Status::not_finite;
  root_ = weights.cwiseSqrt();
  importance_ = importance;
  for (int i = 0; i < shape_.m; ++i) X_.col(i) = root_(i) * C.row(i).transpose();
  kernel_->gram(shape_.n, shape_.m, X_.data(), H_.data());
  H_.triangularView<Eigen::Lower>() += M_;
  // A motion without inertia that no row sees leaves a pivot of roundoff.
  return kernel_->factor(shape_.n, H_.data(), linalg::lu_pivot_limit(shape_.n)) ? Status::ok
                                                                                : Status::singular_mass;
}

Convergence PenaltyIteration::solve(VectorIn f, VectorIn r, VectorIn l_0, VectorOut a) {
  scaled_r_ = r.cwiseProduct(root_);
  scaled_l_ = l_0.cwiseQuotient(root_);
  a_.setZero();
  violation_ = -scaled_r_;
  Convergence now;
  double before = 0;
  for (now.iterations = 1;; ++now.iterations) {
    push_ = scaled_l_ + violation_;
    increment_ = f;
    increment_.noalias() -= M_.lazyProduct(a_);
    increment_.noalias() -= X_.lazyProduct(push_);
    apply_inverse(increment_);
    a_ += increment_;
    violation_.noalias() = X_.transpose().lazyProduct(a_);
    violation_ -= scaled_r_;
    scaled_l_ += violation_;

    const double moved = norm(increment_), size = norm(a_);
    if (now.iterations > 1) {
      now.factor = before > 0 ? moved / before : 0;
      // An increment of a slow direction may hide behind those of fast ones: what is left is at least taken as the last increment.
      const double ahead = now.factor < 1 ? std::max(1.0, now.factor / (1 - now.factor))
                                          : std::numeric_limits<double>::infinity();
      now.moved = moved > 0 ? moved / size : 0;
      now.remaining = moved > 0 ? ahead * now.moved : 0;
      now.reached = now.remaining <= limit_.tolerance;
    }
    before = moved;
    now.finite = std::isfinite(moved) && std::isfinite(size);
    if (now.reached || now.iterations >= limit_.iterations || !now.finite) break;
  }
  if (now.finite && !now.reached && limit_.tolerance > 0) now.reached = balanced(f, now.factor);
  a = a_;
  return now;
}

// Forces that balance leave an acceleration of roundoff, and what moves it is as large: against those forces both are nothing.
bool PenaltyIteration::balanced(VectorIn f, double factor) const {
  double square = 0;  // of the acceleration that f alone would cause, in the norm of increments
  for (int i = 0; i < shape_.n; ++i)
    if (importance_(i) > 0) square += f(i) * f(i) / importance_(i);
  const double ahead = factor < 1 ? std::max(1.0, factor / (1 - factor)) : 1;
  return ahead * norm(increment_) <= limit_.tolerance * std::sqrt(square);
}

void PenaltyIteration::multipliers(VectorIn f, VectorIn a, VectorOut l) {
  scaled_l_.setZero();
  const int limit = std::max(limit_.iterations, IterationLimit{}.iterations);  // few sweeps are meant for a
  for (int k = 0; k < limit; ++k) {
    increment_ = f;
    increment_.noalias() -= M_.lazyProduct(a);
    increment_.noalias() -= X_.lazyProduct(scaled_l_);
    apply_inverse(increment_);
    push_.noalias() = X_.transpose().lazyProduct(increment_);
    scaled_l_ += push_;
    if (push_.norm() <= 1e-15 * scaled_l_.norm()) break;
  }
  l = scaled_l_.cwiseProduct(root_);
}

}  // namespace driftless::formulations
