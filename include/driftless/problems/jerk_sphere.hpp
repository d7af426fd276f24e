// A system of order 3 made to have a known solution: a point on a moving sphere. With n = x - c and
// c = (0, 0, h sin t):
//   M(x) x''' = f - B(x) lambda,   M = I + mu x x^T,   B = n + beta e_z x n,   0 = g = (|n|^2 - 1)/2
// B is given and differs from G^T = n by a part along the parallels of latitude; G M^-1 B > 0 if mu >= 0.
// Chosen: X = c + (cos(t/2) cos t, cos(t/2) sin t, sin(t/2)) and Lambda = 1 + sin(t)/2, solved with
//   f = M (X''' - 3 d (x'' - X'') - 3 d^2 (x' - X') - d^3 (x - X)) + B Lambda + e (x' x (x'' - X''))
// The terms with d pull neighbouring motions to X like (tau + d)^3; the last one couples x' and x''.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace driftless::problems {

struct JerkSphere {
  static constexpr int order = 3, nq = 3, ng = 1;
  static constexpr bool moving = true;
  static constexpr std::array<const char*, 3> coordinate_names{"x", "y", "z"};
  static constexpr std::array<const char*, 3> velocity_names{"x'", "y'", "z'"};
  static constexpr std::array<const char*, 1> constraint_names{"sphere"};

  double mu = 0.5, beta = 0.4, d = 1, e = 0.3, h = 0.2;

  // The k-th derivative of the chosen motion, a sum of sines: each derivative shifts phases by pi/2.
  template <class T>
  std::array<T, 3> motion(const T& t, int k) const {
    using std::cos, std::sin;
    const double turn = k * std::numbers::pi / 2, slow = std::pow(0.5, k), fast = std::pow(1.5, k);
    const T a = 0.5 * t + turn, b = 1.5 * t + turn, c = t + turn;
    return {(fast * cos(b) + slow * cos(a)) / 2, (fast * sin(b) + slow * sin(a)) / 2,
            slow * sin(a) + h * sin(c)};
  }
  auto multiplier(auto t) const {
    using std::sin;
    return 1 + sin(t) / 2;
  }

  void mass(auto, auto x, auto M) const {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        M(i, j) = mu * x[static_cast<std::size_t>(i)] * x[static_cast<std::size_t>(j)] + (i == j ? 1.0 : 0.0);
  }
  void input(auto t, auto x, auto B) const {
    using std::sin;
    B(0, 0) = x[0] - beta * x[1];
    B(1, 0) = x[1] + beta * x[0];
    B(2, 0) = x[2] - h * sin(t);
  }
  void force(auto t, auto x, auto v, auto a, auto f) const {
    using T = std::remove_cvref_t<decltype(f[0])>;
    using std::sin;
    const std::array<T, 3> X = motion(T(t), 0), V = motion(T(t), 1), A = motion(T(t), 2), J = motion(T(t), 3);
    std::array<T, 3> jerk, off;  // x''' that is asked for, x'' - X''
    for (std::size_t i = 0; i < 3; ++i) {
      off[i] = a[i] - A[i];
      jerk[i] = J[i] - 3 * d * off[i] - 3 * d * d * (v[i] - V[i]) - d * d * d * (x[i] - X[i]);
    }
    const T along = mu * (x[0] * jerk[0] + x[1] * jerk[1] + x[2] * jerk[2]), lambda = multiplier(T(t));
    f[0] = jerk[0] + along * x[0] + lambda * (x[0] - beta * x[1]) + e * (v[1] * off[2] - v[2] * off[1]);
    f[1] = jerk[1] + along * x[1] + lambda * (x[1] + beta * x[0]) + e * (v[2] * off[0] - v[0] * off[2]);
    f[2] = jerk[2] + along * x[2] + lambda * (x[2] - h * sin(T(t))) + e * (v[0] * off[1] - v[1] * off[0]);
  }
  void constraint(auto t, auto x, auto g) const {
    using std::sin;
    const auto z = x[2] - h * sin(t);
    g[0] = (x[0] * x[0] + x[1] * x[1] + z * z - 1) / 2;
  }
};

}  // namespace driftless::problems
