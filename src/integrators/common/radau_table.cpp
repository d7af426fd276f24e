#include "radau_table.hpp"

#include <cmath>
#include <complex>

#include <Eigen/LU>

namespace driftless::integrators {

namespace {

// l_j'(s) for the nodes 0, c_1, c_2, c_3; j counts from the first c.
double lagrange_slope(const Eigen::Vector3d& c, int j, double s) {
  const Eigen::Vector4d nodes(0, c[0], c[1], c[2]);
  double sum = 0;
  for (int m = 0; m < 4; ++m) {
    if (m == j + 1) continue;
    double product = 1 / (c[j] - nodes[m]);
    for (int k = 0; k < 4; ++k)
      if (k != m && k != j + 1) product *= (s - nodes[k]) / (c[j] - nodes[k]);
    sum += product;
  }
  return sum;
}

// The eigenvector of A for the eigenvalue mu, with last entry 1.
template <class Scalar>
Eigen::Matrix<Scalar, 3, 1> eigenvector(const Eigen::Matrix3d& A, Scalar mu) {
  const Scalar a = A(0, 0) - mu, d = A(1, 1) - mu, b = A(0, 1), c = A(1, 0);
  const Scalar determinant = a * d - b * c;
  return {(-A(0, 2) * d + A(1, 2) * b) / determinant, (-A(1, 2) * a + A(0, 2) * c) / determinant, Scalar(1)};
}

RadauTable compute() {
  RadauTable table;
  const double root6 = std::sqrt(6.0), root9 = std::cbrt(9.0), root81 = std::cbrt(81.0);
  table.c = {(4 - root6) / 10, (4 + root6) / 10, 1};
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) table.A_inverse(i, j) = lagrange_slope(table.c, j, table.c[i]);
    table.slope[j] = lagrange_slope(table.c, j, 0);
  }
  table.A = table.A_inverse.inverse();
  // The eigenvalues of A are zeros of x^3 - 3/5 x^2 + 3/20 x - 1/60.
  table.gamma = 30 / (6 + root81 - root9);
  const std::complex<double> inverse((12 - root81 + root9) / 60, -(root81 + root9) * std::sqrt(3.0) / 60);
  const std::complex<double> pair = 1.0 / inverse;
  table.alpha = pair.real();
  table.beta = pair.imag();
  table.T.col(0) = eigenvector(table.A_inverse, table.gamma);
  const Eigen::Vector3cd complex_vector = eigenvector(table.A_inverse, pair);
  table.T.col(1) = complex_vector.real();
  table.T.col(2) = -complex_vector.imag();
  table.T_inverse = table.T.inverse();
  return table;
}

}  // namespace

Eigen::Vector3d RadauTable::weights(double s) const {
  Eigen::Vector3d l;
  for (int j = 0; j < 3; ++j) {
    l[j] = s / c[j];
    for (int k = 0; k < 3; ++k)
      if (k != j) l[j] *= (s - c[k]) / (c[j] - c[k]);
  }
  return l;
}

const RadauTable& radau_table() {
  static const RadauTable table = compute();
  return table;
}

}  // namespace driftless::integrators
