// Point mass on a massless rod in the plane, in Cartesian coordinates q = (x, y):
//   mass q'' = (0, -mass gravity) - c q' - G^T lambda,   g = (x^2 + y^2 - length^2)/2 = 0,   G = (x, y)
// c is friction. It has a model of its own, because then the energy is no invariant.
#pragma once

#include <array>

namespace driftless::problems {

struct Pendulum {
  static constexpr int nq = 2, ng = 1;
  static constexpr std::array<const char*, 2> coordinate_names{"x", "y"};
  static constexpr std::array<const char*, 2> velocity_names{"vx", "vy"};
  static constexpr std::array<const char*, 1> constraint_names{"rod length"};
  static constexpr std::array mass_blocks{1, 1};

  double m = 1;
  double gravity = 1;
  double length = 1;

  void mass(auto, auto, auto M) const { M(0, 0) = M(1, 1) = m; }
  void force(auto, auto, auto, auto f) const { f[1] = -m * gravity; }
  void constraint(auto, auto q, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1] - length * length) / 2; }
  auto energy(auto, auto q, auto v) const { return m * ((v[0] * v[0] + v[1] * v[1]) / 2 + gravity * q[1]); }

  // By hand, with shared terms.
  void dynamics(double, auto q, auto v, auto M, auto f, auto G, auto c) const {
    M(0, 0) = M(1, 1) = m;
    f[1] = -m * gravity;
    G(0, 0) = q[0];
    G(0, 1) = q[1];
    c[0] = v[0] * v[0] + v[1] * v[1];
  }
  void jacobian(double, auto q, auto G) const { G(0, 0) = q[0], G(0, 1) = q[1]; }
  void rate_jacobian(double, auto, auto v, auto L) const { L(0, 0) = v[0], L(0, 1) = v[1]; }
};

struct DampedPendulum : Pendulum {
  double c = 0;

  void force(auto t, auto q, auto v, auto f) const {
    Pendulum::force(t, q, v, f);
    f[0] -= c * v[0];
    f[1] -= c * v[1];
  }
  auto power(auto, auto, auto v) const { return -c * (v[0] * v[0] + v[1] * v[1]); }
  void dynamics(double t, auto q, auto v, auto M, auto f, auto G, auto curvature) const {
    Pendulum::dynamics(t, q, v, M, f, G, curvature);
    f[0] -= c * v[0];
    f[1] -= c * v[1];
  }
};

}  // namespace driftless::problems
