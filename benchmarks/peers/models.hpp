// The mechanisms as a user of a general solver writes them down: M, f, G and the curvature c by hand, sizes known to the compiler, no
// virtual call. Formulas are those of Driftless's own models.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <driftless/problems/andrews.hpp>
#include <driftless/problems/car_axis.hpp>
#include <driftless/problems/flyball.hpp>
#include <driftless/problems/heavy_top.hpp>
#include <driftless/problems/pendulum.hpp>
#include <driftless/problems/sundials_slider_crank.hpp>

namespace driftless::benchmarks {

using In = std::span<const double>;
using Out = std::span<double>;

// Where q' = v, G v is all of g', and q has no norm of its own.
struct Plain {
  static void coordinate_rates(In, In v, Out rates) { std::copy(v.begin(), v.end(), rates.begin()); }
  static void normalize(Out) {}
  // The displacement that a small change of q amounts to.
  static void displacement(In, In change, Out delta) {
    std::copy(change.begin(), change.end(), delta.begin());
  }
  static void explicit_rate(double, In, Out) {}  // g_t, added to G v
};

struct AndrewsModel : problems::Andrews, Plain {
  static constexpr int nv = nq;
  using Plain::normalize;
};

struct PendulumModel : problems::Pendulum, Plain {
  static constexpr int nv = nq;
};

struct IftommPendulumModel : PendulumModel {
  IftommPendulumModel() { gravity = 9.81; }
};

struct CarAxisModel : problems::CarAxis, Plain {
  static constexpr int nv = nq;
  // g_t = (g_t)_q q, since g_t is linear in q.
  void explicit_rate(double t, In q, Out rate) const {
    std::array<double, 8> by_q{};
    const std::array<double, 4> rest{};
    rate_jacobian(t, q, In(rest),
                  [&](int i, int j) -> double& { return by_q[static_cast<std::size_t>(i + 2 * j)]; });
    rate[0] += by_q[0] * q[0] + by_q[2] * q[1];
  }
};

struct FlyballModel : problems::Flyball, Plain {
  static constexpr int nv = nq, ng = 0;
  void dynamics(double t, In q, In v, auto M, auto f, auto, auto) const { mass(t, q, M), force(t, q, v, f); }
  void constraint(double, In, auto) const {}
  void jacobian(double, In, auto) const {}
};

struct SliderCrankModel : problems::SundialsSliderCrank, Plain {
  static constexpr int nv = nq;
};

// q' = N v with the quaternion p' = p o (0, w)/2; N^T N is 1/4 there.
struct HeavyTopModel : problems::HeavyTop {
  void coordinate_rates(In q, In v, Out rates) const { kinematics(0.0, q, v, rates); }
  static void displacement(In q, In change, Out delta) {
    const In p = q.subspan(3, 4), d = change.subspan(3, 4);
    for (std::size_t i = 0; i < 3; ++i) delta[i] = change[i];
    delta[3] = 2 * (-p[1] * d[0] + p[0] * d[1] + p[3] * d[2] - p[2] * d[3]);
    delta[4] = 2 * (-p[2] * d[0] - p[3] * d[1] + p[0] * d[2] + p[1] * d[3]);
    delta[5] = 2 * (-p[3] * d[0] + p[2] * d[1] - p[1] * d[2] + p[0] * d[3]);
  }
  static void explicit_rate(double, In, Out) {}
};

}  // namespace driftless::benchmarks
