// The four linear examples of Ascher, Petzold (1993), section 4, in the signs of this project. All have the
// solution x = e^t (1, 1) (and x' = x for order 2), lambda = e^t/(2 - t), which ends at t = 2.
//
//   1  x' = -x + q - C^T lambda,  C = (sin nu t, cos nu t): the constraint turns fast
//   2  x' = q - B lambda,  B = ((2 - t) nu, nu - 1) given,  C = (t + 2, t^2 - 4): B far from C^T
//   3  M(t) p'' = E(t) p' + q - C^T lambda,  C = (1, t - 2), or the same multiplied by M^-1, where
//      M^-1 = (2 + t) [[2 nu^2 (2 - t), nu (2 nu - 1)], [nu (2 nu - 1), (2 nu^2 - 2 nu + 1)/(2 - t)]],
//      E = diag(0, eps/((2 + t) nu)),  B = M^-1 C^T = (2 + t) ((2 - t) nu, nu - 1)
//   4  p'' = -nu^2 p' + q - C^T lambda,  C as in 1
//
// with 0 = g = C x - C (1, 1) e^t and q such that the solution fits. The paper's y is -lambda.
#pragma once

#include <array>
#include <cmath>

namespace driftless::problems {

struct AscherPetzold1 {
  static constexpr int order = 1, nq = 2, ng = 1;
  static constexpr bool moving = true;
  static constexpr std::array<const char*, 2> coordinate_names{"x1", "x2"};
  double nu = 1000;

  void force(auto t, auto x, auto f) const {
    using std::cos, std::exp, std::sin;
    f[0] = -x[0] + exp(t) * (2 + sin(nu * t) / (2 - t));
    f[1] = -x[1] + exp(t) * (2 + cos(nu * t) / (2 - t));
  }
  void constraint(auto t, auto x, auto g) const {
    using std::cos, std::exp, std::sin;
    g[0] = sin(nu * t) * (x[0] - exp(t)) + cos(nu * t) * (x[1] - exp(t));
  }
};

struct AscherPetzold2 {
  static constexpr int order = 1, nq = 2, ng = 1;
  static constexpr bool moving = true;
  static constexpr std::array<const char*, 2> coordinate_names{"x1", "x2"};
  double nu = 1000;

  void force(auto t, auto, auto f) const {
    using std::exp;
    f[0] = exp(t) * (1 + nu);
    f[1] = exp(t) * (1 + (nu - 1) / (2 - t));
  }
  void input(auto t, auto, auto B) const {
    B(0, 0) = (2 - t) * nu;
    B(1, 0) = nu - 1;
  }
  void constraint(auto t, auto x, auto g) const {
    using std::exp;
    g[0] = (t + 2) * (x[0] - exp(t)) + (t * t - 4) * (x[1] - exp(t));
  }
};

// As printed, with the mass matrix M(t).
struct AscherPetzold3 {
  static constexpr int nq = 2, ng = 1;
  static constexpr bool moving = true;
  static constexpr std::array<const char*, 2> coordinate_names{"p1", "p2"};
  static constexpr std::array<const char*, 2> velocity_names{"v1", "v2"};
  double nu = 100, eps = 1;

  void mass(auto t, auto, auto M) const {
    const auto scale = 1 / ((2 + t) * nu * nu);
    M(0, 0) = scale * (2 * nu * nu - 2 * nu + 1) / (2 - t);
    M(0, 1) = M(1, 0) = -scale * nu * (2 * nu - 1);
    M(1, 1) = scale * 2 * nu * nu * (2 - t);
  }
  void force(auto t, auto, auto v, auto f) const {
    using std::exp;
    const auto scale = exp(t) / ((2 + t) * nu * nu), lambda = exp(t) / (2 - t);
    f[0] = scale * ((2 * nu * nu - 2 * nu + 1) / (2 - t) - nu * (2 * nu - 1)) + lambda;
    f[1] = scale * nu * (1 - 2 * nu + 2 * nu * (2 - t)) + eps / ((2 + t) * nu) * (v[1] - exp(t)) - exp(t);
  }
  void constraint(auto t, auto q, auto g) const {
    using std::exp;
    g[0] = q[0] - exp(t) + (t - 2) * (q[1] - exp(t));
  }
};

// The same multiplied by M^-1: M = I, and B = M^-1 C^T is given.
struct AscherPetzold3Given {
  static constexpr int nq = 2, ng = 1;
  static constexpr bool moving = true;
  static constexpr std::array<const char*, 2> coordinate_names{"p1", "p2"};
  static constexpr std::array<const char*, 2> velocity_names{"v1", "v2"};
  double nu = 100, eps = 1;

  void force(auto t, auto, auto v, auto f) const {
    using std::exp;
    const auto off = eps * (v[1] - exp(t)), lambda = exp(t) / (2 - t);
    f[0] = exp(t) + (2 * nu - 1) * off + (2 + t) * (2 - t) * nu * lambda;
    f[1] = exp(t) + (2 * nu * nu - 2 * nu + 1) / (nu * (2 - t)) * off + (2 + t) * (nu - 1) * lambda;
  }
  void input(auto t, auto, auto B) const {
    B(0, 0) = (2 + t) * (2 - t) * nu;
    B(1, 0) = (2 + t) * (nu - 1);
  }
  void constraint(auto t, auto q, auto g) const { AscherPetzold3{}.constraint(t, q, g); }
};

struct AscherPetzold4 {
  static constexpr int nq = 2, ng = 1;
  static constexpr bool moving = true;
  static constexpr std::array<const char*, 2> coordinate_names{"p1", "p2"};
  static constexpr std::array<const char*, 2> velocity_names{"v1", "v2"};
  double nu = 100;

  void force(auto t, auto, auto v, auto f) const {
    using std::cos, std::exp, std::sin;
    f[0] = exp(t) * (1 + sin(nu * t) / (2 - t)) - nu * nu * (v[0] - exp(t));
    f[1] = exp(t) * (1 + cos(nu * t) / (2 - t)) - nu * nu * (v[1] - exp(t));
  }
  void constraint(auto t, auto q, auto g) const { AscherPetzold1{nu}.constraint(t, q, g); }
};

}  // namespace driftless::problems
