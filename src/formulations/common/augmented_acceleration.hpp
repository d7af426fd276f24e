// The acceleration of `augmented-lagrangian`: PenaltyIteration on M, G, K of a problem, with penalties in units of RowScales, and what is
// to be said about its convergence.
#pragma once

#include <memory>

#include "acceleration_law.hpp"

namespace driftless::formulations {

struct AugmentedOptions {
  double penalty = 0;  // of every row; 0: relative_penalty/s_i
  int iterations = 50;
  double tolerance = 1e-12;
  int sweeps =
      0;  // above 0: as many iterations from the multipliers of the step's start, instead of all from 0

  // Each iteration leaves 1/(1 + s) of the violations, s the eigenvalues of W C M^-1 C^T, and s eps of its own roundoff. Both are about 1e-8 at
  // s = 1e8; constraints that nearly depend on each other have smaller ones than their rows say, never larger ones than their number
  // times that.
  static constexpr double relative_penalty = 1e7;
  // Directions in which C M^-1 C^T is less than that part of its scale count as lost: there the multipliers are left as the iterations have
  // made them, which bounds them. Slower convergence elsewhere is a failure: the penalty was chosen too small.
  static constexpr double singular_below = 1e-3;
};

std::unique_ptr<AccelerationLaw> augmented_acceleration(const Problem& problem,
                                                        const AugmentedOptions& options);

}  // namespace driftless::formulations
