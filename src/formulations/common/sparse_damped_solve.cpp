#include "sparse_damped_solve.hpp"

#include <cmath>

namespace driftless::formulations {

using linalg::Damping;
using linalg::FieldMatrix;

SparseDampedSolve::SparseDampedSolve(Damping kind, const std::vector<int>& blocks,
                                     const linalg::SparseRows& C)
    : kind_(kind),
      pattern_(std::make_shared<const linalg::FieldPattern>(blocks, linalg::SparseRows(), C, C.rows,
                                                            linalg::Fields{})),
      none_left_out_(static_cast<std::size_t>(C.rows), 0),
      D_(Vector::Ones(C.rows)),
      x_(Vector::Zero(pattern_->size())),
      y_(Vector::Zero(C.rows)),
      normal_(y_) {
  if (kind == Damping::shifted) {
    real_ = std::make_unique<FieldMatrix<double>>(pattern_);
  } else {
    complex_ = std::make_unique<FieldMatrix<std::complex<double>>>(pattern_);
    complex_x_ = x_;
  }
}

template <class Scalar>
void SparseDampedSolve::fill(FieldMatrix<Scalar>& matrix) const {
  matrix.clear();
  matrix.add_mass(0, 0, *M_, 1.0);
  matrix.add_transposed(0, 0, *C_, 1.0);
  matrix.add_rows(0, 0, *C_, 1.0, none_left_out_);
}

template <class Scalar>
bool SparseDampedSolve::factor(FieldMatrix<Scalar>& matrix, Scalar tau) {
  fill(matrix);
  for (int i = 0; i < D_.size(); ++i) {
    const Scalar own = tau / (D_(i) * D_(i));
    matrix.add_to_row(0, 0, i, -own / (1.0 + rho_ * own));
  }
  return matrix.factor();
}

bool SparseDampedSolve::factor(double epsilon) {
  epsilon_ = epsilon;
  if (!std::isfinite(epsilon)) return false;
  return real_ ? factor(*real_, epsilon) : factor(*complex_, tau());
}

// With r scaled, that is D^-1 r for A + tau Z; of u the scaled y.
template <class Scalar>
void SparseDampedSolve::solve(FieldMatrix<Scalar>& matrix, Scalar tau, VectorIn r) {
  auto& x = values(Scalar());
  const auto rows = D_.size();
  x.setZero();
  x.tail(rows) = -r.cwiseQuotient(D_);
  if (rho_ != 0)
    for (int i = 0; i < rows; ++i)
      for (int k = C_->first(i); k < C_->last(i); ++k) x(C_->column_of(k)) += rho_ * C_->at(k) * r(i) / D_(i);
  matrix.solve(x);
  for (Eigen::Index i = 0; i < rows; ++i) {
    Scalar& u = x(x.size() - rows + i);
    u /= D_(i) * (1.0 + rho_ * tau / (D_(i) * D_(i)));
  }
}

void SparseDampedSolve::solve(VectorIn r, VectorOut y) {
  if (real_) {
    solve(*real_, epsilon_, r);
    y = x_.tail(D_.size());
  } else {
    solve(*complex_, tau(), r);
    y = complex_x_.tail(D_.size()).real();
  }
}

void SparseDampedSolve::solve_normal(VectorIn b, VectorOut x) {
  if (real_) return solve(b, x);
  solve(*complex_, tau(), b);
  x = complex_x_.tail(D_.size()).imag() / -std::sqrt(epsilon_);
}

bool SparseDampedSolve::factor_within(VectorIn r, double floor, double radius) {
  return linalg::factor_within(*this, r, floor, radius, y_, normal_);
}

bool SparseDampedSolve::factor_augmented() {
  if (!augmented_) augmented_ = std::make_unique<FieldMatrix<double>>(pattern_);
  fill(*augmented_);
  for (int i = 0; i < D_.size(); ++i) augmented_->add_to_row(0, 0, i, -1 / rho_);
  return augmented_->factor();
}

void SparseDampedSolve::divide_augmented(VectorOut f) {
  x_.setZero();
  x_.head(f.size()) = f;
  augmented_->solve(x_);
  f = x_.head(f.size());
}

}  // namespace driftless::formulations
