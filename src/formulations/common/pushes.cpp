#include "pushes.hpp"

namespace driftless::formulations {

Pushes::Pushes(const Problem& problem, const ConstrainedForm& form, int first_column)
    : shape_(problem.shape()),
      form_(form),
      first_(first_column),
      directions_(problem, form.D),
      D_(Matrix::Zero(shape_.nv, shape_.ng)) {}

Parts Pushes::parts() const {
  Parts parts;
  if (form_.stabilized > 0) parts = directions_.parts();
  if (form_.mass_metric) parts = parts | Part::mass;
  if (form_.coupled && shape_.order > 1) parts = parts | Part::rate_jacobian;
  if (with_velocities()) parts = parts | Part::velocity_jacobian;
  if (with_velocities() && form_.coupled) parts = parts | Part::velocity_drift;
  return parts;
}

Status Pushes::compute(double t, VectorIn z, const Evaluation& parts, const ImposedRows& rows, MatrixOut U) {
  const int ng = shape_.ng, nk = shape_.nk, nv = shape_.nv, m = shape_.order;
  int column = first_;
  Status status = form_.stabilized > 0 ? directions_.compute(t, z, parts, D_) : Status::ok;
  if (status == Status::ok && form_.mass_metric) status = directions_.factor_mass(parts);
  if (status != Status::ok) return status;
  for (int j = 0; j < form_.stabilized; ++j, column += ng) {
    auto own = U.block(j * nv, column, nv, ng);
    own = D_;
    if (form_.mass_metric && j == m - 1) directions_.divide_by_mass(own);
    for (int i = 0; form_.coupled && i < j; ++i)
      U.block(i * nv, column, nv, ng) =
          binomial(j, i) * parts.L[static_cast<std::size_t>(j - i - 1)].transpose();
  }
  if (with_velocities()) {
    auto own = U.block(nv, column, nv, nk);
    own = parts.K.transpose();
    // With `input`, compute() has factored M.
    if (form_.mass_metric || (form_.D.kind == Direction::input && !form_.D.given))
      directions_.divide_by_mass(own);
    if (form_.coupled) U.block(0, column, nv, nk) = parts.w_x.transpose();
  }
  U.rightCols(rows.invariants()) = rows.invariant_gradients().transpose();
  return U.allFinite() ? Status::ok : Status::not_finite;
}

}  // namespace driftless::formulations
