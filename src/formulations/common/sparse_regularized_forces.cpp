#include "sparse_regularized_forces.hpp"

#include <algorithm>
#include <cmath>

#include <driftless/core/sparse_dynamics.hpp>

namespace driftless::formulations {

SparseRegularizedForces::SparseRegularizedForces(const Problem& problem, const Regularization& how)
    : RegularizedForces(problem, how),
      sizes_(sparse_dynamics(problem)->branches().sizes),
      parts_(Storage::sparse),
      mass_(sizes_, problem.sparse_pattern().C),
      own_mass_(mass_),
      solver_(how.kind, sizes_, problem.sparse_pattern().C),
      force_(a_),
      p_(a_),
      there_{a_, w_, w_} {}

// As the whole matrix is: augmented where it is not safely positive definite.
Status SparseRegularizedForces::factor_mass() {
  M_ = parts_.sparse.M;
  if (!std::all_of(M_.begin(), M_.end(), [](double x) { return std::isfinite(x); }))
    return Status::not_finite;
  if (how_.mass == MassTreatment::paper) {
    if (!own_mass_.factor(M_, linalg::mass_pivot_limit)) return Status::singular_mass;
    own_mass_.add_inverse(how_.rho, M_);
  }
  const bool given = how_.mass == MassTreatment::given;
  definite_ = mass_.factor(M_, given ? linalg::block_pivot_limit : linalg::mass_pivot_limit);
  augmented_ = how_.mass == MassTreatment::augmented || (how_.mass == MassTreatment::automatic && !definite_);
  return definite_ || augmented_ ? Status::ok : Status::singular_mass;
}

Status SparseRegularizedForces::evaluate(double t, VectorIn z, VectorIn r) {
  const int ng = shape_.ng, nk = shape_.nk;
  problem_.evaluate(parts_asked_, Point(t, z), parts_);
  const linalg::SparseRows& C = parts_.sparse.C;
  offset_ = -r;
  if (how_.curvature) {
    offset_.head(ng) += parts_.c;
    if (nk > 0) offset_.tail(nk) += parts_.ck;
  }
  force_ = parts_.f;
  if (!force_.allFinite()) return Status::not_finite;
  if (const Status status = factor_mass(); status != Status::ok) return status;
  solver_.take(M_, C, rho());
  if (augmented_ && !solver_.factor_augmented()) return Status::singular_mass;
  F_ = force_;
  if (augmented_) {
    C.add_transposed_times(count_, -how_.rho, offset_.data(), F_.data());
  }
  free_ = F_;
  divide(free_);
  R_ = offset_;
  C.add_times(count_, 1, free_.data(), R_.data());
  if (how_.mass == MassTreatment::paper) {
    F_.setZero();
    own_mass_.add_times(parts_.sparse.M, force_.data(), F_.data());
  }
  return R_.allFinite() ? Status::ok : Status::not_finite;
}

void SparseRegularizedForces::divide(VectorOut x) {
  if (augmented_)
    solver_.divide_augmented(x);
  else
    mass_.divide(x.data());
}

Status SparseRegularizedForces::factor(double floor) {
  solver_.scale(D_scale_);
  const bool factored =
      how_.epsilon ? solver_.factor(*how_.epsilon) : solver_.factor_within(scaled_R_, floor, radius_);
  return factored ? Status::ok : Status::singular_step;
}

void SparseRegularizedForces::acceleration(VectorIn y, VectorOut a) {
  p_.setZero(shape_.nv);
  parts_.sparse.C.add_transposed_times(count_, -1, y.data(), p_.data());
  divide(p_);
  a = free_ + p_;
}

void SparseRegularizedForces::at(VectorIn y, There& there) {
  there.a.resize(shape_.nv);
  acceleration(y, there.a);
  there.w = offset_;
  parts_.sparse.C.add_times(count_, 1, there.a.data(), there.w.data());
  there.u = y + rho() * there.w;
}

// A^T w = C W^-1 C^T w.
void SparseRegularizedForces::plain_rows(VectorIn y, VectorOut out) {
  const linalg::SparseRows& C = parts_.sparse.C;
  at(y, there_);
  out = *how_.epsilon * y;
  if (!least_squares()) {
    out -= there_.w;
    return;
  }
  p_.setZero(shape_.nv);
  C.add_transposed_times(count_, 1, there_.w.data(), p_.data());
  divide(p_);
  C.add_times(count_, -1, p_.data(), out.data());
}

void SparseRegularizedForces::note_rows() {
  for (int i = 0; i < count_; ++i) {
    double size = definite_ ? mass_.square(parts_.sparse.C, i) : 1 / how_.rho;
    if (augmented_ && definite_) size /= 1 + how_.rho * size;
    shrink(D_scale_[i], std::sqrt(size));
    E_scale_[i] = D_scale_[i];
  }
}

}  // namespace driftless::formulations
