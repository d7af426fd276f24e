// Explicit Runge-Kutta methods as data, and the one stepper that runs them all:
//   Y_i = y_0 + h sum_j a_ij k_j,  k_i = rhs(t_0 + c_i h, Y_i)
//   y_1 = y_0 + h sum b_i k_i,     error = h sum e_i k_i
// Between steps, with f_1 the right-hand side at the accepted (perhaps stabilized) y_1 and theta in [0, 1]:
//   y(theta) = cubic Hermite polynomial of (y_0, f_0, y_1, f_1) + theta^2 (1 - theta)^2 h sum d_i k_i
// so that the interpolant is continuously differentiable across steps whatever a stabilizer did.
#pragma once

#include <memory>
#include <vector>

#include <driftless/core/integrator.hpp>

namespace driftless::integrators {

struct Tableau {
  std::vector<std::vector<double>> a;  // rows of stages 2, 3, ..
  std::vector<double> b;
  std::vector<double> c;
  std::vector<double> e = {};       // b minus the weights of the embedded method; empty: no error estimate
  int error_order = 0;              // order of the embedded method
  std::vector<double> d = {};       // dense output beyond Hermite; empty: none
  bool first_same_as_last = false;  // the last stage is evaluated at y_1
};

// Throws std::logic_error where the table contradicts itself (row sums, sizes): a programming error.
std::unique_ptr<Integrator> runge_kutta(const Tableau& tableau);

}  // namespace driftless::integrators
