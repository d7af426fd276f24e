// The derivatives of WholeRegularizedForces; the equations are in its header.
#include "whole_regularized_forces.hpp"

namespace driftless::formulations {

// T_ = (W a + P y - F)_z,  w_ = C a + c - r,  w_z_. The forces are B y, and C^T (y + rho w) where they are augmented.
void WholeRegularizedForces::motion_jacobian(double t, VectorIn z, VectorIn a, VectorIn y, MatrixIn r_z) {
  const int ng = shape_.ng, nk = shape_.nk, nv = shape_.nv;
  w_ = offset_;
  w_.noalias() += C_.lazyProduct(a);
  s_ = y;
  if (augmented_) {
    if (!shape_.given_input) s_.head(ng) += how_.rho * w_.head(ng);
    s_.tail(nk) += how_.rho * w_.tail(nk);
  }
  const Parts parts = Part::mass | Part::force_jacobian | Part::mass_product_jacobian |
                      Part::multiplier_jacobian | Part::curvature_jacobian;
  problem_.evaluate(parts, Point(t, z, a, s_.head(ng), s_.tail(nk)), along_);
  problem_.evaluate(Part::curvature_jacobian, Point(t, z), still_);
  T_ = -along_.f_z;
  T_.leftCols(nv) += along_.Ma_x + along_.Bl_x;
  w_z_.topRows(ng) = along_.c_z;
  if (nk > 0) w_z_.bottomRows(nk) = along_.ck_z;
  if (!how_.curvature) {
    w_z_.topRows(ng) -= still_.c_z;
    if (nk > 0) w_z_.bottomRows(nk) -= still_.ck_z;
  }
  if (r_z.size() > 0) w_z_ -= r_z;
  if (augmented_) T_.noalias() += how_.rho * C_.transpose().lazyProduct(w_z_);
  if (how_.mass != MassTreatment::paper) return;
  u_ = -parts_.f;
  u_.noalias() += parts_.M.lazyProduct(a);
  u_.noalias() += B_.lazyProduct(y);
  WT_ = T_;
  T_.noalias() = parts_.M.lazyProduct(WT_);
  problem_.evaluate(Part::mass_product_jacobian, Point(t, z, u_, s_.head(0), s_.head(0)), along_);
  T_.leftCols(nv) += along_.Ma_x;
}

void WholeRegularizedForces::rows_jacobian(double t, VectorIn z) {
  WT_ = T_;
  for (Eigen::Index j = 0; j < WT_.cols(); ++j) divide_by_mass(WT_.col(j));
  if (!least_squares()) {
    D_ = w_z_;
    D_.noalias() -= C_.lazyProduct(WT_);
    return;
  }
  w_z_.noalias() -= C_.lazyProduct(WT_);
  w_z_ = D_scale_.cwiseAbs2().asDiagonal() * w_z_;
  D_.noalias() = A_.transpose().lazyProduct(w_z_);
  if (!shape_.given_input && how_.mass != MassTreatment::paper) add_rotation(t, z);
}

// P^T W^-1 ((C^T Q w)_x - (W p)_x) + (P^T p)_x, where P = C^T and, augmented, (W p)_x = (M p)_x + rho (C^T C p)_x.
void WholeRegularizedForces::add_rotation(double t, VectorIn z) {
  const int ng = shape_.ng, nk = shape_.nk, nv = shape_.nv;
  s_ = w_.cwiseProduct(D_scale_.cwiseAbs2());
  p_.noalias() = C_.transpose().lazyProduct(s_);
  divide_by_mass(p_);
  if (augmented_) s_.noalias() -= how_.rho * C_.lazyProduct(p_);
  const Parts parts = Part::mass_product_jacobian | Part::multiplier_jacobian | Part::curvature_jacobian;
  problem_.evaluate(parts, Point(t, z, p_, s_.head(ng), s_.tail(nk)), along_);
  c_z_.topRows(ng) = along_.c_z.leftCols(nv) - still_.c_z.leftCols(nv);
  if (nk > 0) c_z_.bottomRows(nk) = along_.ck_z.leftCols(nv) - still_.ck_z.leftCols(nv);
  rotation_ = along_.Bl_x - along_.Ma_x;
  if (augmented_) rotation_.noalias() -= how_.rho * C_.transpose().lazyProduct(c_z_);
  for (int j = 0; j < nv; ++j) divide_by_mass(rotation_.col(j));
  D_.leftCols(nv) += c_z_;
  D_.leftCols(nv).noalias() += P_.transpose().lazyProduct(rotation_);
}

// In terms of the scaled matrix: (..) E^-1 y_z = E D_ - E^-1 y eps_z.
Status WholeRegularizedForces::linearize(double t, VectorIn z, MatrixIn r_z) {
  const int nv = shape_.nv, tangent = shape_.layout().tangent_size();
  if (a_z_.size() == 0) {
    for (Matrix* m : {&T_, &WT_, &a_z_}) m->setZero(nv, tangent);
    for (Matrix* m : {&w_z_, &D_, &y_z_}) m->setZero(count_, tangent);
    rotation_.setZero(nv, nv);
    c_z_.setZero(count_, nv);
    rows_y_.setZero(count_, count_);
    for (Vector* v : {&s_, &column_}) v->setZero(count_);
    for (Vector* v : {&p_, &u_}) v->setZero(nv);
  }
  motion_jacobian(t, z, a_, y_, r_z);
  rows_jacobian(t, z);
  if (bounded()) solver_.solve_normal(scaled_y_, column_);
  for (int j = 0; j < tangent; ++j) {
    auto to = y_z_.col(j);
    to = E_scale_.cwiseProduct(D_.col(j));
    solver_.solve_normal(to, to);
    if (bounded()) to -= scaled_y_.dot(to) / scaled_y_.dot(column_) * column_;
    to.array() *= E_scale_.array();
  }
  a_z_ = -WT_;
  a_z_.noalias() -= WP_.lazyProduct(y_z_);
  return a_z_.allFinite() ? Status::ok : Status::not_finite;
}

Status WholeRegularizedForces::linearize_rows(double t, VectorIn z, VectorIn rate, VectorIn y, MatrixIn r_z) {
  if (const Status status = linearize(t, z, r_z); status != Status::ok) return status;
  if (how_.epsilon) {  // at the iterate itself
    acceleration(y, a_);
    motion_jacobian(t, z, a_, y, r_z);
    rows_jacobian(t, z);
    y_z_ = -D_;
    rows_y_ = A_;
    if (least_squares()) rows_y_.noalias() = A_.transpose().lazyProduct(A_);
    rows_y_.diagonal().array() += *how_.epsilon;
  } else {
    y_z_ *= -1;
    rows_y_.setIdentity();
  }
  motion_jacobian(t, z, rate, y, r_z);
  return y_z_.allFinite() && T_.allFinite() ? Status::ok : Status::not_finite;
}

}  // namespace driftless::formulations
