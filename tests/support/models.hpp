// Models for tests, one for each shape that a Problem can have. All are nontrivial: nothing vanishes by
// accident at a general point.
#pragma once

#include <array>
#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/problems/andrews.hpp>
#include <driftless/problems/chaplygin_sleigh.hpp>
#include <driftless/problems/heavy_top.hpp>
#include <driftless/problems/pendulum.hpp>
#include <driftless/problems/slider_crank.hpp>

namespace driftless::tests {

// A pendulum on a pivot that is driven to and fro: the pivot's force does work.
struct DrivenPivot {
  static constexpr int nq = 2, ng = 1;
  static constexpr bool moving = true;
  double frequency = 2;
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto t, auto q, auto g) const {
    using std::sin;
    const auto x = q[0] - 0.3 * sin(frequency * t);
    g[0] = (x * x + q[1] * q[1] - 1.0) / 2.0;
  }
  auto energy(auto, auto q, auto v) const { return (v[0] * v[0] + v[1] * v[1]) / 2.0 + 9.81 * q[1]; }
};

// Pendulum whose pivot moves and whose mass depends on time and place: M(q, t), g(q, t) with explicit time.
struct MovingPivot {
  static constexpr int nq = 2, ng = 1;
  static constexpr bool moving = true;
  void mass(auto t, auto q, auto M) const {
    using std::cos, std::sin;
    M(0, 0) = 2.0 + sin(t) * q[1];
    M(0, 1) = M(1, 0) = 0.3 * cos(q[0]);
    M(1, 1) = 1.5 + q[0] * q[0] / 4.0;
  }
  void force(auto t, auto q, auto v, auto f) const {
    using std::cos;
    f[0] = cos(2.0 * t) - 0.3 * v[0] * v[1];
    f[1] = -9.81 + q[0] * v[0];
  }
  void constraint(auto t, auto q, auto g) const {
    using std::cos, std::sin;
    const auto x = q[0] - 0.4 * sin(1.3 * t), y = q[1] + 0.2 * cos(t);
    g[0] = (x * x + y * y - 1.0) / 2.0;
  }
  auto energy(auto, auto q, auto v) const { return v[0] * v[0] + v[1] * v[1] / 2.0 + 9.81 * q[1]; }
  auto power(auto t, auto q, auto v) const {
    using std::cos;
    return cos(2.0 * t) * v[0] + 0.0 * q[0];
  }
};

// The heavy top without its hand-written derivatives: unit quaternions, q' = N(q) v, all derivatives automatic.
struct HeavyTop {
  static constexpr int nq = 7, nv = 6, ng = 3;
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;
  problems::HeavyTop top = {};
  void mass(auto t, auto q, auto M) const { top.mass(t, q, M); }
  void force(auto t, auto q, auto v, auto f) const { top.force(t, q, v, f); }
  void kinematics(auto t, auto q, auto v, auto rates) const { top.kinematics(t, q, v, rates); }
  void normalize(auto q) const { top.normalize(q); }
  void constraint(auto t, auto q, auto g) const { top.constraint(t, q, g); }
  auto energy(auto t, auto q, auto v) const { return top.energy(t, q, v); }
};

using Sleigh = problems::ChaplyginSleigh;  // one velocity constraint

// Both kinds of constraints with explicit time: a knife edge on a moving surface; three coordinates.
struct MovingKnife {
  static constexpr int nq = 3, ng = 1, nk = 1;
  static constexpr bool moving = true;
  void mass(auto, auto q, auto M) const {
    M(0, 0) = 2.0 + q[1] * q[1];
    M(1, 1) = 1.0;
    M(2, 2) = 3.0;
    M(0, 2) = M(2, 0) = 0.2 * q[2];
  }
  void force(auto t, auto q, auto v, auto f) const {
    using std::sin;
    f[0] = sin(t) - v[0] * v[2];
    f[1] = q[0] * v[1];
    f[2] = -9.81;
  }
  void constraint(auto t, auto q, auto g) const {
    using std::cos, std::sin;
    g[0] = q[2] - sin(q[0]) * cos(q[1]) - 0.1 * t * q[0];
  }
  void velocity_constraint(auto t, auto q, auto v, auto w) const {
    using std::cos, std::sin;
    w[0] = sin(q[0] + t) * v[0] - cos(q[1]) * v[1] + 0.3 * v[2] - 0.2 * cos(t) * q[1];
  }
};

