// The frozen linearisation of motions with several degrees of freedom, against equations in other coordinates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <driftless/analysis/modes.hpp>
#include <driftless/catalog/catalog.hpp>

#include "support/dense_oracle.hpp"

namespace driftless::tests {
namespace {

using analysis::Linearization;
using analysis::linearize;
using analysis::Modes;

// ---- a double pendulum on its way, by its angles ----

// (x, x') = (T^T (q - q0), T^T v) as a function of (phi, phi'), and its rate by the equations of the angles;
// their Jacobians by differences in long double give the same local equations as the code's.
struct AnglesOfDoublePendulum {
  using Real = long double;
  using Vec = Eigen::Matrix<Real, 4, 1>;
  using Mat = Eigen::Matrix<Real, 4, 4>;
  static constexpr Real m1 = 1.3L, m2 = 0.7L, l1 = 0.9L, l2 = 1.6L, gravity = 9.81L;
  Eigen::Matrix<Real, 4, 2> T;

  struct Motion {
    Vec q, v, a;
  };
  static Motion motion(const Vec& y) {
    using std::cos, std::sin;
    const Real d = y(0) - y(1), s1 = sin(y(0)), c1 = cos(y(0)), s2 = sin(y(1)), c2 = cos(y(1)), w1 = y(2),
               w2 = y(3);
    Eigen::Matrix<Real, 2, 2> M;
    M << (m1 + m2) * l1 * l1, m2 * l1 * l2 * cos(d), m2 * l1 * l2 * cos(d), m2 * l2 * l2;
    const Eigen::Matrix<Real, 2, 1> f(-m2 * l1 * l2 * w2 * w2 * sin(d) - (m1 + m2) * gravity * l1 * s1,
                                      m2 * l1 * l2 * w1 * w1 * sin(d) - m2 * gravity * l2 * s2);
    const Eigen::Matrix<Real, 2, 1> a = inverse(M) * f;
    Motion m;
    m.q << l1 * s1, -l1 * c1, l1 * s1 + l2 * s2, -l1 * c1 - l2 * c2;
    m.v << l1 * c1 * w1, l1 * s1 * w1, l1 * c1 * w1 + l2 * c2 * w2, l1 * s1 * w1 + l2 * s2 * w2;
    m.a << l1 * (c1 * a(0) - s1 * w1 * w1), l1 * (s1 * a(0) + c1 * w1 * w1), 0, 0;
    m.a(2) = m.a(0) + l2 * (c2 * a(1) - s2 * w2 * w2);
    m.a(3) = m.a(1) + l2 * (s2 * a(1) + c2 * w2 * w2);
    return m;
  }
  void tangent(const Vec& y) {
    Eigen::Matrix<Real, 4, 2> J;
    J << std::cos(y(0)), 0, std::sin(y(0)), 0, std::cos(y(0)), std::cos(y(1)), std::sin(y(0)), std::sin(y(1));
    T.col(0) = J.col(0).normalized();
    T.col(1) = (J.col(1) - T.col(0) * T.col(0).dot(J.col(1))).normalized();
  }
  Mat reduced(const Vec& y) const {
    const Real h = 1e-4L;
    Mat state, rate;
    for (int i = 0; i < 4; ++i) {
      const auto at = [&](Real step) {
        Vec moved = y;
        moved(i) += step;
        const Motion m = motion(moved);
        Eigen::Matrix<Real, 4, 2> both;
        both << T.transpose() * m.q, T.transpose() * m.v, T.transpose() * m.v, T.transpose() * m.a;
        return both;
      };
      const Eigen::Matrix<Real, 4, 2> slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
      state.col(i) = slope.col(0);
      rate.col(i) = slope.col(1);
    }
    return rate * inverse(state);
  }
};

TEST(FrozenLinearization, DoublePendulumOnItsWay) {
  const auto instance =
      catalog::make_problem("double-pendulum", {{"m1", "1.3"}, {"m2", "0.7"}, {"l1", "0.9"}, {"l2", "1.6"}});
  const AnglesOfDoublePendulum::Vec y(0.8L, -0.5L, 1.1L, -0.7L);
  AnglesOfDoublePendulum angles;
  angles.tangent(y);
  const auto m = AnglesOfDoublePendulum::motion(y);
  State state = instance.start;
  state.z << m.q.cast<double>(), m.v.cast<double>();
  const Linearization found = linearize(*instance.problem, state);
  // Another basis T of the same space: the invariants of R agree.
  const Matrix by_hand = angles.reduced(y).cast<double>();
  for (Matrix power = found.reduced, other = by_hand; const int k : {1, 2, 3, 4}) {
    EXPECT_NEAR(power.trace() / other.norm(), other.trace() / other.norm(), 1e-9) << k;
    power = product(power, found.reduced);
    other = product(other, by_hand);
  }
}

// ---- quaternions ----

// A symmetric top spinning upright: its tip z = x + i y obeys A z'' - i J2 w z' - m gravity z = 0 with A = J1 + m, so
// that deviations grow like sqrt(4 A m gravity - J2^2 w^2)/(2 A) until J2 w reaches 2 sqrt(A m gravity). Turning local
// coordinates only change imaginary parts.
TEST(FrozenLinearization, TheSleepingTopWakesBelowItsCriticalSpin) {
  const auto instance = catalog::make_problem("heavy-top");
  const double m = 15, J2 = .46875, A = m + .234375, gravity = 9.81,
               critical = 2 * std::sqrt(A * m * gravity) / J2;
  for (const double spin : {0.0, 0.5 * critical, 0.9 * critical, 1.2 * critical}) {
    const double half = std::numbers::sqrt2 / 2;
    const State state = make_state(*instance.problem, {{0, 0, 1, half, half, 0, 0}, {0, 0, 0, 0, spin, 0}});
    const Modes found = analysis::modes(*instance.problem, state);
    const double square = 4 * A * m * gravity - J2 * J2 * spin * spin;
    double growth = 0;
    for (const auto& mode : found.modes) growth = std::max(growth, mode.value.real());
    EXPECT_NEAR(growth, square > 0 ? std::sqrt(square) / (2 * A) : 0, 1e-9) << spin / critical;
    EXPECT_EQ(found.linearization.equilibrium, spin == 0);
    EXPECT_EQ(found.modes[0].kind, analysis::Mode::Kind::free);
  }
}

}  // namespace
}  // namespace driftless::tests
