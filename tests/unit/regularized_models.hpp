// Models with constraints that are redundant, lose rank or have a singular mass matrix.
#pragma once

#include <cmath>
#include <numbers>

#include <driftless/core/auto_problem.hpp>

#include "support/run.hpp"

namespace driftless::tests {

// Two equal links whose tip slides on the line through the pivot: Petzold, Ren, Maly (1997), (5.2), (5.3). Branch A is
// th2 = pi - th1; it meets th2 = pi + th1 at (0, pi), where G vanishes.
struct RegularizedLinks {
  static constexpr int nq = 2, ng = 1;
  void mass(auto, auto q, auto M) const {
    using std::cos;
    M(0, 0) = 2.0;
    M(0, 1) = M(1, 0) = cos(q[1] - q[0]);
    M(1, 1) = 1.0;
  }
  void force(auto, auto q, auto v, auto f) const {
    using std::sin;
    const auto d = q[1] - q[0];
    f[0] = sin(d) * v[1] * v[1] - 19.6 * sin(q[0]);
    f[1] = -sin(d) * v[0] * v[0] - 9.8 * sin(q[1]);
  }
  void constraint(auto, auto q, auto g) const {
    using std::cos;
    g[0] = -cos(q[0]) - cos(q[1]);
  }
  auto energy(auto, auto q, auto v) const {
    using std::cos;
    return v[0] * v[0] + cos(q[1] - q[0]) * v[0] * v[1] + v[1] * v[1] / 2.0 - 19.6 * cos(q[0]) -
           9.8 * cos(q[1]);
  }
};

// Its motion on branch A in the angle alone: (3 + 2 cos 2 th) th'' = 2 sin(2 th) th'^2 - 9.8 sin th.
struct BranchA {
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

// The pendulum with its constraint written twice, the second time with another factor.
struct RegularizedTwin {
  static constexpr int nq = 2, ng = 2;
  double gravity = 9.81, factor = 1;
  void force(auto, auto, auto, auto f) const { f[1] = -gravity; }
  void constraint(auto, auto q, auto g) const {
    g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0;
    g[1] = factor * g[0];
  }
};

// x' = A x + q - B y, 0 = k (c.x - s): two constraints of rank 1. Direct: B = C^T; else B = c b^T.
struct RankDeficient {
  static constexpr int order = 1, nq = 3, ng = 2;
  static constexpr bool moving = true;
  bool transposed = true;
  double rho = 0;
  template <class T>
  static void normal(T t, T* c) {
    using std::cos, std::sin;
    c[0] = T(1.0);
    c[1] = 0.5 * sin(t);
    c[2] = 0.3 * cos(t);
  }
  static void free_motion(auto t, auto x, auto f) {
    using std::cos, std::sin;
    f[0] = x[1] + 0.2 * x[2] + sin(t);
    f[1] = -x[0] - 0.1 * x[1] + 0.3 * x[2] + cos(2.0 * t);
    f[2] = 0.1 * x[0] - 0.2 * x[1] - 0.3 * x[2] + 0.5;
  }
  void force(auto t, auto x, auto f) const { free_motion(t, x, f); }
  void input(auto t, auto, auto B) const {
    using std::cos, std::sin;
    using T = std::decay_t<decltype(t)>;
    T c[3];
    normal(t, c);
    const T k0 = transposed ? T(cos(rho * t)) : T(1.0), k1 = transposed ? T(sin(rho * t) + 0.5) : T(-0.7);
    for (int i = 0; i < 3; ++i) {
      B(i, 0) = c[i] * k0;
      B(i, 1) = c[i] * k1;
    }
  }
  void constraint(auto t, auto x, auto g) const {
    using std::cos, std::sin;
    using T = std::decay_t<decltype(t)>;
    T c[3];
    normal(t, c);
    const auto value = c[0] * x[0] + c[1] * x[1] + c[2] * x[2] - 1.0 - sin(t);
    g[0] = cos(rho * t) * value;
    g[1] = (sin(rho * t) + 0.5) * value;
  }
};

// The same with its constraint once.
struct FullRank {
  static constexpr int order = 1, nq = 3, ng = 1;
  static constexpr bool moving = true;
  void force(auto t, auto x, auto f) const { RankDeficient::free_motion(t, x, f); }
  void constraint(auto t, auto x, auto g) const {
    using std::sin;
    using T = std::decay_t<decltype(t)>;
    T c[3];
    RankDeficient::normal(t, c);
    g[0] = c[0] * x[0] + c[1] * x[1] + c[2] * x[2] - 1.0 - sin(t);
  }
};

// Example 5.1 with the sign of y for which G B = t^2: x' = 2 - t y, 0 = t x - t (t + 1).
struct VanishingConstraint {
  static constexpr int order = 1, nq = 1, ng = 1;
  static constexpr bool moving = true;
  void force(auto, auto, auto f) const { f[0] = 2.0; }
  void constraint(auto t, auto x, auto g) const { g[0] = t * x[0] - t * (t + 1.0); }
};

// A massless coordinate tied to one with mass: q = cos 2t (1, 1).
struct RegularizedMass {
  static constexpr int nq = 2, ng = 1;
  void mass(auto, auto, auto M) const { M(0, 0) = 1.0; }
  void force(auto, auto q, auto, auto f) const {
    f[0] = -q[0];
    f[1] = -3.0 * q[1];
  }
  void constraint(auto, auto q, auto g) const { g[0] = q[0] - q[1]; }
};

// x^(m) = -B y with g = x_0 + x_1, perhaps written twice.
template <int m, int rows>
struct HighOrder {
  static constexpr int order = m, nq = 2, ng = rows;
  void force(auto...) const {}
  void constraint(auto, auto x, auto g) const {
    for (int i = 0; i < rows; ++i) g[static_cast<std::size_t>(i)] = x[0] + x[1];
  }
};

inline State released_at(const Problem& problem, double angle) {
  return state_of(problem, {angle, std::numbers::pi - angle, 0, 0});
}

}  // namespace driftless::tests
