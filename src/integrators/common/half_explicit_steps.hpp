// Half-explicit Runge-Kutta methods as data, and the stepper that runs them: explicit in z, implicit in the multipliers only. With
// z = (x_0, .., x_{m-1}), u = x_{m-1} the top level and r = (g^(m-1), w) what index 2 imposes,
//   Z_i = z_0 + h sum_{j<i} a_ij k_j,    k_i = (N x_1, x_2, .., a_i)  at Z_i
//   M(Z_i) a_i + B(Z_i) lambda_i + K(Z_i)^T kappa_i = f(Z_i)
//   r(Z_{i+1}) = 0       determines lambda_i and kappa_i; the last Z is z_1, with the weights b
// r is linear in u for m >= 2, so that a stage is one solution of a saddle-point system with M, B of its own point and G, K of the next
// one; for m = 1 it is Newton's method. The first stage may be explicit: its multipliers are those that belong to z_0 by g^(m) = 0, w' = 0,
// and Z_2 is free.
//   error = h sum e_i k_i over (f_0, k_1, .., k_s, f_1), f_0 and f_1 the rates of the motion through z_0 and z_1; of its top level only
// what the constraints allow: across them z_1 has no error, and an embedded method may have one of lower order.
// Between steps: Hermite's cubic of (z_0, f_0, z_1, f_1), and with `quartic` theta^2 (1 - theta)^2 D beside it, D from the rate of the motion
// through the cubic at theta = (3 - sqrt 3)/6, evaluated when a value inside the step is first asked for.
#pragma once

#include <memory>
#include <vector>

#include <driftless/core/integrator.hpp>

namespace driftless::integrators {

struct HalfExplicitTable {
  std::vector<std::vector<double>> a;  // rows of stages 2, 3, ..
  std::vector<double> b;
  std::vector<double> c;
  std::vector<double> e;  // of f_0, k_1, .., k_s, f_1
  int order = 0;
  int error_order = 0;          // the estimate behaves like h^(error_order + 1)
  bool explicit_first = false;  // then k_1 = f_0
  bool quartic = false;
  double stable_to = 0;  // along the negative real axis; then the last stage is at t_1, too. 0: not watched
};

std::unique_ptr<Integrator> half_explicit_steps(const HalfExplicitTable& table);

}  // namespace driftless::integrators
