// Explicit Runge-Kutta methods as data, and the one stepper that runs them all:
//   Y_i = y_0 + h sum_j a_ij k_j,  k_i = rhs(t_0 + c_i h, Y_i)
//   y_1 = y_0 + h sum b_i k_i,     error = h sum e_i k_i
// Between steps, with f_1 the right-hand side at the accepted (perhaps stabilized) y_1 and theta in [0, 1]:
//   y(theta) = cubic Hermite polynomial of (y_0, f_0, y_1, f_1)
//            + theta^2 (1 - theta)^2 (D_1 + theta (D_2 + (1 - theta) (D_3 + theta (D_4 + ..)))),
//   D_j = h sum_i d_ji k_i
// so that the interpolant is continuously differentiable across steps whatever a stabilizer did. Further
// stages that only the D_j need are evaluated when a value inside the step is first asked for.
#pragma once

#include <memory>
#include <vector>

#include <driftless/core/integrator.hpp>

namespace driftless::integrators {

// What the interpolant has beyond Hermite's cubic; empty: nothing. Its weights are for the stages, f_1 (which
// is the last stage where first_same_as_last), and the further stages.
struct DenseOutput {
  std::vector<std::vector<double>> a = {};  // rows of the further stages
  std::vector<double> c = {};               // their places
  std::vector<std::vector<double>> d = {};
};

struct Tableau {
  std::vector<std::vector<double>> a;  // rows of stages 2, 3, ..
  std::vector<double> b;
  std::vector<double> c;
  std::vector<double> e = {};  // b minus the weights of the embedded method; empty: no error estimate
  std::vector<double> e_second =
      {};               // the same for a second one of lower order, see error_size(); may be empty
  int error_order = 0;  // the estimate behaves like h^(error_order + 1)
  DenseOutput dense = {};
  bool first_same_as_last = false;  // the last stage is evaluated at y_1
  // How far the method is stable along the negative real axis; then the last stage before y_1 is at t_1, too. 0: not watched.
  double stable_to = 0;
};

// Throws std::logic_error where the table contradicts itself (row sums, sizes): a programming error.
std::unique_ptr<Integrator> runge_kutta(const Tableau& tableau);

}  // namespace driftless::integrators
