#include "imposed_rows.hpp"

#include <algorithm>

#include <driftless/core/invariants_option.hpp>

namespace driftless::formulations {

ImposedRows::ImposedRows(const Problem& problem, const ConstrainedForm& form)
    : shape_(problem.shape()),
      form_(form),
      manifold_(problem, choose_invariants(problem, form.invariants)),
      H_(Matrix::Zero(manifold_.rows(), shape_.layout().tangent_size())) {
  for (const std::vector<double>& coefficients : form_.imposed)
    for (std::size_t j = 1; j < coefficients.size(); ++j) with_rates_ = with_rates_ || coefficients[j] != 0;
}

int ImposedRows::count() const {
  return static_cast<int>(form_.imposed.size()) * shape_.ng + (with_velocities() ? shape_.nk : 0) +
         invariants();
}

Parts ImposedRows::parts() const {
  Parts parts = Part::position;
  if (with_rates_) parts = parts | Part::rates;
  if (with_velocities()) parts = parts | Part::velocity;
  return parts;
}

Parts ImposedRows::jacobian_parts() const {
  Parts parts = Part::jacobian;
  if (with_rates_) parts = parts | Part::rate_jacobian;
  if (shape_.nk > 0) parts = parts | Part::velocity_jacobian | Part::velocity_drift;
  return parts;
}

Status ImposedRows::evaluate(double t, VectorIn z) {
  if (invariants() == 0) return Status::ok;
  const Status status = manifold_.linearize(t, z);
  if (status == Status::ok) manifold_.jacobian(H_);
  return status;
}

void ImposedRows::residual(const Evaluation& parts, VectorOut r) const {
  const int ng = shape_.ng;
  int row = 0;
  for (const std::vector<double>& coefficients : form_.imposed) {
    double* block = r.data() + row;
    bool begun = false;
    for (int j = 0; j < shape_.order; ++j) {
      const double coefficient = coefficients[static_cast<std::size_t>(j)];
      if (coefficient == 0) continue;
      const double* g_j = j == 0 ? parts.g.data() : parts.rates.data() + (j - 1) * ng;
      if (begun)
        for (int i = 0; i < ng; ++i) block[i] += coefficient * g_j[i];
      else
        for (int i = 0; i < ng; ++i) block[i] = coefficient * g_j[i];
      begun = true;
    }
    row += ng;
  }
  if (with_velocities()) r.segment(row, shape_.nk) = parts.w;
  if (invariants() > 0) r.tail(invariants()) = manifold_.h().tail(invariants());
}

void ImposedRows::jacobian(const Evaluation& parts, MatrixOut C) const {
  const int ng = shape_.ng, nk = shape_.nk, nv = shape_.nv;
  int row = 0;
  C.setZero();
  for (const std::vector<double>& coefficients : form_.imposed) {
    for (int j = 0; j < shape_.order; ++j) {
      const double coefficient = coefficients[static_cast<std::size_t>(j)];
      if (coefficient == 0) continue;
      for (int i = 0; i <= j; ++i) {
        const Matrix& block = i == j ? parts.G : parts.L[static_cast<std::size_t>(j - i - 1)];
        C.block(row, i * nv, ng, nv) += coefficient * binomial(j, i) * block;
      }
    }
    row += ng;
  }
  if (with_velocities()) {
    C.block(row, 0, nk, nv) = parts.w_x;
    C.block(row, nv, nk, nv) = parts.K;
  }
  C.bottomRows(invariants()) = invariant_gradients();
}

}  // namespace driftless::formulations
