#include "correction.hpp"

#include <algorithm>
#include <cmath>

#include <driftless/core/invariants_option.hpp>

namespace driftless::stabilizers {

std::optional<std::string> CorrectingStabilizer::refuses(const Shape& shape) const {
  if (!names_.empty() && F_ != NormalKind::full)
    return "invariants join the constraints with F=full only; use F=full, or leave invariants out";
  return normal_kind_refuses(F_, shape);
}

Invariants CorrectingStabilizer::invariants(const Problem& problem) const {
  return choose_invariants(problem, names_);
}

void CorrectingStabilizer::start(const Manifold& manifold) {
  map_.start(manifold, F_);
  delta_.setZero(manifold.shape().layout().tangent_size());
  error_delta_.setZero(delta_.size());
  move_.setZero(manifold.shape().layout().size());
}

const Vector* CorrectingStabilizer::normalize_only(const Manifold& manifold, State& state) {
  if (!manifold.shape().own_kinematics) return nullptr;
  move_ = -state.z;
  manifold.problem().normalize(state.z.head(state.layout.nq));
  move_ += state.z;
  return &move_;
}

Status CorrectingStabilizer::correct(Manifold& manifold, State& state, double alpha) {
  manifold.problem().normalize(state.z.head(state.layout.nq));
  violation_ = 0;
  if (const Status status = manifold.linearize(state.t, state.z); status != Status::ok) return status;
  if (const Status status = map_.factor(manifold); status != Status::ok) return status;
  violation_ = manifold.h().cwiseAbs().maxCoeff();
  map_.apply(manifold, manifold.h(), delta_);
  delta_ *= -alpha;
  if (!delta_.allFinite()) return Status::not_finite;
  manifold.displace(state.t, delta_, state.z);
  return Status::ok;
}

void CorrectingStabilizer::remove_normal_part(Manifold& manifold, const State& state, VectorOut error) {
  manifold.to_displacement(state.t, state.z, error, error_delta_);
  map_.remove_normal_part(manifold, error_delta_);
  manifold.from_displacement(error_delta_, error);
}

double CorrectingStabilizer::size_of_last(const State& state) const {
  const int nv = state.layout.nv;
  double largest = 0;
  for (int j = 0; j < state.layout.order; ++j) {
    const double scale = 1 + state.level(j).cwiseAbs().maxCoeff();
    largest = std::max(largest, delta_.segment(j * nv, nv).cwiseAbs().maxCoeff() / scale);
  }
  return largest;
}

}  // namespace driftless::stabilizers
