// Double pendulum in the plane, in Cartesian coordinates q = (x1, y1, x2, y2): point masses m1 and m2, the first
// on a rod l1 from the origin, the second on a rod l2 from the first.
//   m1 q1'' = (0, -m1 gravity) - q1 lambda1 + (q2 - q1) lambda2,   m2 q2'' = (0, -m2 gravity) - (q2 - q1) lambda2
//   g1 = (|q1|^2 - l1^2)/2,   g2 = (|q2 - q1|^2 - l2^2)/2
// so that lambda_i l_i is the tension of rod i.
#pragma once

#include <array>

#include <driftless/linalg/saddle_point.hpp>

namespace driftless::problems {

struct DoublePendulum {
  static constexpr int nq = 4, ng = 2;
  static constexpr std::array<const char*, 4> coordinate_names{"x1", "y1", "x2", "y2"};
  static constexpr std::array<const char*, 4> velocity_names{"vx1", "vy1", "vx2", "vy2"};
  static constexpr std::array<const char*, 2> constraint_names{"first rod", "second rod"};
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;

  double m1 = 1, m2 = 1, l1 = 1, l2 = 1, gravity = 9.81;

  void mass(auto, auto, auto M) const {
    M(0, 0) = M(1, 1) = m1;
    M(2, 2) = M(3, 3) = m2;
  }
  void force(auto, auto, auto, auto f) const {
    f[1] = -m1 * gravity;
    f[3] = -m2 * gravity;
  }
  void constraint(auto, auto q, auto g) const {
    const auto dx = q[2] - q[0], dy = q[3] - q[1];
    g[0] = (q[0] * q[0] + q[1] * q[1] - l1 * l1) / 2.0;
    g[1] = (dx * dx + dy * dy - l2 * l2) / 2.0;
  }
  auto energy(auto, auto q, auto v) const {
    return m1 * ((v[0] * v[0] + v[1] * v[1]) / 2.0 + gravity * q[1]) +
           m2 * ((v[2] * v[2] + v[3] * v[3]) / 2.0 + gravity * q[3]);
  }

  // By hand, with shared terms.
  void dynamics(double t, auto q, auto v, auto M, auto f, auto G, auto c) const {
    mass(t, q, M);
    force(t, q, v, f);
    jacobian(t, q, G);
    const double ux = v[2] - v[0], uy = v[3] - v[1];
    c[0] = v[0] * v[0] + v[1] * v[1];
    c[1] = ux * ux + uy * uy;
  }
  void jacobian(double, auto q, auto G) const {
    G(0, 0) = q[0], G(0, 1) = q[1];
    G(1, 2) = q[2] - q[0], G(1, 3) = q[3] - q[1];
    G(1, 0) = -G(1, 2), G(1, 1) = -G(1, 3);
  }
};

}  // namespace driftless::problems