// Ascher, Petzold (1993), Example 2, in our signs: Hessenberg index 2, order 1, B given; x = e^t (1, 1),
// lambda = e^t/(2 - t).
struct Hessenberg1 {
  static constexpr int order = 1, nq = 2, ng = 1;
  static constexpr bool moving = true;
  double nu = 10;
  void force(auto t, auto x, auto f) const {
    using std::exp;
    f[0] = exp(t) * (1 + nu) + 0.0 * x[0];
    f[1] = exp(t) * (1.0 + (nu - 1) / (2.0 - t));
  }
  void input(auto t, auto, auto B) const {
    B(0, 0) = (2.0 - t) * nu;
    B(1, 0) = nu - 1.0 + 0.0 * t;
  }
  void constraint(auto t, auto x, auto g) const {
    using std::exp;
    g[0] = (t + 2.0) * x[0] + (t * t - 4.0) * x[1] - (t * t + t - 2.0) * exp(t);
  }
};

// x' = degree t^(degree - 1): x = t^degree. No constraints.
struct Power {
  static constexpr int order = 1, nq = 1;
  int degree = 1;
  void force(auto t, auto, auto f) const {
    f[0] = static_cast<double>(degree);
    for (int i = 1; i < degree; ++i) f[0] = f[0] * t;
  }
};

// Order 3 with a nonlinear constraint and a nonlinear given B.
struct Jerk {
  static constexpr int order = 3, nq = 3, ng = 1, ni = 1;
  static constexpr bool moving = true;
  void mass(auto t, auto x, auto M) const {
    using std::sin;
    M(0, 0) = 2.0 + sin(x[1]);
    M(1, 1) = 1.0 + 0.1 * t;
    M(2, 2) = 1.5;
    M(0, 1) = M(1, 0) = 0.2 * x[2];
  }
  void force(auto t, auto x, auto v, auto a, auto f) const {
    using std::cos;
    f[0] = -v[0] * a[1] + cos(t);
    f[1] = x[0] * a[2] - v[1];
    f[2] = -x[2] * x[1] - 0.5 * a[2];
  }
  void input(auto t, auto x, auto B) const {
    using std::sin;
    B(0, 0) = x[0] + 0.1 * sin(t);
    B(1, 0) = x[1] * x[1] + 1.0;
    B(2, 0) = 0.5 * x[0] * x[2];
  }
  void constraint(auto t, auto x, auto g) const {
    using std::sin;
    g[0] = x[0] * x[0] / 2.0 + x[1] + 0.3 * sin(x[2]) * x[0] - 0.2 * t * t * x[1];
  }
  void invariants(auto t, auto x, auto v, auto a, auto out) const {
    out[0] = x[0] * v[1] - a[2] * x[2] + t * v[0];
  }
};

// No constraints: two oscillators, coupled; sizes known at run time only.
struct Oscillators {
  int nq = 2;
  void force(auto, auto q, auto, auto f) const {
    const auto n = f.size();
    for (std::size_t i = 0; i < n; ++i) f[i] = -static_cast<double>(i + 1) * q[i] + 0.1 * q[(i + 1) % n];
  }
  auto energy(auto, auto q, auto v) const {
    auto e = 0.5 * v[0] * v[0] + 0.5 * q[0] * q[0];
    for (std::size_t i = 1; i < q.size(); ++i)
      e += 0.5 * v[i] * v[i] + 0.5 * static_cast<double>(i + 1) * q[i] * q[i];
    return e - 0.1 * q[0] * q[1];
  }
};

// A chain of points on rods, sizes at run time, more coordinates than one chunk of duals: n points in the
// plane, n rods.
struct Chain {
  int nq = 0, ng = 0;
  explicit Chain(int points) : nq(2 * points), ng(points) {}
  void mass(auto, auto, auto M) const {
    for (int i = 0; i < nq; ++i) M(i, i) = 1.0 + 0.1 * i;
  }
  void force(auto, auto, auto, auto f) const {
    for (std::size_t i = 1; i < f.size(); i += 2) f[i] = -9.81;
  }
  void constraint(auto, auto q, auto g) const {
    for (std::size_t i = 0; i < g.size(); ++i) {
      auto dx = q[2 * i], dy = q[2 * i + 1];
      if (i > 0) dx = dx - q[2 * i - 2], dy = dy - q[2 * i - 1];
      g[i] = (dx * dx + dy * dy - 1.0) / 2.0;
    }
  }
};

}  // namespace driftless::tests
