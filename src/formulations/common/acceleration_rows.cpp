#include "acceleration_rows.hpp"

namespace driftless::formulations {

AccelerationRows::AccelerationRows(const Problem& problem)
    : problem_(problem),
      shape_(problem.shape()),
      mass_({shape_.nv, 0, shape_.mass, shape_.mass_blocks}),
      no_rows_(Matrix::Zero(0, shape_.nv)),
      none_(Vector::Zero(0)),
      a_(Vector::Zero(shape_.nv)),
      columns_(Matrix::Zero(shape_.nv, shape_.layout().tangent_size() + shape_.multipliers())) {}

Parts AccelerationRows::parts() const {
  const Parts parts = Part::mass | Part::jacobian | Part::curvature;
  return shape_.nk > 0 ? parts | Part::velocity_jacobian : parts;
}

Status AccelerationRows::factor_mass(const Matrix& M) {
  if (shape_.mass == linalg::MassStructure::identity) return Status::ok;
  return status_of(mass_.factor(M, no_rows_));
}

void AccelerationRows::divide_by_mass(VectorOut column) {
  if (shape_.mass != linalg::MassStructure::identity) mass_.solve(column, none_, column, none_);
}

Status AccelerationRows::residual(const Evaluation& parts, VectorIn rate, VectorIn top, VectorOut r) {
  if (const Status status = factor_mass(parts.M); status != Status::ok) return status;
  a_ = -top;
  divide_by_mass(a_);
  a_ += rate;
  auto rows = r.head(shape_.ng);
  rows = parts.c;
  rows.noalias() += parts.G.lazyProduct(a_);
  if (shape_.nk == 0) return Status::ok;
  auto velocity_rows = r.tail(shape_.nk);
  velocity_rows = parts.ck;
  velocity_rows.noalias() += parts.K.lazyProduct(a_);
  return Status::ok;
}

Status AccelerationRows::jacobian(double t, VectorIn z, VectorIn lambda, VectorIn kappa, MatrixOut by_levels,
                                  MatrixOut by_multipliers) {
  const int nv = shape_.nv, ng = shape_.ng, nk = shape_.nk;
  const auto tangent = by_levels.cols();
  Parts parts = Part::mass | Part::force | Part::jacobian | Part::input;
  if (nk > 0) parts = parts | Part::velocity_jacobian;
  problem_.evaluate(parts, Point(t, z), at_);
  if (const Status status = factor_mass(at_.M); status != Status::ok) return status;
  a_ = at_.f;
  a_.noalias() -= at_.B.lazyProduct(lambda);
  if (nk > 0) a_.noalias() -= at_.K.transpose().lazyProduct(kappa);
  divide_by_mass(a_);
  problem_.evaluate(parts | Part::force_jacobian | Part::mass_product_jacobian | Part::multiplier_jacobian |
                        Part::curvature_jacobian,
                    Point(t, z, a_, lambda, kappa), at_);
  columns_.leftCols(tangent) = at_.f_z;
  columns_.leftCols(nv) -= at_.Ma_x + at_.Bl_x;
  columns_.middleCols(tangent, ng) = -at_.B;
  if (nk > 0) columns_.rightCols(nk) = -at_.K.transpose();
  for (Eigen::Index j = 0; j < columns_.cols(); ++j) divide_by_mass(columns_.col(j));

  const auto by_z = columns_.leftCols(tangent);
  const auto by_s = columns_.rightCols(ng + nk);
  by_levels.topRows(ng) = at_.c_z;
  by_levels.topRows(ng).noalias() += at_.G.lazyProduct(by_z);
  by_multipliers.topRows(ng).noalias() = at_.G.lazyProduct(by_s);
  if (nk > 0) {
    by_levels.bottomRows(nk) = at_.ck_z;
    by_levels.bottomRows(nk).noalias() += at_.K.lazyProduct(by_z);
    by_multipliers.bottomRows(nk).noalias() = at_.K.lazyProduct(by_s);
  }
  return by_levels.allFinite() && by_multipliers.allFinite() ? Status::ok : Status::not_finite;
}

}  // namespace driftless::formulations
