// The slider-crank of SUNDIALS' IDA example idaSlCrank: q = (q, x, p), crank angle, slider, rod angle; crank
// a, rod 1. A spring-damper of length l joins the middles of crank and rod, a constant force F acts on slider
// and rod:
//   l^2 = x^2 - x (cos p + a cos q) + (1 + a^2)/4 + a cos(p - q)/2,   fl = (k (l - l0) + c l')/l
//   (J1 q'', m2 x'', J2 p'') = -fl (l^2)_q/2 + (0, F, -F sin p) - G^T lambda
//   g1 = x - cos p - a cos q,   g2 = sin p + a sin q
#pragma once

#include <array>
#include <cmath>

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
    using std::sin;
    const auto s = spring(q, v);
    const auto tension = k * (s.length - l0) + c * s.rate;
    f[0] = -tension * s.by_q;
    f[1] = -tension * s.by_x + F;
    f[2] = -tension * s.by_p - F * sin(q[2]);
  }
  void constraint(auto, auto q, auto g) const {
    using std::cos, std::sin;
    g[0] = q[1] - cos(q[2]) - a * cos(q[0]);
    g[1] = sin(q[2]) + a * sin(q[0]);
  }
  // F has the potential -F (x + cos p).
  auto energy(auto, auto q, auto v) const {
    using std::cos;
    const auto stretch = spring(q, v).length - l0;
    return (J1 * v[0] * v[0] + m2 * v[1] * v[1] + J2 * v[2] * v[2] + k * stretch * stretch) / 2.0 -
           F * (q[1] + cos(q[2]));
  }
  // What the damper takes away.
  auto power(auto, auto q, auto v) const {
    const auto rate = spring(q, v).rate;
    return -c * rate * rate;
  }

 private:
  template <class T>
  struct Spring {
    T length, by_q, by_x, by_p, rate;  // length, its derivatives by the coordinates and by time
  };
  template <class Q>
  auto spring(Q q, auto v) const {
    using T = std::remove_cvref_t<decltype(q[0])>;
    using std::cos, std::sin, std::sqrt;
    const T reach = cos(q[2]) + a * cos(q[0]), twist = a * sin(q[2] - q[0]) / 2.0;
    const T length = sqrt(q[1] * q[1] - q[1] * reach + (1 + a * a) / 4 + a * cos(q[2] - q[0]) / 2.0);
    const T by_q = (q[1] * a * sin(q[0]) + twist) / (2.0 * length), by_x = (q[1] - reach / 2.0) / length,
            by_p = (q[1] * sin(q[2]) - twist) / (2.0 * length);
    return Spring<T>{length, by_q, by_x, by_p, T(by_q * v[0] + by_x * v[1] + by_p * v[2])};
  }
};

}  // namespace driftless::problems
