#include "interior_projection.hpp"

#include <limits>

namespace driftless {

namespace {

constexpr int most_iterations = 10;
constexpr double met = 1e-10;  // a move, by the state: the next one is roundoff

// Not index 3: its velocities are off the constraints at the ends of steps, too, and between two such ends a move of positions is a force in stiff springs.
bool imposes(const Problem& problem, System& system) {
  const Shape& s = problem.shape();
  return s.order == 2 && s.multipliers() > 0 && system.mechanical() &&
         system.mechanical()->imposed() != Imposed::positions;
}

}  // namespace

InteriorProjection::InteriorProjection(const Problem& problem, System& system)
    : problem_(problem), imposes_(imposes(problem, system)) {}

void InteriorProjection::apply(State& state) {
  if (!imposes_) return;
  if (!manifold_) {
    manifold_.emplace(problem_, Invariants{}, storage_of(problem_.shape()));
    map_.start(*manifold_, NormalKind::block);
    right_.setZero(manifold_->rows());
    delta_.setZero(problem_.shape().layout().tangent_size());
  }
  before_ = state.z;
  if (!converges(state)) state.z = before_;
}

bool InteriorProjection::converges(State& state) {
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most_iterations; ++i) {
    if (manifold_->linearize(state.t, state.z) != Status::ok ||
        map_.factor(*manifold_, state.t, state.z) != Status::ok)
      return false;
    right_ = -manifold_->h();
    map_.apply(*manifold_, right_, delta_);
    const double size = delta_.norm();
    if (!(size < last)) return last <= met * state.z.norm();
    manifold_->displace(state.t, delta_, state.z);
    last = size;
    if (last <= met * state.z.norm()) return true;
  }
  return false;
}

}  // namespace driftless
