// The ODE behind `index1` and `baumgarte`: y = z = (x, x', .., x^(m-1)),
//   x_0' = N x_1,  x_j' = x_{j+1},  x_{m-1}' = a
//   M a + B lambda + K^T kappa = f,   G a + c = r_g,   K a + ck = r_k
//   r_g = - sum_j gains[j] g^(j),     r_k = - velocity_gain w              (no gains: r = 0)
#pragma once

#include <vector>

#include <driftless/core/system.hpp>

namespace driftless::formulations {

struct Feedback {
  std::vector<double> gains;  // of g, g', .., g^(m-1); empty: no feedback
  double velocity_gain = 0;   // of w
  bool active() const { return !gains.empty(); }
};

std::unique_ptr<System> acceleration_system(const Problem& problem, const Feedback& feedback);

}  // namespace driftless::formulations
