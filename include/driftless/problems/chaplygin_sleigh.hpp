// Chaplygin's sleigh: a rigid body that slides on the plane on a blade, which cannot move sideways. q = (x,
// y, phi): point of contact and heading; the mass centre lies a ahead of the contact, m is the mass, Th the
// inertia about the mass centre.
//       [ m             0            -m a sin phi ]       [ m a phi'^2 cos phi ]
//   M = [ 0             m             m a cos phi ],  f = [ m a phi'^2 sin phi ]
//       [ -m a sin phi  m a cos phi   Th + m a^2  ]       [ 0                  ]
//   0 = -x' sin phi + y' cos phi
// With the speed s along the blade and the turn rate w:  s' = a w^2,  (Th + m a^2) w' = -m a s w.
#pragma once

#include <array>
#include <cmath>

namespace driftless::problems {

struct ChaplyginSleigh {
  static constexpr int nq = 3, nk = 1;
  static constexpr std::array<const char*, 3> coordinate_names{"x", "y", "phi"};
  static constexpr std::array<const char*, 3> velocity_names{"x'", "y'", "phi'"};
  static constexpr std::array<const char*, 1> constraint_names{"blade"};

  double m = 1, Th = 0.1, a = 0.1;

  void mass(auto, auto q, auto M) const {
    using std::cos, std::sin;
    M(0, 0) = M(1, 1) = m;
    M(0, 2) = M(2, 0) = -m * a * sin(q[2]);
    M(1, 2) = M(2, 1) = m * a * cos(q[2]);
    M(2, 2) = Th + m * a * a;
  }
  void force(auto, auto q, auto v, auto f) const {
    using std::cos, std::sin;
    f[0] = m * a * cos(q[2]) * v[2] * v[2];
    f[1] = m * a * sin(q[2]) * v[2] * v[2];
  }
  void velocity_constraint(auto, auto q, auto v, auto w) const {
    using std::cos, std::sin;
    w[0] = -sin(q[2]) * v[0] + cos(q[2]) * v[1];
  }
  auto energy(auto, auto q, auto v) const {
    using std::cos, std::sin;
    const auto x = v[0] - a * sin(q[2]) * v[2], y = v[1] + a * cos(q[2]) * v[2];
    return (m * (x * x + y * y) + Th * v[2] * v[2]) / 2;
  }
};

}  // namespace driftless::problems
