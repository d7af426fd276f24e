#include "tangent_direction.hpp"

#include <algorithm>

namespace driftless::controls {

TangentDirection::TangentDirection(const Problem& problem, bool force)
    : problem_(problem),
      shape_(problem.shape()),
      needed_(Part::mass),
      saddle_({shape_.nv, shape_.multipliers(), shape_.mass, shape_.mass_blocks}),
      B_(Matrix::Zero(shape_.nv, shape_.multipliers())),
      C_(Matrix::Zero(shape_.multipliers(), shape_.nv)),
      d_(Vector::Zero(shape_.nv)),
      right_(d_),
      d_multipliers_(Vector::Zero(shape_.multipliers())),
      no_residual_(d_multipliers_) {
  if (shape_.ng > 0) needed_ = needed_ | Part::jacobian | Part::input;
  if (shape_.nk > 0) needed_ = needed_ | Part::velocity_jacobian;
  if (force) needed_ = needed_ | Part::force;
}

Status TangentDirection::find(double t, VectorIn z, VectorIn psi_v) {
  const int ng = shape_.ng, nk = shape_.nk;
  problem_.evaluate(needed_, Point(t, z), parts_);
  if (ng > 0) {
    C_.topRows(ng) = parts_.G;
    B_.leftCols(ng) = parts_.B;
  }
  if (nk > 0) {
    C_.bottomRows(nk) = parts_.K;
    B_.rightCols(nk) = parts_.K.transpose();
  }
  const Status factored = shape_.given_input ? rank_.factor(saddle_, problem_, t, z, parts_.M, B_, C_)
                                             : rank_.factor(saddle_, problem_, t, z, parts_.M, C_);
  if (factored != Status::ok) return factored;
  right_ = -psi_v;
  saddle_.solve(right_, no_residual_, d_, d_multipliers_);
  s_ = std::max(0.0, right_.dot(d_));
  return Status::ok;
}

void TangentDirection::constraint_force(VectorIn lambda, VectorIn kappa, VectorOut force) const {
  force.noalias() = B_.leftCols(shape_.ng).lazyProduct(lambda);
  force.noalias() += B_.rightCols(shape_.nk).lazyProduct(kappa);
}

void TangentDirection::derivative_by_v(MatrixOut d_v) {
  for (int j = 0; j < shape_.nv; ++j) {
    for (int i = 0; i < shape_.nv; ++i)
      right_(i) = shape_.mass == linalg::MassStructure::identity ? (i == j ? -1 : 0)
                                                                 : -parts_.M(std::max(i, j), std::min(i, j));
    saddle_.solve(right_, no_residual_, d_v.col(j), d_multipliers_);
  }
}

}  // namespace driftless::controls
