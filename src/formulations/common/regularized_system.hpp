// The systems behind `trust-region` and `direct-regularization` (regularized_forces.hpp):
//   ode   x_0' = N x_1, .., x_{m-1}' = a(t, z), multipliers eliminated; for explicit methods and the midpoint rule
//   dae   multipliers y are unknowns of index 1, as in the paper:
//         W x_{m-1}' = F - P y,    (A^T A + eps I) y = A^T R  or  (A + eps I) y = R
#pragma once

#include <memory>

#include <driftless/core/system.hpp>

#include "constraint_feedback.hpp"
#include "regularized_forces.hpp"

namespace driftless::formulations {

std::unique_ptr<System> regularized_ode(const Problem& problem, const Regularization& how,
                                        const Feedback& feedback);
std::unique_ptr<System> regularized_dae(const Problem& problem, const Regularization& how,
                                        const Feedback& feedback);

}  // namespace driftless::formulations
