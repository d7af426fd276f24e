// How a linear multistep method errs on smooth functions, as a modified derivative (Yoon, Howe, Greenwood,
// (32)).
//   sum_j rho_j X_{n-j} = h sum_j sigma_j F_{n-j},   X' = F,   j = 0 the newest value (sigma_0 = 0: explicit)
// integrates for smooth F exactly
//   A(h d/dt) F = F + a_1 h F' + a_2 h^2 F'' + ..,     A(u) = u sigma(e^-u)/rho(e^-u) = sum a_k u^k,  a_0 = 1
// For Adams' methods rho = 1 - e^-u and A(u) = u B(e^u)/(e^u - 1) with B(z) = sum_j sigma_j z^(1-j). The
// method has order p when a_1 = .. = a_{p-1} = 0. The series is asymptotic: it describes smooth solutions,
// not parasitic roots.
#pragma once

#include <complex>
#include <vector>

namespace driftless::analysis {

struct MultistepMethod {
  std::vector<double> rho = {1, -1};
  std::vector<double> sigma = {0, 1};
};

MultistepMethod forward_euler();
MultistepMethod adams_bashforth(int steps);  // 1 (forward Euler) and up
// From B(z) = b_0 + b_1/z + b_2/z^2 + ..:  X_{k+1} = X_k + h (b_0 F_k + b_1 F_{k-1} + ..).
MultistepMethod adams_method(const std::vector<double>& b);

// a_0, .., a_last. Throws InputError for a method that is not consistent (rho(1) = 0 and rho'(1) = sigma(1)
// fail).
std::vector<double> truncation_coefficients(const MultistepMethod& method, int last);

// w(theta) = rho/(h sigma) at e^(i theta): what the method takes for d/dt of e^(i theta t/h), exactly.
std::complex<double> discrete_rate(const MultistepMethod& method, double h, double theta);

}  // namespace driftless::analysis
