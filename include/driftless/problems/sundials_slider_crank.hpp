// The slider-crank of SUNDIALS' IDA example idaSlCrank: q = (q, x, p), crank angle, slider, rod angle; crank
// a, rod 1. A spring-damper of length l joins the middles of crank and rod, a constant force F acts on slider
// and rod:
//   l^2 = x^2 - x (cos p + a cos q) + (1 + a^2)/4 + a cos(p - q)/2,   fl = (k (l - l0) + c l')/l
//   (J1 q'', m2 x'', J2 p'') = -fl (l^2)_q/2 + (0, F, -F sin p) - G^T lambda
//   g1 = x - cos p - a cos q,   g2 = sin p + a sin q
#pragma once

#include <array>
#include <cmath>
#include <type_traits>

#include <driftless/linalg/saddle_point.hpp>

namespace driftless::problems {

struct SundialsSliderCrank {
  static constexpr int nq = 3, ng = 2;
  static constexpr std::array<const char*, 3> coordinate_names{"q", "x", "p"};
  static constexpr std::array<const char*, 3> velocity_names{"q'", "x'", "p'"};
  static constexpr std::array<const char*, 2> constraint_names{"slider position", "slider height"};
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;

  double a = 0.5, J1 = 1, m2 = 1, J2 = 2, k = 1, c = 1, l0 = 1, F = 1;

  void mass(auto, auto, auto M) const {
    M(0, 0) = J1;
    M(1, 1) = m2;
    M(2, 2) = J2;
  }
  void force(auto, auto q, auto v, auto f) const {
    force_by(Trigonometry<std::remove_cvref_t<decltype(q[0])>>(q), q, v, f);
  }
  void constraint(auto, auto q, auto g) const {
    using std::cos, std::sin;
    g[0] = q[1] - cos(q[2]) - a * cos(q[0]);
    g[1] = sin(q[2]) + a * sin(q[0]);
  }
  // F has the potential -F (x + cos p).
  auto energy(auto, auto q, auto v) const {
    using std::cos;
    const auto stretch = spring(Trigonometry<std::remove_cvref_t<decltype(q[0])>>(q), q, v).length - l0;
    return (J1 * v[0] * v[0] + m2 * v[1] * v[1] + J2 * v[2] * v[2] + k * stretch * stretch) / 2.0 -
           F * (q[1] + cos(q[2]));
  }
  // What the damper takes away.
  auto power(auto, auto q, auto v) const {
    const auto rate = spring(Trigonometry<std::remove_cvref_t<decltype(q[0])>>(q), q, v).rate;
    return -c * rate * rate;
  }

  // By hand, with shared terms: one set of sines and cosines.
  void dynamics(double t, auto q, auto v, auto M, auto f, auto G, auto curvature) const {
    const Trigonometry<double> trig(q);
    mass(t, q, M);
    force_by(trig, q, v, f);
    jacobian_by(trig, G);
    const double turn = a * v[0] * v[0], swing = v[2] * v[2];
    curvature[0] = trig.cos_q * turn + trig.cos_p * swing;
    curvature[1] = -trig.sin_q * turn - trig.sin_p * swing;
  }
  void jacobian(double, auto q, auto G) const { jacobian_by(Trigonometry<double>(q), G); }
  void rate_jacobian(double, auto q, auto v, auto L) const {
    const Trigonometry<double> trig(q);
    L(0, 0) = a * trig.cos_q * v[0], L(0, 2) = trig.cos_p * v[2];
    L(1, 0) = -a * trig.sin_q * v[0], L(1, 2) = -trig.sin_p * v[2];
  }

 private:
  template <class T>
  struct Trigonometry {
    explicit Trigonometry(auto q) {
      using std::cos, std::sin;
      sin_q = sin(q[0]), cos_q = cos(q[0]), sin_p = sin(q[2]), cos_p = cos(q[2]);
    }
    T sin_q, cos_q, sin_p, cos_p;
  };
  template <class T>
  void force_by(const Trigonometry<T>& trig, auto q, auto v, auto f) const {
    const auto s = spring(trig, q, v);
    const auto tension = k * (s.length - l0) + c * s.rate;
    f[0] = -tension * s.by_q;
    f[1] = -tension * s.by_x + F;
    f[2] = -tension * s.by_p - F * trig.sin_p;
  }
  void jacobian_by(const Trigonometry<double>& trig, auto G) const {
    G(0, 0) = a * trig.sin_q, G(0, 1) = 1, G(0, 2) = trig.sin_p;
    G(1, 0) = a * trig.cos_q, G(1, 2) = trig.cos_p;
  }
  template <class T>
  struct Spring {
    T length, by_q, by_x, by_p, rate;  // length, its derivatives by the coordinates and by time
  };
  template <class T>
  auto spring(const Trigonometry<T>& trig, auto q, auto v) const {
    using std::sqrt;
    // p - q enters by its sine and cosine.
    const T reach = trig.cos_p + a * trig.cos_q,
            twist = (a / 2) * (trig.sin_p * trig.cos_q - trig.cos_p * trig.sin_q),
            alike = (a / 2) * (trig.cos_p * trig.cos_q + trig.sin_p * trig.sin_q);
    const T length = sqrt(q[1] * (q[1] - reach) + (1 + a * a) / 4 + alike), inverse = 1.0 / length;
    const T by_q = (a * q[1] * trig.sin_q + twist) * inverse / 2.0, by_x = (q[1] - reach / 2.0) * inverse,
            by_p = (q[1] * trig.sin_p - twist) * inverse / 2.0;
    return Spring<T>{length, by_q, by_x, by_p, T(by_q * v[0] + by_x * v[1] + by_p * v[2])};
  }
};

}  // namespace driftless::problems
