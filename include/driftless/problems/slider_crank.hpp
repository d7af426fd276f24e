// The slider-crank of Ascher, Chin, Reich (1992), Example 4: q = (theta, x2, y2, psi), crank angle, centre of
// the rod, rod angle;
//   M = diag(J1, m2, m2, J2),  torque n1 = sin t - theta' on the crank, gravity g0 on the rod
//   g1 = x2 - r cos theta - l1 cos psi,   g2 = r sin theta - l sin psi,   g3 = y2 - (l - l1) sin psi
#pragma once

#include <array>
#include <cmath>

#include <driftless/linalg/saddle_point.hpp>

namespace driftless::problems {

struct SliderCrank {
  static constexpr int nq = 4, ng = 3;
  static constexpr std::array<const char*, 4> coordinate_names{"theta", "x2", "y2", "psi"};
  static constexpr std::array<const char*, 4> velocity_names{"theta'", "x2'", "y2'", "psi'"};
  static constexpr std::array<const char*, 3> constraint_names{"rod centre x", "slider height",
                                                               "rod centre y"};
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;

  double J1 = 10, J2 = 1, m2 = 1, g0 = 9.81, r = 1, l = 3, l1 = 2;

  void mass(auto, auto, auto M) const {
    M(0, 0) = J1;
    M(1, 1) = M(2, 2) = m2;
    M(3, 3) = J2;
  }
  void force(auto t, auto, auto v, auto f) const {
    using std::sin;
    f[0] = sin(t) - v[0];
    f[2] = -m2 * g0;
  }
  void constraint(auto, auto q, auto g) const {
    using std::cos, std::sin;
    const auto sin_psi = sin(q[3]);
    g[0] = q[1] - r * cos(q[0]) - l1 * cos(q[3]);
    g[1] = r * sin(q[0]) - l * sin_psi;
    g[2] = q[2] - (l - l1) * sin_psi;
  }
  auto energy(auto, auto q, auto v) const {
    return (J1 * v[0] * v[0] + m2 * (v[1] * v[1] + v[2] * v[2]) + J2 * v[3] * v[3]) / 2 + m2 * g0 * q[2];
  }
  auto power(auto t, auto, auto v) const {
    using std::sin;
    return (sin(t) - v[0]) * v[0];
  }

  // By hand, with shared terms.
  void dynamics(double t, auto q, auto v, auto M, auto f, auto G, auto c) const {
    const double st = std::sin(q[0]), ct = std::cos(q[0]), sp = std::sin(q[3]), cp = std::cos(q[3]);
    mass(t, q, M);
    force(t, q, v, f);
    G(0, 0) = r * st, G(0, 1) = 1, G(0, 3) = l1 * sp;
    G(1, 0) = r * ct, G(1, 3) = -l * cp;
    G(2, 2) = 1, G(2, 3) = -(l - l1) * cp;
    const double tt = v[0] * v[0], pp = v[3] * v[3];
    c[0] = r * ct * tt + l1 * cp * pp;
    c[1] = -r * st * tt + l * sp * pp;
    c[2] = (l - l1) * sp * pp;
  }
  void jacobian(double, auto q, auto G) const {
    const double st = std::sin(q[0]), ct = std::cos(q[0]), sp = std::sin(q[3]), cp = std::cos(q[3]);
    G(0, 0) = r * st, G(0, 1) = 1, G(0, 3) = l1 * sp;
    G(1, 0) = r * ct, G(1, 3) = -l * cp;
    G(2, 2) = 1, G(2, 3) = -(l - l1) * cp;
  }
  void rate_jacobian(double, auto q, auto v, auto L) const {
    const double st = std::sin(q[0]), ct = std::cos(q[0]), sp = std::sin(q[3]), cp = std::cos(q[3]);
    L(0, 0) = r * ct * v[0], L(0, 3) = l1 * cp * v[3];
    L(1, 0) = -r * st * v[0], L(1, 3) = l * sp * v[3];
    L(2, 3) = (l - l1) * sp * v[3];
  }
};

}  // namespace driftless::problems
