#include "pushes.hpp"

#include <algorithm>

namespace driftless::formulations {

Pushes::Pushes(const Problem& problem, const ConstrainedForm& form, int first_column)
    : shape_(problem.shape()),
      form_(form),
      first_(first_column),
      directions_(problem, form.D),
      kernel_(linalg::cholesky_kernel(shape_.ng)),
      D_(Matrix::Zero(shape_.nv, shape_.ng)),
      D_transposed_(D_.transpose()),
      push_(Vector::Zero(shape_.nv)),
      invariants_push_(Vector::Zero(shape_.layout().tangent_size())) {}

double Pushes::weight(int levels) const {
  double weight = 1;
  for (int i = 0; i < levels; ++i) weight *= tau_squared_;
  return weight;
}

void Pushes::measure(MatrixOut columns) const {
  if (directions_.metric().size() > 0) columns.array().colwise() *= directions_.metric().array();
}

Parts Pushes::parts() const {
  Parts parts;
  if (form_.stabilized > 0) parts = directions_.parts();
  if (form_.mass_metric) parts = parts | Part::mass;
  if (form_.coupled && shape_.order > 1) parts = parts | Part::rate_jacobian;
  if (with_velocities()) parts = parts | Part::velocity_jacobian;
  if (with_velocities() && form_.coupled) parts = parts | Part::velocity_drift;
  return parts;
}

bool Pushes::none() const {
  return form_.stabilized == 0 && !with_velocities() && form_.invariants.empty();
}

Status Pushes::prepare(double t, VectorIn z, const Evaluation& parts) {
  Status status = Status::ok;
  if (form_.stabilized > 0 && !plain(0)) {
    status = directions_.compute(t, z, parts, D_);
    D_transposed_ = D_.transpose();
  }
  if (status == Status::ok && form_.mass_metric) status = directions_.factor_mass(parts);
  return status;
}

void Pushes::minus_push(const Evaluation& parts, const ImposedRows& rows, VectorIn s, VectorOut to) {
  const int ng = shape_.ng, nk = shape_.nk, nv = shape_.nv, m = shape_.order;
  const double* mu = s.data() + first_;
  std::fill(to.data(), to.data() + to.size(), 0.0);
  for (int j = 0; j < form_.stabilized; ++j, mu += ng) {
    const double* D_transposed = plain(j) ? parts.G.data() : D_transposed_.data();
    kernel_.minus_transposed_times(ng, nv, D_transposed, mu, to.data() + j * nv);
    if (form_.mass_metric && j == m - 1) directions_.divide_by_mass(to.segment(j * nv, nv));
    for (int i = 0; form_.coupled && i < j; ++i) {
      push_.setZero();
      kernel_.minus_transposed_times(ng, nv, parts.L[static_cast<std::size_t>(j - i - 1)].data(), mu,
                                     push_.data());
      measure(push_);
      to.segment(i * nv, nv) += weight(j - i) * binomial(j, i) * push_;
    }
  }
  if (with_velocities()) {
    const Eigen::Map<const Vector> eta(mu, nk);
    push_.noalias() = parts.K.transpose().lazyProduct(eta);
    if (velocities_by_mass())
      directions_.divide_by_mass(push_);
    else
      measure(push_);
    to.segment(nv, nv) -= push_;
    if (form_.coupled) {
      push_.noalias() = parts.w_x.transpose().lazyProduct(eta);
      measure(push_);
      to.head(nv) -= weight(1) * push_;
    }
  }
  if (rows.invariants() == 0) return;
  invariants_push_.noalias() = rows.invariant_gradients().transpose().lazyProduct(s.tail(rows.invariants()));
  for (int i = 0; i < m; ++i) measure(invariants_push_.segment(i * nv, nv));
  for (int i = 0; i < m; ++i)
    to.segment(i * nv, nv) -= weight(m - 1 - i) * invariants_push_.segment(i * nv, nv);
}

void Pushes::matrix(const Evaluation& parts, const ImposedRows& rows, MatrixOut U) {
  const int ng = shape_.ng, nk = shape_.nk, nv = shape_.nv, m = shape_.order;
  int column = first_;
  for (int j = 0; j < form_.stabilized; ++j, column += ng) {
    auto own = U.block(j * nv, column, nv, ng);
    if (plain(j))
      own = parts.G.transpose();
    else
      own = D_;
    if (form_.mass_metric && j == m - 1) directions_.divide_by_mass(own);
    for (int i = 0; form_.coupled && i < j; ++i) {
      auto below = U.block(i * nv, column, nv, ng);
      below = weight(j - i) * binomial(j, i) * parts.L[static_cast<std::size_t>(j - i - 1)].transpose();
      measure(below);
    }
  }
  if (with_velocities()) {
    auto own = U.block(nv, column, nv, nk);
    own = parts.K.transpose();
    if (velocities_by_mass())
      directions_.divide_by_mass(own);
    else
      measure(own);
    if (form_.coupled) {
      U.block(0, column, nv, nk) = weight(1) * parts.w_x.transpose();
      measure(U.block(0, column, nv, nk));
    }
  }
  if (rows.invariants() == 0) return;
  auto gradients = U.rightCols(rows.invariants());
  gradients = rows.invariant_gradients().transpose();
  for (int i = 0; i < m; ++i) measure(gradients.middleRows(i * nv, nv));
  for (int i = 0; i + 1 < m; ++i) gradients.middleRows(i * nv, nv) *= weight(m - 1 - i);
}

}  // namespace driftless::formulations
