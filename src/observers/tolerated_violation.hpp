// What tolerances mean for constraints at a state. Private to the room.
//   of_position, of_velocity   what errors of the size of the tolerances make of a row: sums of |entries| times these errors
//   consequence                what it makes of a motion that positions are off by delta, G delta = -g, in the norm that judges steps (root
//                              mean square by the tolerances). Where constraints turn, at the rate omega = |L_i| / |G_i| (order 1: |dG_i/dt| / |G_i|), a
//                              displacement across them becomes one along them, (1 + omega T) delta after the time T, and one of velocities,
//                              omega (1 + omega T) delta: a rod that is too long by delta makes a pendulum late
#pragma once

#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/core/state.hpp>
#include <driftless/core/step_controller.hpp>

namespace driftless::observers {

class ToleratedViolation {
 public:
  // `before`: a step earlier.
  ToleratedViolation(const Problem& problem, const Tolerance& tolerance, const State& before,
                     const State& state);

  double of_position(int row) const;
  // Of g' (order m: g^(m-1)), then of w.
  double of_velocity(int row) const;
  // 0 for orders above 2, for matrices without zeros and above a few hundred velocities.
  double consequence(const Vector& g, double duration) const;

 private:
  double along(int row, const Vector& errors) const;
  double turning(int row, const Vector& errors) const;

  const Shape& shape_;
  Evaluation parts_;
  Matrix rate_of_G_;            // dG/dt along the step, of order 1
  std::vector<Vector> levels_;  // what errors of displacements, of velocities, .. may be
};

// How much of g no displacement to first order can meet: 0 where all of it is drift off constraints that can be
// met, 1 where redundant rows do not meet each other.
double unmeetable_part(const Problem& problem, const State& state, const Vector& g);

}  // namespace driftless::observers
