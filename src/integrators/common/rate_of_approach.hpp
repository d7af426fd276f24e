// How fast two neighbouring points a, b approach each other along the line between them, from the rates there: -(a - b).(f(a) - f(b)) / |a - b|^2 (after
// Hairer, Wanner II, (IV.2.7), who take |f(a) - f(b)| / |a - b|). Of velocities alone where there are any: positions and velocities differ by the unit of
// time, in which the quotient of both means nothing. Near |lambda| where something settles; of oscillations it goes up and down around 0. 0 also
// where the points are too near to tell.
#pragma once

#include <algorithm>
#include <limits>

#include <driftless/core/state.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless::integrators {

// Where velocities begin among so many unknowns: those of a state, or coordinates of their own; 0: there is one level.
inline Eigen::Index first_of_velocities(const State& state, Eigen::Index unknowns) {
  if (state.layout.order != 2) return 0;
  return unknowns >= state.z.size() ? state.layout.offset(1) : unknowns / 2;
}

template <class A, class B>
double rate_of_approach(const A& rates, const B& points, VectorIn there, Eigen::Index velocities) {
  constexpr double noise = 1000 * std::numeric_limits<double>::epsilon();
  const Eigen::Index count = there.size() - velocities;
  const auto distance = points.tail(count);
  const double square = distance.squaredNorm();
  if (!(square > noise * noise * there.tail(count).squaredNorm())) return 0;
  return std::max(0.0, -distance.dot(rates.tail(count)) / square);
}

}  // namespace driftless::integrators
