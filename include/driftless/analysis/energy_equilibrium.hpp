// Where a discretised motion on the unit circle settles, with Baumgarte's feedback and steepest-descent
// energy control: Yoon, Howe, Greenwood, Problem 1 (`004-circle`). A unit mass without forces, Phi = (X^2 +
// Y^2 - 1)/2, psi = (Vx^2 + Vy^2 - 1)/2,
//   V' = -lambda X - 2 mu_v psi V,   lambda = (V^2 - U)/(X^2 + Y^2),   U = -alpha Phi' - beta Phi
// integrated by a linear multistep method with step h ends in a uniform rotation with constant errors Phi,
// Phi', psi. All of it follows from c = Re w, the false damping of the method at the frequency of the motion
// (truncation.hpp):
//   leading order   Phi' = c,  Phi = -(alpha/beta) c,  psi = -c/mu_v: (62), (63) for Euler and (65) to (67)
//                   for order 2 and 3;  c = (-1)^j a_k h^k, k = 2j + 1 the first odd one with a_k not zero
//   (64)            Phi = -(alpha/beta) a_1 h (1 - 2 a_1 h/mu_v)/(1 + 2 a_1^2 h^2), where a_1 is not zero
//   exactly         X + i Y = Z = R e^(i k theta), Vx + i Vy = w Z,  mu_v psi = -Re w,
//                   R^2 = 1/(1 + 2 (alpha/beta) Re w), and theta solves R^2 |w|^2 = 1 - 2 Re w/mu_v
// Whether the equilibrium is stable is not asked.
#pragma once

#include <driftless/analysis/truncation.hpp>

namespace driftless::analysis {

struct CircleGains {
  double alpha = 0, beta = 0;  // of Phi' and Phi
  double mu_v = 0;             // of the energy control, above 0
};

struct CircleEquilibrium {
  double Phi = 0;
  double Phi_rate = 0;
  double psi = 0;
  double omega = 1;  // frequency of the rotation; 1 for the exact motion
};

// c to leading order in h. Throws InputError where a_1, a_3, .., up to order 9 all vanish.
double leading_damping(const MultistepMethod& method, double h);

CircleEquilibrium leading_equilibrium(const MultistepMethod& method, double h, const CircleGains& gains);
// The paper's predictions (62) to (67): as above, and (64) for Phi where a_1 is not zero.
CircleEquilibrium predicted_equilibrium(const MultistepMethod& method, double h, const CircleGains& gains);
// The equilibrium of the discrete equations themselves. Throws InputError where there is none near the exact
// motion.
CircleEquilibrium discrete_equilibrium(const MultistepMethod& method, double h, const CircleGains& gains);

}  // namespace driftless::analysis
