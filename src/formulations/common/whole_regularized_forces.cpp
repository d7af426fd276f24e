#include "whole_regularized_forces.hpp"

#include <algorithm>
#include <cmath>

namespace driftless::formulations {

WholeRegularizedForces::WholeRegularizedForces(const Problem& problem, const Regularization& how)
    : RegularizedForces(problem, how),
      mass_({shape_.nv, 0, shape_.mass, shape_.mass_blocks}),
      dense_mass_({shape_.nv, 0, linalg::MassStructure::dense, {}}),
      no_rows_(Matrix::Zero(0, shape_.nv)),
      none_(Vector::Zero(0)),
      solver_(how.kind, count_) {
  if (shape_.given_input) parts_asked_ = parts_asked_ | Part::input;
  const int nv = shape_.nv;
  C_.setZero(count_, nv);
  W_.setZero(nv, nv);
  for (Matrix* m : {&B_, &P_, &WP_}) m->setZero(nv, count_);
  for (Matrix* m : {&A_, &scaled_}) m->setZero(count_, count_);
}

void WholeRegularizedForces::divide_by_mass(VectorOut column) const {
  if (dense_)
    dense_mass_.solve(column, none_, column, none_);
  else if (shape_.mass != linalg::MassStructure::identity)
    mass_.solve(column, none_, column, none_);
}

void WholeRegularizedForces::augment() {
  W_.noalias() += how_.rho * C_.transpose().lazyProduct(C_);
  F_.noalias() -= how_.rho * C_.transpose().lazyProduct(offset_);
  augmented_ = true;
}

Status WholeRegularizedForces::factor_mass() {
  W_ = parts_.M;
  F_ = parts_.f;
  P_ = B_;
  augmented_ = false;
  dense_ = how_.mass == MassTreatment::augmented || how_.mass == MassTreatment::paper;
  if (how_.mass == MassTreatment::paper) {
    W_.noalias() = parts_.M.lazyProduct(parts_.M);
    W_.diagonal().array() += how_.rho;
    F_.noalias() = parts_.M.lazyProduct(parts_.f);
    P_.noalias() = parts_.M.lazyProduct(B_);
  } else if (how_.mass == MassTreatment::augmented) {
    augment();
  } else {
    if (shape_.mass == linalg::MassStructure::identity) return Status::ok;
    const auto factored = mass_.factor(W_, no_rows_);
    const bool definite = factored == linalg::FactorStatus::ok && !mass_.used_whole_matrix();
    if (definite || how_.mass == MassTreatment::given) return status_of(factored);
    if (factored == linalg::FactorStatus::not_finite) return Status::not_finite;
    dense_ = true;
    augment();
  }
  return status_of(dense_mass_.factor(W_, no_rows_));
}

Status WholeRegularizedForces::evaluate(double t, VectorIn z, VectorIn r) {
  const int ng = shape_.ng, nk = shape_.nk;
  problem_.evaluate(parts_asked_, Point(t, z), parts_);
  C_.topRows(ng) = parts_.G;
  if (shape_.given_input)
    B_.leftCols(ng) = parts_.B;
  else
    B_.leftCols(ng) = parts_.G.transpose();
  if (nk > 0) {
    C_.bottomRows(nk) = parts_.K;
    B_.rightCols(nk) = parts_.K.transpose();
  }
  offset_ = -r;
  if (how_.curvature) {
    offset_.head(ng) += parts_.c;
    if (nk > 0) offset_.tail(nk) += parts_.ck;
  }
  if (!parts_.M.allFinite() || !parts_.f.allFinite()) return Status::not_finite;
  if (const Status status = factor_mass(); status != Status::ok) return status;
  free_ = F_;
  divide_by_mass(free_);
  WP_ = P_;
  for (int j = 0; j < count_; ++j) divide_by_mass(WP_.col(j));
  A_.noalias() = C_.lazyProduct(WP_);
  R_ = offset_;
  R_.noalias() += C_.lazyProduct(free_);
  return A_.allFinite() && R_.allFinite() ? Status::ok : Status::not_finite;
}

Status WholeRegularizedForces::factor(double floor) {
  scaled_.noalias() = D_scale_.asDiagonal() * A_;
  scaled_ = scaled_ * E_scale_.asDiagonal();
  if (!least_squares()) {
    const double size = scaled_.cwiseAbs().maxCoeff();
    if ((scaled_ - scaled_.transpose()).cwiseAbs().maxCoeff() > 1e-8 * size) return Status::singular_step;
  }
  const bool factored = how_.epsilon ? solver_.factor(scaled_, *how_.epsilon)
                                     : solver_.factor_within(scaled_, scaled_R_, floor, radius_);
  return factored ? Status::ok : Status::singular_step;
}

void WholeRegularizedForces::acceleration(VectorIn y, VectorOut a) {
  a = free_;
  a.noalias() -= WP_.lazyProduct(y);
}

void WholeRegularizedForces::plain_rows(VectorIn y, VectorOut out) {
  w_ = R_;
  w_.noalias() -= A_.lazyProduct(y);
  out = *how_.epsilon * y;
  if (least_squares())
    out.noalias() -= A_.transpose().lazyProduct(w_);
  else
    out -= w_;
}

void WholeRegularizedForces::top(VectorIn rate, VectorIn y, VectorOut out) {
  out = -F_;
  out.noalias() += W_.lazyProduct(rate);
  out.noalias() += P_.lazyProduct(y);
}

void WholeRegularizedForces::note_rows() {
  if (!shape_.given_input || !least_squares()) {
    for (int i = 0; i < count_; ++i) {
      shrink(D_scale_[i], std::sqrt(std::max(A_(i, i), 0.0)));
      E_scale_[i] = D_scale_[i];
    }
    return;
  }
  for (int i = 0; i < count_; ++i) shrink(D_scale_[i], A_.row(i).cwiseAbs().maxCoeff());
  for (int j = 0; j < count_; ++j)
    shrink(E_scale_[j], A_.col(j).cwiseProduct(D_scale_).cwiseAbs().maxCoeff());
}

double WholeRegularizedForces::load() const {
  if (!shape_.given_input) return RegularizedForces::load();
  return D_scale_.cwiseProduct(C_.rowwise().norm()).norm() * free_.norm() +
         D_scale_.cwiseProduct(offset_).norm();
}

}  // namespace driftless::formulations
