#include "radau_coupled.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "radau_table.hpp"

namespace driftless::integrators {

RadauCoupled::RadauCoupled(DaeSystem& system, Work& work)
    : system_(system),
      work_(work),
      n_(system.equations()),
      F_y_(Matrix::Zero(n_, n_)),
      F_yp_(F_y_),
      matrix_(Matrix::Zero(3 * n_, 3 * n_)),
      yp_(Vector::Zero(n_)),
      right_(Vector::Zero(3 * n_)),
      increment_(right_),
      lu_(static_cast<int>(3 * n_)) {}

Status RadauCoupled::set_up(double t, VectorIn y, double h, const Matrix& Z, double& at_t, Vector& at_y) {
  const RadauTable& table = radau_table();
  for (int i = 0; i < 3; ++i) {
    const auto row = table.A_inverse.row(i);
    at_t = t + table.c[i] * h;
    at_y = y + Z.col(i);
    yp_ = (row[0] / h) * Z.col(0) + (row[1] / h) * Z.col(1) + (row[2] / h) * Z.col(2);
    // First: rows of a residual may belong to the last linearization.
    if (const Status status = system_.linearize(at_t, at_y, yp_); status != Status::ok) return status;
    const Status status = system_.residual(at_t, at_y, yp_, right_.segment(i * n_, n_));
    if (status != Status::ok) return status;
    system_.assemble(F_y_, F_yp_);
    for (int j = 0; j < 3; ++j) matrix_.block(i * n_, j * n_, n_, n_) = (row[j] / h) * F_yp_;
    matrix_.block(i * n_, i * n_, n_, n_) += F_y_;
  }
  ++work_.factorizations;
  if (lu_.factor(matrix_)) return Status::ok;
  return matrix_.allFinite() ? Status::singular_step : Status::not_finite;
}

Status RadauCoupled::solve(double t, VectorIn y, double h, VectorIn weights, double limit, int iterations,
                           Matrix& Z, double& at_t, Vector& at_y) {
  double last = 0;
  for (int k = 1; k <= iterations; ++k) {
    if (const Status status = set_up(t, y, h, Z, at_t, at_y); status != Status::ok) return status;
    lu_.solve(right_, increment_);
    ++work_.newton;
    double sum = 0, unit = 0;
    for (int i = 0; i < 3; ++i) {
      const auto dZ = increment_.segment(i * n_, n_);
      Z.col(i) -= dZ;
      sum += dZ.cwiseProduct(weights).squaredNorm();
      unit += (y + Z.col(i)).cwiseProduct(weights).squaredNorm();
    }
    const double size = std::sqrt(sum / 3),
                 roundoff = std::numeric_limits<double>::epsilon() * std::sqrt(unit / 3);
    if (!std::isfinite(size)) return Status::not_finite;
    const double rate = k > 1 ? size / last : 1;
    if (size * std::min(1.0, rate) <= limit || size <= 4 * roundoff) return Status::ok;
    if (k > 2 && rate >= 1) return size <= 30 * roundoff ? Status::ok : Status::no_convergence;
    last = size;
  }
  return Status::no_convergence;
}

}  // namespace driftless::integrators
