// Models for tests of redundant and singular constraints and of masses that vanish.
#pragma once

#include <cmath>
#include <tuple>

#include <driftless/core/auto_problem.hpp>

namespace driftless::tests {

// A pendulum of unit mass, length and gravity whose constraint is written twice, the second time `factor` times as large.
struct TwinPendulum {
  static constexpr int nq = 2, ng = 2;
  double factor = 1;
  void force(auto, auto, auto, auto f) const { f[1] = -1.0; }
  void constraint(auto, auto q, auto g) const {
    g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0;
    g[1] = factor * g[0];
  }
};

// Order 1 and order 3 with B = G^T: a point on a moving ellipse.
template <int m>
struct OnEllipse {
  static constexpr int order = m, nq = 2, ng = 1;
  static constexpr bool moving = true;
  void mass(auto, auto x, auto M) const {
    M(0, 0) = 2.0 + x[1] * x[1];
    M(0, 1) = M(1, 0) = 0.3 * x[0];
    M(1, 1) = 1.0;
  }
  void force(auto t, auto x, auto... higher_and_f) const {
    auto f = std::get<sizeof...(higher_and_f) - 1>(std::tie(higher_and_f...));
    f[0] = x[1] + 0.5 * t;
    f[1] = -1.0 * x[0] * x[1];
  }
  void constraint(auto t, auto x, auto g) const { g[0] = x[0] * x[0] + 2.0 * x[1] * x[1] - 1.0 - 0.1 * t; }
};

// No inertia in q2: M = diag(1, 0), f = (-q1, -3 q2), q1 = q2, so that q'' = -4 q.
struct SingularMass {
  static constexpr int nq = 2, ng = 1;
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;
  void mass(auto, auto, auto M) const { M(0, 0) = 1.0; }
  void force(auto, auto q, auto, auto f) const {
    f[0] = -1.0 * q[0];
    f[1] = -3.0 * q[1];
  }
  void constraint(auto, auto q, auto g) const { g[0] = q[0] - q[1]; }
};

// Two massless coordinates and one constraint: a motion without inertia is left.
struct Massless {
  static constexpr int nq = 3, ng = 1;
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;
  void mass(auto, auto, auto M) const { M(0, 0) = 1.0; }
  void force(auto, auto q, auto, auto f) const { f[0] = -1.0 * q[0]; }
  void constraint(auto, auto q, auto g) const { g[0] = q[0] - q[1] + q[2]; }
};

// Petzold, Ren, Maly (1997), Example 5.2: a crank and a rod of equal length, whose end slides on the line through the pivot. Angles from the
// downward vertical. th2 = pi - th1 (the slider moves) and th2 = pi + th1 (it rests) cross at th1 = 0, where G = 0.
struct EqualLinks {
  static constexpr int nq = 2, ng = 1;
  void mass(auto, auto q, auto M) const {
    using std::cos;
    M(0, 0) = 2.0;
    M(0, 1) = M(1, 0) = cos(q[1] - q[0]);
    M(1, 1) = 1.0;
  }
  void force(auto, auto q, auto v, auto f) const {
    using std::sin;
    f[0] = sin(q[1] - q[0]) * v[1] * v[1] - 19.6 * sin(q[0]);
    f[1] = -1.0 * sin(q[1] - q[0]) * v[0] * v[0] - 9.8 * sin(q[1]);
  }
  void constraint(auto, auto q, auto g) const {
    using std::cos;
    g[0] = -1.0 * cos(q[0]) - cos(q[1]);
  }
  auto energy(auto, auto q, auto v) const {
    using std::cos;
    return v[0] * v[0] + cos(q[1] - q[0]) * v[0] * v[1] + v[1] * v[1] / 2.0 - 19.6 * cos(q[0]) -
           9.8 * cos(q[1]);
  }
};

// The motion of EqualLinks with the slider moving, without constraints: (3 + 2 cos 2th) th'' = 2 sin 2th th'^2 - 9.8 sin th.
struct EqualLinksReduced {
  static constexpr int nq = 1;
  void mass(auto, auto q, auto M) const {
    using std::cos;
    M(0, 0) = 3.0 + 2.0 * cos(2.0 * q[0]);
  }
  void force(auto, auto q, auto v, auto f) const {
    using std::sin;
    f[0] = 2.0 * sin(2.0 * q[0]) * v[0] * v[0] - 9.8 * sin(q[0]);
  }
};

}  // namespace driftless::tests
