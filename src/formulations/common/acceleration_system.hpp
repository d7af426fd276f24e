// The ODE behind `index1` and `baumgarte`: y = z = (x, x', .., x^(m-1)),
//   x_0' = N x_1,  x_j' = x_{j+1},  x_{m-1}' = a
//   M a + B lambda + K^T kappa = f,   G a + c = r_g,   K a + ck = r_k
//   r_g = - sum_j gains[j] g^(j),     r_k = - velocity_gain w              (no gains: r = 0)
// Automatic gains follow the integrator and the step (core/feedback_gains.hpp): r of the place for multistep methods,
// r of the step's start, held, for methods with stages. They are large, so that r is no longer small beside the forces
// of the mechanism; the multipliers that are reported then are those without r.
#pragma once

#include <vector>

#include <driftless/core/system.hpp>

namespace driftless::formulations {

struct Feedback {
  std::vector<double> gains;  // of g, g', .., g^(m-1); empty: no feedback
  double velocity_gain = 0;   // of w
  bool automatic = false;     // chosen for each step; the above are not used
  bool active() const { return automatic || !gains.empty(); }
};

std::unique_ptr<System> acceleration_system(const Problem& problem, const Feedback& feedback);

}  // namespace driftless::formulations
