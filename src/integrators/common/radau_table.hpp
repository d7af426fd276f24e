// The three-stage Radau IIA method as numbers (Hairer, Wanner II, IV.5 and IV.8), all from formulas:
//   c           (4 - sqrt 6)/10, (4 + sqrt 6)/10, 1: zeros of d^2/dx^2 (x^2 (x - 1)^3)
//   u           the collocation polynomial, u(t_0 + s h) = y_0 + sum l_i(s) Z_i with the Lagrange polynomials l_i of the nodes 0, c_1, c_2, c_3
//   A^-1        h u'(t_0 + c_i h) = sum (A^-1)_ij Z_j, that is l_j'(c_i)
//   slope       h u'(t_0) = sum slope_i Z_i, that is l_i'(0)
//   T           A^-1 T = T [gamma 0 0; 0 alpha -beta; 0 beta alpha], scaled so that Z_3 = W_1 + W_2 for Z = T W
#pragma once

#include <Eigen/Core>

namespace driftless::integrators {

struct RadauTable {
  Eigen::Vector3d c;
  Eigen::Matrix3d A, A_inverse, T, T_inverse;
  double gamma = 0, alpha = 0, beta = 0;  // eigenvalues gamma, alpha +- i beta of A^-1
  Eigen::Vector3d slope;

  Eigen::Vector3d weights(double s) const;  // l_i(s)
};

const RadauTable& radau_table();

}  // namespace driftless::integrators
