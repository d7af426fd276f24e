// The ODE behind `index1` and `baumgarte`: y = z = (x, x', .., x^(m-1)),
//   x_0' = N x_1,  x_j' = x_{j+1},  x_{m-1}' = a
//   M a + B lambda + K^T kappa = f,   G a + c = r_g,   K a + ck = r_k
//   r_g = - sum_j gains[j] g^(j),     r_k = - velocity_gain w              (no gains: r = 0)
// Automatic gains (constraint_feedback.hpp) are large, so that r is no longer small beside the forces of the mechanism; the
// multipliers that are reported then are those without r.
#pragma once

#include <memory>

#include <driftless/core/system.hpp>

#include "acceleration_law.hpp"
#include "constraint_feedback.hpp"

namespace driftless::formulations {

// Without a law the acceleration is that of the problem.
std::unique_ptr<System> acceleration_system(const Problem& problem, const Feedback& feedback,
                                            std::unique_ptr<AccelerationLaw> law = nullptr);

}  // namespace driftless::formulations
