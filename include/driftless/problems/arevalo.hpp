// A particle of unit mass on the unit circle, driven along it by a force of constant size, q = (x, y):
//   x'' = 2 y - x lambda,   y'' = -2 x - y lambda,   g = (x^2 + y^2 - 1)/2 = 0
// Exact: x = sin t^2, y = cos t^2, lambda = 4 t^2: the angle is t^2.
#pragma once

#include <array>

namespace driftless::problems {

struct Arevalo {
  static constexpr int nq = 2, ng = 1;
  static constexpr std::array<const char*, 2> coordinate_names{"x", "y"};
  static constexpr std::array<const char*, 2> velocity_names{"vx", "vy"};
  static constexpr std::array<const char*, 1> constraint_names{"circle"};

  void force(auto, auto q, auto, auto f) const {
    f[0] = 2 * q[1];
    f[1] = -2 * q[0];
  }
  void constraint(auto, auto q, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2; }
  auto energy(auto, auto, auto v) const { return (v[0] * v[0] + v[1] * v[1]) / 2; }
  auto power(auto, auto q, auto v) const { return 2 * (q[1] * v[0] - q[0] * v[1]); }

  // By hand, with shared terms.
  void dynamics(double t, auto q, auto v, auto, auto f, auto G, auto c) const {
    force(t, q, v, f);
    G(0, 0) = q[0];
    G(0, 1) = q[1];
    c[0] = v[0] * v[0] + v[1] * v[1];
  }
};

}  // namespace driftless::problems
