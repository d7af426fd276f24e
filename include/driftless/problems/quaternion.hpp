// Rotations by quaternions p = (p0, p1, p2, p3), scalar first, for models with bodies in space:
//   R(p) takes body axes to world axes,   p' = p o (0, w)/2 with the rates w about the body axes
// R is written without using |p| = 1, so that R' = R w~ holds for every p, and derivatives by p along p' are
// exact wherever they are taken.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <type_traits>
#include <utility>

namespace driftless::problems::quaternion {

template <class P>
using Scalar = std::remove_cvref_t<decltype(std::declval<P>()[0])>;

// The columns of R: where the body's x, y and z axis point.
template <class P>
std::array<Scalar<P>, 3> x_axis(P p) {
  return {p[0] * p[0] + p[1] * p[1] - p[2] * p[2] - p[3] * p[3], 2.0 * (p[1] * p[2] + p[0] * p[3]),
          2.0 * (p[1] * p[3] - p[0] * p[2])};
}
template <class P>
std::array<Scalar<P>, 3> y_axis(P p) {
  return {2.0 * (p[1] * p[2] - p[0] * p[3]), p[0] * p[0] - p[1] * p[1] + p[2] * p[2] - p[3] * p[3],
          2.0 * (p[2] * p[3] + p[0] * p[1])};
}
template <class P>
std::array<Scalar<P>, 3> z_axis(P p) {
  return {2.0 * (p[1] * p[3] + p[0] * p[2]), 2.0 * (p[2] * p[3] - p[0] * p[1]),
          p[0] * p[0] - p[1] * p[1] - p[2] * p[2] + p[3] * p[3]};
}

// p' for the body rates w.
void rates(auto p, auto w, auto out) {
  out[0] = (-p[1] * w[0] - p[2] * w[1] - p[3] * w[2]) / 2.0;
  out[1] = (p[0] * w[0] - p[3] * w[1] + p[2] * w[2]) / 2.0;
  out[2] = (p[3] * w[0] + p[0] * w[1] - p[1] * w[2]) / 2.0;
  out[3] = (-p[2] * w[0] + p[1] * w[1] + p[0] * w[2]) / 2.0;
}

inline void normalize(std::span<double> p) {
  const double norm = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  for (double& entry : p) entry /= norm;
}

// The torque -w x (J w) of Euler's equations, J = diag(J1, J2, J3) about body axes.
void gyroscopic(double J1, double J2, double J3, auto w, auto torque) {
  torque[0] = (J2 - J3) * w[1] * w[2];
  torque[1] = (J3 - J1) * w[2] * w[0];
  torque[2] = (J1 - J2) * w[0] * w[1];
}

}  // namespace driftless::problems::quaternion
