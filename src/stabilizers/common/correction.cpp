#include "correction.hpp"

#include <algorithm>
#include <cmath>

namespace driftless::stabilizers {

void CorrectingStabilizer::start(const Problem& problem) {
  map_.start(problem, F_);
  delta_.setZero(problem.shape().layout().tangent_size());
  error_delta_.setZero(delta_.size());
  move_.setZero(problem.shape().layout().size());
}

Status CorrectingStabilizer::correct(Manifold& manifold, State& state, double alpha) {
  manifold.problem().normalize(state.z.head(state.layout.nq));
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
