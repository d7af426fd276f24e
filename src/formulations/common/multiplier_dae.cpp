#include "multiplier_dae.hpp"

#include <algorithm>

#include <driftless/core/whole_matrices.hpp>

namespace driftless::formulations {

MultiplierDae::MultiplierDae(const Problem& problem, Storage matrices)
    : problem_(problem),
      shape_(problem.shape()),
      layout_(shape_.layout()),
      nz_(layout_.size()),
      ns_(shape_.multipliers()),
      matrices_(matrices),
      index_(static_cast<std::size_t>(nz_ + ns_), 0),
      kinematics_(problem),
      speeds_(Vector::Zero(shape_.nq)) {
  std::fill(index_.begin() + nz_, index_.end(), 1);
  if (matrices == Storage::whole) prepare_blocks();
}

void MultiplierDae::prepare_blocks() {
  check_whole_matrices(shape_);
  const int nv = shape_.nv, tangent = layout_.tangent_size();
  blocks_.top_rate.setZero(nv, nv);
  blocks_.top_z.setZero(nv, tangent);
  blocks_.top_s.setZero(nv, ns_);
  blocks_.rows_rate.setZero(ns_, nv);
  blocks_.rows_z.setZero(ns_, tangent);
  blocks_.rows_s.setZero(ns_, ns_);
  top_by_z_.setZero(nv, nz_);
  rows_by_z_.setZero(ns_, nz_);
}

void MultiplierDae::pack(const State& state, VectorOut y) const {
  y << state.z, state.lambda, state.kappa;
}

void MultiplierDae::unpack(double t, VectorIn y, State& state) const {
  state.t = t;
  state.z = y.head(nz_);
  state.lambda = y.segment(nz_, shape_.ng);
  state.kappa = y.tail(shape_.nk);
}

Status MultiplierDae::rates(const State& state, VectorOut yp) {
  ++work().rhs;
  const int nv = shape_.nv;
  yp.setZero();
  for (int j = 0; j + 1 < layout_.order; ++j)
    if (j == 0 && shape_.own_kinematics)
      problem_.coordinate_rates(state.t, state.q(), state.v(), yp.head(layout_.nq), workspace_);
    else
      yp.segment(layout_.offset(j), nv) = state.level(j + 1);
  return acceleration(state.t, state.z, yp.segment(nz_ - nv, nv));
}

Status MultiplierDae::residual(double t, VectorIn y, VectorIn yp, VectorOut r) {
  ++work().rhs;
  const int nv = shape_.nv, nq = layout_.nq;
  for (int j = 0; j + 1 < layout_.order; ++j) {
    const int at = layout_.offset(j), next = layout_.offset(j + 1);
    if (j == 0 && shape_.own_kinematics) {
      problem_.coordinate_rates(t, y.head(nq), y.segment(next, nv), speeds_, workspace_);
      r.head(nq) = yp.head(nq) - speeds_;
    } else {
      r.segment(at, nv) = yp.segment(at, nv) - y.segment(next, nv);
    }
  }
  return motion(t, y.head(nz_), yp.segment(nz_ - nv, nv), y.tail(ns_), r.segment(nz_ - nv, nv), r.tail(ns_));
}

Status MultiplierDae::linearize(double t, VectorIn y, VectorIn yp) {
  ++work().jacobians;
  const auto z = y.head(nz_);
  if (matrices_ == Storage::sparse)
    return sparse_jacobian(t, z, yp.segment(nz_ - shape_.nv, shape_.nv), y.tail(ns_));
  const Status status = motion_jacobian(t, z, yp.segment(nz_ - shape_.nv, shape_.nv), y.tail(ns_), blocks_);
  if (status != Status::ok) return status;
  kinematics_.by_coordinates(t, z, blocks_.top_z, top_by_z_);
  kinematics_.by_coordinates(t, z, blocks_.rows_z, rows_by_z_);
  if (shape_.own_kinematics)
    problem_.evaluate(Part::kinematics | Part::kinematics_jacobian, Point(t, z), kinematic_parts_);
  return Status::ok;
}

void MultiplierDae::assemble(MatrixOut F_y, MatrixOut F_yp) const {
  const int nv = shape_.nv, nq = layout_.nq, top = nz_ - nv;
  F_y.setZero();
  F_yp.setZero();
  F_yp.topLeftCorner(top, top).setIdentity();
  if (shape_.own_kinematics) {
    F_y.topLeftCorner(nq, nq) = -kinematic_parts_.Nv_q;
    F_y.block(0, nq, nq, nv) = -kinematic_parts_.N;
  } else {
    F_y.block(0, nq, top, top).diagonal().setConstant(-1);
  }
  F_yp.block(top, top, nv, nv) = blocks_.top_rate;
  F_y.block(top, 0, nv, nz_) = top_by_z_;
  F_y.block(top, nz_, nv, ns_) = blocks_.top_s;
  F_yp.block(nz_, top, ns_, nv) = blocks_.rows_rate;
  F_y.block(nz_, 0, ns_, nz_) = rows_by_z_;
  F_y.block(nz_, nz_, ns_, ns_) = blocks_.rows_s;
}

}  // namespace driftless::formulations
