// The stepper of the generalized-alpha method (equations and sources: ../generalized_alpha.cpp).
//
// a_n is the acceleration of the equations of motion, alpha_n the method's own. In smooth motion
//   alpha_n = a(t_n + Delta h) + O(h^2),    Delta = alpha_m - alpha_f
// and with g = 0 alone imposed velocities are off the constraints by what makes the next positions satisfy g = 0:
//   G v_n + g_t = -g(q_n (+) (h v^ + h^2 (1/2 - beta) alpha_n + h^2 beta (alpha_n + h a')), t_n + h)/h + O(h^3),   v^ on the constraints
// which is of the size h^2. A start that has anything else excites an error of order h in the multipliers, which decays like rho^n, or
// not at all for rho = 1. So both are set at the start, where the step changes, and where a stabilizer has moved the state.
#pragma once

#include <memory>

#include <driftless/core/integrator.hpp>

#include "newton.hpp"

namespace driftless::integrators {

struct AlphaCoefficients {
  explicit AlphaCoefficients(double rho);
  double alpha_m, alpha_f, gamma, beta, delta;
  double b1, b2;    // dv/da = h b1,  dq/da = h^2 b2 at the end of a step
  double C_q, C_v;  // local errors: C_q h^3 a',  C_v h^3 a''
};

struct AlphaSettings {
  double rho = 0.8;
  NewtonSettings newton = {};
  bool tolerance_given = false;  // of Newton's method, for fixed steps
};

std::unique_ptr<Integrator> alpha_steps(const AlphaSettings& settings);

}  // namespace driftless::integrators
