// The examples of Petzold, Ren, Maly, "Regularization of higher-index differential-algebraic equations with rank-deficient constraints"
// (SIAM J. Sci. Comput. 18, 1997), in our signs, and two tests of their theorems and of their formula (4.11).
#pragma once

#include <array>
#include <cmath>

#include <driftless/linalg/saddle_point.hpp>

namespace driftless::problems {

// Example 5.1: x' = 2 - t lambda, g = t x - t (t + 1). The paper prints + t y, for which G B = -t^2 and the direct
// regularization G B + eps would vanish on the way; lambda = -y has B = G^T. G B = t^2: singular at t = 0.
// Exact: x = t + 1, lambda = 1/t.
struct PetzoldRenMaly51 {
  static constexpr int order = 1, nq = 1, ng = 1;
  static constexpr bool moving = true;
  static constexpr std::array<const char*, 1> coordinate_names{"x"};
  static constexpr std::array<const char*, 1> velocity_names{"x'"};
  static constexpr std::array<const char*, 1> constraint_names{"t (x - t - 1)"};

  void force(auto, auto, auto f) const { f[0] = 2.0; }
  void constraint(auto t, auto x, auto g) const { g[0] = t * x[0] - t * (t + 1.0); }
};

// Example 5.2: slider-crank of two unit links with unit point masses at their ends; a double pendulum, with angles from the downward
// vertical, whose tip slides on the horizontal line through the pivot:
//   M th'' = -n - G^T lambda,   M = [2, cos d; cos d, 1],   d = th2 - th1
//   n = (-sin d th2'^2 + 2 gravity sin th1,  sin d th1'^2 + gravity sin th2),   g = -cos th1 - cos th2
// g = 0 has two branches: A, th2 = pi - th1, on which the slider moves, and B, th2 = pi + th1, on which the links are folded and the
// slider rests in the pivot. They cross at (0, pi) and (pi, 0), where G = (sin th1, sin th2) vanishes.
struct TwoLinkSliderCrank {
  static constexpr int nq = 2, ng = 1;
  static constexpr std::array<const char*, 2> coordinate_names{"th1", "th2"};
  static constexpr std::array<const char*, 2> velocity_names{"th1'", "th2'"};
  static constexpr std::array<const char*, 1> constraint_names{"slider on its line"};

  double gravity = 9.8;

  void mass(auto, auto q, auto M) const {
    using std::cos;
    M(0, 0) = 2.0;
    M(0, 1) = M(1, 0) = cos(q[1] - q[0]);
    M(1, 1) = 1.0;
  }
  void force(auto, auto q, auto v, auto f) const {
    using std::sin;
    const auto twist = sin(q[1] - q[0]);
    f[0] = twist * v[1] * v[1] - 2 * gravity * sin(q[0]);
    f[1] = -twist * v[0] * v[0] - gravity * sin(q[1]);
  }
  void constraint(auto, auto q, auto g) const {
    using std::cos;
    g[0] = -cos(q[0]) - cos(q[1]);
  }
  auto energy(auto, auto q, auto v) const {
    using std::cos;
    return v[0] * v[0] + cos(q[1] - q[0]) * v[0] * v[1] + v[1] * v[1] / 2.0 -
           gravity * (2.0 * cos(q[0]) + cos(q[1]));
  }

  // By hand, with shared terms.
  void dynamics(double t, auto q, auto v, auto M, auto f, auto G, auto c) const {
    mass(t, q, M);
    force(t, q, v, f);
    jacobian(t, q, G);
    c[0] = std::cos(q[0]) * v[0] * v[0] + std::cos(q[1]) * v[1] * v[1];
  }
  void jacobian(double, auto q, auto G) const { G(0, 0) = std::sin(q[0]), G(0, 1) = std::sin(q[1]); }
  void rate_jacobian(double, auto q, auto v, auto L) const {
    L(0, 0) = std::cos(q[0]) * v[0], L(0, 1) = std::cos(q[1]) * v[1];
  }
};

// A test of their Theorem 3.1: one condition c.x = s, written down twice with the weights k(t),
//   x' = A x + q(t) - B lambda,   g = k (c.x - s),   B = G^T = c k^T
//   c = (1, sin t/2, 3 cos t/10),   s = 1 + sin t,   k = (cos rho t, sin rho t + 1/2)
// The rows depend on each other at all times; with rho != 0 the way they do so turns.
struct RankDeficient {
  static constexpr int order = 1, nq = 3, ng = 2;
  static constexpr bool moving = true;
  static constexpr std::array<const char*, 3> coordinate_names{"x1", "x2", "x3"};
  static constexpr std::array<const char*, 3> velocity_names{"x1'", "x2'", "x3'"};
  static constexpr std::array<const char*, 2> constraint_names{"k1 (c.x - s)", "k2 (c.x - s)"};

  double rho = 0;

  void force(auto t, auto x, auto f) const {
    using std::cos, std::sin;
    f[0] = x[1] + 0.2 * x[2] + sin(t);
    f[1] = -x[0] - 0.1 * x[1] + 0.3 * x[2] + cos(2.0 * t);
    f[2] = 0.1 * x[0] - 0.2 * x[1] - 0.3 * x[2] + 0.5;
  }
  void constraint(auto t, auto x, auto g) const {
    using std::cos, std::sin;
    const auto off = x[0] + 0.5 * sin(t) * x[1] + 0.3 * cos(t) * x[2] - 1.0 - sin(t);
    g[0] = cos(rho * t) * off;
    g[1] = (sin(rho * t) + 0.5) * off;
  }
};

// The same with the given B = c b^T, b = (1, -0.7): the motion is the same, the multipliers are others.
struct RankDeficientGiven : RankDeficient {
  void input(auto t, auto, auto B) const {
    using std::cos, std::sin;
    B(0, 0) = 1.0;
    B(0, 1) = -0.7;
    B(1, 0) = 0.5 * sin(t);
    B(1, 1) = -0.35 * sin(t);
    B(2, 0) = 0.3 * cos(t);
    B(2, 1) = -0.21 * cos(t);
  }
};

// A test of their formula (4.11) for singular mass matrices: M = diag(1, 0), f = (-q1, -3 q2), g = q1 - q2. The mass is singular, but
// positive on the motions that the constraint allows. Exact from (1, 1) at rest: q1 = q2 = cos 2t, lambda = 3 cos 2t.
struct SingularMass {
  static constexpr int nq = 2, ng = 1;
  static constexpr std::array<const char*, 2> coordinate_names{"q1", "q2"};
  static constexpr std::array<const char*, 2> velocity_names{"q1'", "q2'"};
  static constexpr std::array<const char*, 1> constraint_names{"q1 = q2"};
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;

  void mass(auto, auto, auto M) const { M(0, 0) = 1.0; }
  void force(auto, auto q, auto, auto f) const {
    f[0] = -q[0];
    f[1] = -3.0 * q[1];
  }
  void constraint(auto, auto q, auto g) const { g[0] = q[0] - q[1]; }
  auto energy(auto, auto q, auto v) const { return (v[0] * v[0] + q[0] * q[0] + 3.0 * q[1] * q[1]) / 2.0; }
};

}  // namespace driftless::problems
