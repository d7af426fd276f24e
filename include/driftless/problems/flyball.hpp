// The stiff flyball governor of the IFToMM library (A05), reduced by its symmetry: q = (theta, s, b), turn of
// the shaft, height of the slider, angle of the two rods below the horizontal. The rods (1 m, mr, tip mass
// mp) hang at radius 0.05 and height 1; a spring-damper of length d = |(ex, ez)| goes from the slider (ms) to
// each rod's middle:
//   ex = cos(b)/2,  ez = 1 - sin(b)/2 - s,  F = k (d - l0) + c d'
//   I(b) theta'' = -I' b' theta'
//   ms s''       = -ms gravity + 2 F ez/d
//   Ib b''       = I' theta'^2/2 + 2 gravity (mr/2 + mp) cos b - 2 F (ex ex_b + ez ez_b)/d
// No constraints; stiff: the damper's rate is some 1e4 1/s.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include <driftless/linalg/saddle_point.hpp>

namespace driftless::problems {

struct Flyball {
  static constexpr int nq = 3, ni = 1;
  static constexpr std::array<const char*, 3> coordinate_names{"theta", "s", "b"};
  static constexpr std::array<const char*, 3> velocity_names{"theta'", "s'", "b'"};
  static constexpr std::array<const char*, 1> invariant_names{"angular momentum"};
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;

  double k = 8e5, c = 4e4, l0 = 0.5, gravity = 9.81;
  double ms = 3, mr = 0.3,
         mp = 5;  // slider (a cube of 0.1 m), each rod and the shaft (1 x 0.01 x 0.01 m), each tip

  void mass(auto, auto q, auto M) const {
    M(0, 0) = turning_inertia(q[2]);
    M(1, 1) = ms;
    M(2, 2) = rod_inertia();
  }
  void force(auto, auto q, auto v, auto f) const {
    using std::cos;
    const auto d = damper(q, v);
    const auto slope = turning_slope(q[2]), tension = k * (d.length - l0) + c * d.rate;
    f[0] = -slope * v[2] * v[0];
    f[1] = -ms * gravity - 2.0 * tension * d.by_s;
    f[2] = slope * v[0] * v[0] / 2.0 + 2 * gravity * (mr / 2 + mp) * cos(q[2]) - 2.0 * tension * d.by_b;
  }
  void invariants(auto, auto q, auto v, auto out) const { out[0] = turning_inertia(q[2]) * v[0]; }
  auto energy(auto, auto q, auto v) const {
    using std::sin;
    const auto stretch = damper(q, v).length - l0;
    return (turning_inertia(q[2]) * v[0] * v[0] + ms * v[1] * v[1] + rod_inertia() * v[2] * v[2]) / 2.0 +
           ms * gravity * q[1] - 2 * gravity * (mr / 2 + mp) * sin(q[2]) + k * stretch * stretch;
  }
  // What the two dampers take away.
  auto power(auto, auto q, auto v) const {
    const auto rate = damper(q, v).rate;
    return -2.0 * c * rate * rate;
  }

 private:
  template <class T>
  struct Damper {
    T length, by_s, by_b, rate;  // length, its derivatives by s, b and time
  };
  template <class Q>
  auto damper(Q q, auto v) const {
    using T = std::remove_cvref_t<decltype(q[0])>;
    using std::cos, std::sin, std::sqrt;
    const T half_cos = cos(q[2]) / 2.0, half_sin = sin(q[2]) / 2.0, ez = 1.0 - half_sin - q[1];
    const T length = sqrt(half_cos * half_cos + ez * ez), by_s = -ez / length,
            by_b = -half_cos * (half_sin + ez) / length;
    return Damper<T>{length, by_s, by_b, T(by_s * v[1] + by_b * v[2])};
  }

  // Of uniform bars and of the cube.
  double bar_across() const { return mr * (1 + 1e-4) / 12; }
  double bar_along() const { return mr * 2e-4 / 12; }
  double rod_inertia() const { return 2 * (mr / 4 + mp + bar_across()); }
  auto turning_inertia(auto b) const {
    using std::cos, std::sin;
    const auto cb = cos(b), sb = sin(b), middle = 0.05 + 0.5 * cb, tip = 0.05 + cb;
    return bar_along() + ms * 0.02 / 12 +
           2.0 * (mr * middle * middle + mp * tip * tip + bar_across() * cb * cb + bar_along() * sb * sb);
  }
  auto turning_slope(auto b) const {  // I'(b)
    using std::cos, std::sin;
    const auto cb = cos(b), sb = sin(b);
    return -2.0 * sb *
           (mr * (0.05 + 0.5 * cb) + 2.0 * mp * (0.05 + cb) + 2.0 * (bar_across() - bar_along()) * cb);
  }
};

}  // namespace driftless::problems
