#include "acceleration_jacobian.hpp"

namespace driftless::formulations {

// When it is first asked for: explicit methods never do.
void AccelerationJacobian::prepare() {
  const Shape& shape = problem_.shape();
  const int nv = shape.nv, rows = shape.multipliers(), tangent = shape.layout().tangent_size();
  B_.setZero(nv, rows);
  C_.setZero(rows, nv);
  top_.setZero(nv, tangent);
  bottom_.setZero(rows, tangent);
  a_z_.setZero(nv, tangent);
  l_z_.setZero(rows);
  saddle_ = linalg::SaddlePoint({nv, rows, shape.mass, shape.mass_blocks});
}

Status AccelerationJacobian::compute(double t, VectorIn z, VectorIn a, VectorIn multipliers, MatrixIn r_z,
                                     AccelerationLaw* law) {
  const Shape& shape = problem_.shape();
  const int nv = shape.nv, ng = shape.ng, nk = shape.nk;
  if (a_z_.size() == 0) prepare();
  Parts parts = Part::mass | Part::jacobian | Part::force_jacobian | Part::mass_product_jacobian |
                Part::multiplier_jacobian | Part::curvature_jacobian | Part::input;
  if (nk > 0) parts = parts | Part::velocity_jacobian;
  problem_.evaluate(parts, Point(t, z, a, multipliers.head(ng), multipliers.tail(nk)), parts_);

  B_.leftCols(ng) = parts_.B;
  C_.topRows(ng) = parts_.G;
  if (nk > 0) {
    B_.rightCols(nk) = parts_.K.transpose();
    C_.bottomRows(nk) = parts_.K;
  }
  top_ = parts_.f_z;
  top_.leftCols(nv) -= parts_.Ma_x + parts_.Bl_x;
  if (r_z.size() > 0)
    bottom_ = r_z;
  else
    bottom_.setZero();
  bottom_.topRows(ng) -= parts_.c_z;
  bottom_.bottomRows(nk) -= parts_.ck_z;
  if (law) return solve_by(*law);
  if (const Status status = rank_.factor(saddle_, problem_, t, z, parts_.M, B_, C_); status != Status::ok)
    return status;
  for (Eigen::Index j = 0; j < a_z_.cols(); ++j)
    saddle_.solve(top_.col(j), bottom_.col(j), a_z_.col(j), l_z_);
  return a_z_.allFinite() ? Status::ok : Status::not_finite;
}

Status AccelerationJacobian::solve_by(AccelerationLaw& law) {
  for (Eigen::Index j = 0; j < a_z_.cols(); ++j)
    if (const Status status = law.solve_there(top_.col(j), bottom_.col(j), a_z_.col(j)); status != Status::ok)
      return status;
  return Status::ok;
}

}  // namespace driftless::formulations
