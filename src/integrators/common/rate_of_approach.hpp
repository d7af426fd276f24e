// What two neighbouring points a, b do along the line between them, from the rates there (after Hairer, Wanner II, (IV.2.7), who take
// |f(a) - f(b)| / |a - b|): they approach each other at the rate  r = -(a - b).(f(a) - f(b)) / |a - b|^2.  Positions and velocities differ by the unit of
// time, in which the quotient of both means nothing, so that it is taken of each: r_q, r_v.
// Where something settles at a rate lambda, both are near lambda, as both differences are those of one mode e^(-lambda t). Where something vibrates,
// velocities approach each other while positions part, and the other way round: r_q r_v = -omega^2 along one direction without damping.
// Zeros also where points are too near to tell.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <driftless/core/integrator.hpp>
#include <driftless/core/state.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless::integrators {

// Where velocities begin among so many unknowns: those of a state, or coordinates of their own; 0: there is one level.
inline Eigen::Index first_of_velocities(const State& state, Eigen::Index unknowns) {
  if (state.layout.order != 2) return 0;
  return unknowns >= state.z.size() ? state.layout.offset(1) : unknowns / 2;
}

struct Approach {
  double rate = 0;       // lambda; 0: nothing settles
  double frequency = 0;  // omega; 0: nothing vibrates

  // Of a method that is stable so far along the negative real axis, and to about 1 along the imaginary one.
  StabilityUse use(double h, double stable_to) const {
    return frequency > 0 ? StabilityUse{-frequency, h * frequency} : StabilityUse{rate, h * rate / stable_to};
  }
};

template <class A, class B>
Approach approach(const A& rates, const B& points, VectorIn there, Eigen::Index velocities) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  constexpr double alike = 0.3;  // of the rate of velocities
  const auto rate_of = [&](Eigen::Index first, Eigen::Index count, double noise) {
    const auto distance = points.segment(first, count);
    const double square = distance.squaredNorm();
    if (!(square > noise * noise * there.segment(first, count).squaredNorm())) return 0.0;
    return -distance.dot(rates.segment(first, count)) / square;
  };
  const double last = rate_of(velocities, there.size() - velocities, 1000 * epsilon);
  if (velocities == 0) return {.rate = std::max(0.0, last)};
  const double positions = last == 0 ? 0 : rate_of(0, velocities, 16 * epsilon);
  if (last > 0 && positions > alike * last) return {.rate = last};
  return {.frequency = std::sqrt(std::max(0.0, -last * positions))};
}

}  // namespace driftless::integrators
