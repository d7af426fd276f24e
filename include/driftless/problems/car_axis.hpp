// The car axis (IVP Test Set): a rigid axis of length L between the wheels' springs, q = (xl, yl, xr, yr) its
// two ends, with the mass K = m eps^2/2 each. The springs have stiffness 1 and rest length L0; the left one
// stands at the origin, the right one on a road (xb, yb) that moves:
//   yb = r sin(om t),   xb = sqrt(L^2 - yb^2)
//   K q'' = springs + (0, -K grav, 0, -K grav) - G^T lambda
//   g1 = xl xb + yl yb,   g2 = (xl - xr)^2 + (yl - yr)^2 - L^2
// The test set adds the multipliers with a plus sign: ours are the negative of theirs.
#pragma once

#include <array>
#include <cmath>

#include <driftless/linalg/saddle_point.hpp>

namespace driftless::problems {

struct CarAxis {
  static constexpr int nq = 4, ng = 2;
  static constexpr std::array<const char*, 4> coordinate_names{"xl", "yl", "xr", "yr"};
  static constexpr std::array<const char*, 4> velocity_names{"xl'", "yl'", "xr'", "yr'"};
  static constexpr std::array<const char*, 2> constraint_names{"left spring upright", "axis length"};
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;
  static constexpr bool moving = true;

  double eps = 1e-2, m = 10, L = 1, L0 = 0.5, r = 0.1, om = 10, grav = 1;

  double K() const { return m * eps * eps / 2; }

  void mass(auto, auto, auto M) const {
    for (int i = 0; i < 4; ++i) M(i, i) = K();
  }
  void force(auto t, auto q, auto, auto f) const {
    const auto [xb, yb] = road(t);
    force_by(xb, yb, q, f);
  }
  void constraint(auto t, auto q, auto g) const {
    const auto [xb, yb] = road(t);
    const auto x = q[0] - q[2], y = q[1] - q[3];
    g[0] = q[0] * xb + q[1] * yb;
    g[1] = x * x + y * y - L * L;
  }
  auto energy(auto t, auto q, auto v) const {
    using std::sqrt;
    const auto [xb, yb] = road(t);
    const auto x = q[2] - xb, y = q[3] - yb;
    const auto left = sqrt(q[0] * q[0] + q[1] * q[1]) - L0, right = sqrt(x * x + y * y) - L0;
    return K() * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) / 2.0 + K() * grav * (q[1] + q[3]) +
           (left * left + right * right) / 2.0;
  }
  // What the road's motion puts into the right spring: the potential's derivative by t.
  auto power(auto t, auto q, auto) const {
    using std::cos, std::sqrt;
    const auto [xb, yb] = road(t);
    const auto x = q[2] - xb, y = q[3] - yb, length = sqrt(x * x + y * y);
    const auto yb_rate = r * om * cos(om * t), xb_rate = -yb * yb_rate / xb;
    return -(length - L0) * (x * xb_rate + y * yb_rate) / length;
  }

  // By hand, with shared terms: the road and its rates once.
  void dynamics(double t, auto q, auto v, auto M, auto f, auto G, auto c) const {
    const Road b(*this, t);
    mass(t, q, M);
    force_by(b.x, b.y, q, f);
    jacobian_by(b, q, G);
    const double x = v[0] - v[2], y = v[1] - v[3];
    c[0] = 2 * (v[0] * b.vx + v[1] * b.vy) + q[0] * b.ax + q[1] * b.ay;
    c[1] = 2 * (x * x + y * y);
  }
  void jacobian(double t, auto q, auto G) const { jacobian_by(Road(*this, t), q, G); }
  void rate_jacobian(double t, auto, auto v, auto by_q) const {
    const Road b(*this, t);
    const double x = 2 * (v[0] - v[2]), y = 2 * (v[1] - v[3]);
    by_q(0, 0) = b.vx, by_q(0, 1) = b.vy;
    by_q(1, 0) = x, by_q(1, 1) = y, by_q(1, 2) = -x, by_q(1, 3) = -y;
  }

 private:
  // From xb^2 + yb^2 = L^2.
  struct Road {
    Road(const CarAxis& a, double t)
        : y(a.r * std::sin(a.om * t)),
          x(std::sqrt(a.L * a.L - y * y)),
          vy(a.om * a.r * std::cos(a.om * t)),
          ay(-a.om * a.om * y),
          vx(-y * vy / x),
          ax(-(vy * vy + y * ay + vx * vx) / x) {}
    double y, x, vy, ay, vx, ax;
  };
  static void jacobian_by(const Road& b, auto q, auto G) {
    const double x = 2 * (q[0] - q[2]), y = 2 * (q[1] - q[3]);
    G(0, 0) = b.x, G(0, 1) = b.y;
    G(1, 0) = x, G(1, 1) = y, G(1, 2) = -x, G(1, 3) = -y;
  }
  void force_by(const auto& xb, const auto& yb, auto q, auto f) const {
    using std::sqrt;
    const auto x = q[2] - xb, y = q[3] - yb;
    const auto left = L0 / sqrt(q[0] * q[0] + q[1] * q[1]) - 1.0, right = L0 / sqrt(x * x + y * y) - 1.0;
    f[0] = left * q[0];
    f[1] = left * q[1] - K() * grav;
    f[2] = right * x;
    f[3] = right * y - K() * grav;
  }
  template <class T>
  std::array<T, 2> road(T t) const {
    using std::sin, std::sqrt;
    const T yb = r * sin(om * t);
    return {sqrt(L * L - yb * yb), yb};
  }
};

}  // namespace driftless::problems
