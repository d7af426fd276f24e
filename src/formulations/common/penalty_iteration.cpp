#include "penalty_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace driftless::formulations {

PenaltyIteration::PenaltyIteration(std::unique_ptr<PenaltyMatrix> matrix, const IterationLimit& limit)
    : matrix_(std::move(matrix)),
      limit_(limit),
      root_(Vector::Zero(matrix_->rows().rows())),
      importance_(Vector::Zero(matrix_->mass_diagonal().size())),
      scaled_r_(root_),
      scaled_l_(root_),
      violation_(root_),
      push_(root_),
      a_(importance_),
      increment_(importance_) {}

Status PenaltyIteration::factor(VectorIn weights, VectorIn importance) {
  root_ = weights.cwiseSqrt();
  importance_ = importance;
  return matrix_->factor(root_);
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
    matrix_->subtract_mass_times(a_, increment_);
    matrix_->subtract_pull(push_, increment_);
    matrix_->divide(increment_);
    a_ += increment_;
    matrix_->rows_times(a_, violation_);
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
  for (Eigen::Index i = 0; i < f.size(); ++i)
    if (importance_(i) > 0) square += f(i) * f(i) / importance_(i);
  const double ahead = factor < 1 ? std::max(1.0, factor / (1 - factor)) : 1;
  return ahead * norm(increment_) <= limit_.tolerance * std::sqrt(square);
}

void PenaltyIteration::multipliers(VectorIn f, VectorIn a, VectorOut l) {
  scaled_l_.setZero();
  const int limit = std::max(limit_.iterations, IterationLimit{}.iterations);  // few sweeps are meant for a
  for (int k = 0; k < limit; ++k) {
    increment_ = f;
    matrix_->subtract_mass_times(a, increment_);
    matrix_->subtract_pull(scaled_l_, increment_);
    matrix_->divide(increment_);
    matrix_->rows_times(increment_, push_);
    scaled_l_ += push_;
    if (push_.norm() <= 1e-15 * scaled_l_.norm()) break;
  }
  l = scaled_l_.cwiseProduct(root_);
}

}  // namespace driftless::formulations
