#include <driftless/linalg/damped_solve.hpp>

#include <algorithm>
#include <cmath>

namespace driftless::linalg {

DampedSolve::DampedSolve(Damping kind, int n)
    : kind_(kind),
      n_(n),
      F_(Matrix::Zero(kind == Damping::least_squares ? 2 * n : n, n)),
      scale_(Vector::Zero(n)),
      diagonal_(Vector::Zero(n)),
      right_(Vector::Zero(F_.rows())),
      y_(Vector::Zero(n)),
      x_(Vector::Zero(n)) {}

bool DampedSolve::factor(MatrixIn A, double epsilon) {
  epsilon_ = epsilon;
  if (!A.allFinite() || !std::isfinite(epsilon)) return false;
  return kind_ == Damping::least_squares ? factor_rows(A) : factor_shifted(A);
}

// Householder's reflectors; the one of column k has entries in the rows k to n + k only.
bool DampedSolve::factor_rows(MatrixIn A) {
  F_.topRows(n_) = A;
  F_.bottomRows(n_).setZero();
  F_.bottomRows(n_).diagonal().setConstant(std::sqrt(epsilon_));
  for (int k = 0; k < n_; ++k) {
    auto u = F_.col(k).segment(k, n_ + 1);
    const double norm = u.norm();
    if (!(norm > 0)) return false;
    diagonal_[k] = u[0] > 0 ? -norm : norm;
    u[0] -= diagonal_[k];
    scale_[k] = 2 / u.squaredNorm();
    for (int j = k + 1; j < n_; ++j) {
      auto column = F_.col(j).segment(k, n_ + 1);
      column -= (scale_[k] * u.dot(column)) * u;
    }
  }
  return true;
}

bool DampedSolve::factor_shifted(MatrixIn A) {
  F_ = A;
  F_.diagonal().array() += epsilon_;
  for (int k = 0; k < n_; ++k) {
    const double pivot = F_(k, k) - F_.row(k).head(k).squaredNorm();
    if (!(pivot > 0)) return false;
    diagonal_[k] = std::sqrt(pivot);
    for (int i = k + 1; i < n_; ++i)
      F_(i, k) = (F_(i, k) - F_.row(i).head(k).dot(F_.row(k).head(k))) / diagonal_[k];
  }
  return true;
}

void DampedSolve::solve(VectorIn r, VectorOut y) {
  if (kind_ == Damping::shifted) return solve_normal(r, y);
  right_.head(n_) = r;
  right_.tail(n_).setZero();
  for (int k = 0; k < n_; ++k) {
    const auto u = F_.col(k).segment(k, n_ + 1);
    auto part = right_.segment(k, n_ + 1);
    part -= (scale_[k] * u.dot(part)) * u;
  }
  for (int k = n_ - 1; k >= 0; --k) {
    const int rest = n_ - 1 - k;
    y[k] = (right_[k] - F_.row(k).tail(rest).dot(y.tail(rest))) / diagonal_[k];
  }
}

// With R^T R or L L^T; R is above the diagonal of F_, L below it.
void DampedSolve::solve_normal(VectorIn b, VectorOut x) {
  const bool rows = kind_ == Damping::least_squares;
  for (int k = 0; k < n_; ++k) {
    const double known = rows ? F_.col(k).head(k).dot(x.head(k)) : F_.row(k).head(k).dot(x.head(k));
    x[k] = (b[k] - known) / diagonal_[k];
  }
  for (int k = n_ - 1; k >= 0; --k) {
    const int rest = n_ - 1 - k;
    const double known =
        rows ? F_.row(k).tail(rest).dot(x.tail(rest)) : F_.col(k).segment(k + 1, rest).dot(x.tail(rest));
    x[k] = (x[k] - known) / diagonal_[k];
  }
}

bool DampedSolve::factor_within(MatrixIn A, VectorIn r, double floor, double radius) {
  struct OfA {
    DampedSolve& solver;
    MatrixIn A;
    bool factor(double epsilon) { return solver.factor(A, epsilon); }
    void solve(VectorIn right, VectorOut y) { solver.solve(right, y); }
    void solve_normal(VectorIn b, VectorOut x) { solver.solve_normal(b, x); }
    double epsilon() const { return solver.epsilon(); }
  } of_A{*this, A};
  return linalg::factor_within(of_A, r, floor, radius, y_, x_);
}

}  // namespace driftless::linalg
