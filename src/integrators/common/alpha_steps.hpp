// The stepper of the generalized-alpha method (equations and sources: ../generalized_alpha.cpp).
//
// a_n is the acceleration of the equations of motion, alpha_n the method's own. In smooth motion
//   alpha_n = a(t_n + Delta h) + O(h^2),    Delta = alpha_m - alpha_f
// and with g = 0 alone imposed velocities are off the constraints by what makes the next positions satisfy g = 0:
//   G v_n + g_t = -g(q_n (+) (h v^ + h^2 (1/2 - beta) alpha_n + h^2 beta (alpha_n + h a')), t_n + h)/h + O(h^3),   v^ on the constraints
// which is of the size h^2. A start that has anything else excites an error of order h in the multipliers, which decays like rho^n, or
// not at all for rho = 1. So both are set at the start, where the step changes, and where a stabilizer has moved the state.
//
// Errors of steps. With alpha_n as above Taylor's series of the formulas leave C_q h^3 a' in positions and C_v h^3 a'' in velocities. They add up along
// a run of length T: T/h steps make T C h^2 of them, C the size of C_q a' and C_v a'' (and the problem's own growth). Compared with tol, as
// errors of steps usually are, they give h = (tol/C)^(1/3) and an error of T C^(1/3) tol^(2/3): ever more tolerances, the smaller these are. Compared
// with 10 tol^(3/2), i.e. multiplied by 0.1 tol^(-1/2), they give h = (10/C)^(1/3) tol^(1/2) and an error of T C^(1/3) 10^(2/3) tol: proportional to the tolerance.
// The factor 10 is chosen: less than half of the steps that 1 would take, for errors of some ten tolerances where others make one. What Newton's
// method leaves is at most a tenth of what a step may do.
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
