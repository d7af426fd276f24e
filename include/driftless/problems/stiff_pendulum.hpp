// Pendulum on a stiff spring: a carriage (mass m0) slides on a horizontal rail, held by a spring k and a
// damper c; from it hangs a point mass m on a massless rod. q = (s, x, y): s, the carriage's way out of the
// spring's rest position, is the spring's stretch; x and y are the point mass as seen from the carriage:
//   (m0 + m) s'' + m x'' = -k s - c s'
//   m s'' + m x''        = -x lambda
//   m y''                = -m gravity - y lambda          g = (x^2 + y^2 - length^2)/2 = 0
// so that lambda length is the rod's tension. With the angle phi of the rod from the vertical, that is with
// (x, y) = length (sin phi, -cos phi),
//   mu s'' + c s' + k s = P,   mu = m0 + m sin^2 phi,   P = m sin phi (gravity cos phi + length phi'^2)
//   length phi'' = -gravity sin phi - s'' cos phi
// Fast: rates of sqrt(k/mu), without bound. Slow: s = P/k - (c P' + mu P'')/k^2 + .., smooth for every k;
// k to infinity is the rigid pendulum.
// The stretch is a coordinate of its own on purpose: where it is the difference of a computed distance and a
// rest length, an error of 1e-16 in the length is 1e-4 in the force for k = 1e12.
#pragma once

#include <array>

namespace driftless::problems {

struct StiffPendulum {
  static constexpr int nq = 3, ng = 1;
  static constexpr std::array<const char*, 3> coordinate_names{"s", "x", "y"};
  static constexpr std::array<const char*, 3> velocity_names{"s'", "x'", "y'"};
  static constexpr std::array<const char*, 1> constraint_names{"rod length"};
  static constexpr std::array mass_blocks{2, 1};

  double m = 1, m0 = 1, length = 1, gravity = 9.81;
  double k = 1e6, c = 2e3;

  void mass(auto, auto, auto M) const {
    M(0, 0) = m0 + m;
    M(0, 1) = M(1, 0) = M(1, 1) = M(2, 2) = m;
  }
  void force(auto, auto q, auto v, auto f) const {
    f[0] = -k * q[0] - c * v[0];
    f[2] = -m * gravity;
  }
  void constraint(auto, auto q, auto g) const { g[0] = (q[1] * q[1] + q[2] * q[2] - length * length) / 2.0; }
  auto energy(auto, auto q, auto v) const {
    const auto across = v[0] + v[1];
    return (m0 * v[0] * v[0] + m * (across * across + v[2] * v[2]) + k * q[0] * q[0]) / 2.0 +
           m * gravity * q[2];
  }
  // What the damper takes away.
  auto power(auto, auto, auto v) const { return -c * v[0] * v[0]; }

  // By hand, with shared terms.
  void dynamics(double t, auto q, auto v, auto M, auto f, auto G, auto curvature) const {
    mass(t, q, M);
    force(t, q, v, f);
    G(0, 1) = q[1];
    G(0, 2) = q[2];
    curvature[0] = v[1] * v[1] + v[2] * v[2];
  }
};

// The same with x measured from the spring's rest position: a diagonal mass matrix, but the constraint holds
// the stretch. A correction of the position by 1e-10 that ignores the stiffness then changes the spring's
// force by k 1e-10, and lambda with it.
struct StiffPendulumAbsolute : StiffPendulum {
  void mass(auto, auto, auto M) const {
    M(0, 0) = m0;
    M(1, 1) = M(2, 2) = m;
  }
  void constraint(auto, auto q, auto g) const {
    const auto across = q[1] - q[0];
    g[0] = (across * across + q[2] * q[2] - length * length) / 2.0;
  }
  auto energy(auto, auto q, auto v) const {
    return (m0 * v[0] * v[0] + m * (v[1] * v[1] + v[2] * v[2]) + k * q[0] * q[0]) / 2.0 + m * gravity * q[2];
  }
  void dynamics(double t, auto q, auto v, auto M, auto f, auto G, auto curvature) const {
    mass(t, q, M);
    force(t, q, v, f);
    const double rate = v[1] - v[0];
    G(0, 0) = q[0] - q[1];
    G(0, 1) = q[1] - q[0];
    G(0, 2) = q[2];
    curvature[0] = rate * rate + v[2] * v[2];
  }
};

}  // namespace driftless::problems
