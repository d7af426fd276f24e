// Frequencies, growth rates and damping of equilibria against reductions by hand, relative 1e-9 and better.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <driftless/analysis/equilibrium.hpp>
#include <driftless/analysis/modes.hpp>
#include <driftless/catalog/catalog.hpp>

namespace driftless::tests {
namespace {

using analysis::Mode;
using analysis::Modes;
using analysis::Verdict;
using Set = std::vector<std::pair<std::string, std::string>>;
using Search = analysis::EquilibriumOptions::Search;

constexpr double exact = 1e-12;  // relative

Modes modes_of(const std::string& name, const Set& set = {}, Search search = Search::downhill) {
  const ProblemInstance instance = catalog::make_problem(name, set);
  const auto rest = analysis::equilibrium(*instance.problem, instance.start, {.search = search});
  EXPECT_TRUE(rest.found) << rest.report;
  return analysis::modes(*instance.problem, rest.state);
}

// Small motions of the angles about rods that hang (sigma = 1) or stand (sigma = -1): mu = omega^2 solves
//   m1 l1 l2 mu^2 - (m1 + m2) gravity (sigma1 l2 + sigma2 l1) mu + sigma1 sigma2 (m1 + m2) gravity^2 = 0
// from M = [(m1 + m2) l1^2, sigma1 sigma2 m2 l1 l2; ., m2 l2^2], K = diag(sigma1 (m1 + m2) gravity l1, sigma2 m2 gravity l2).
// V = q^3: at rest in q = 0, which is no minimum. A search from above ends a little above, where V bends upwards.
struct Inflection {
  static constexpr int nq = 1;
  void force(auto, auto q, auto, auto f) const { f[0] = -3.0 * q[0] * q[0]; }
  auto energy(auto, auto q, auto v) const { return v[0] * v[0] / 2.0 + q[0] * q[0] * q[0]; }
};

TEST(Modes, AnInflectionIsNoMinimum) {
  const auto problem = make_problem(Inflection{});
  const auto rest = analysis::equilibrium(*problem, make_state(*problem, {{0.5}, {0.0}}));
  if (!rest.found) return;
  const auto found = analysis::modes(*problem, rest.state);
  EXPECT_NE(found.verdict, analysis::Verdict::stable) << found.explanation;
}

TEST(Modes, DoublePendulumInAllFourEquilibria) {
  const double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 1.6, gravity = 9.81;
  for (const int sigma1 : {1, -1})
    for (const int sigma2 : {1, -1}) {
      const auto angle = [](int sigma) { return sigma > 0 ? "0" : "3.141592653589793"; };
      const Modes found = modes_of("double-pendulum", {{"m1", "1.3"},
                                                       {"m2", "0.7"},
                                                       {"l1", "0.9"},
                                                       {"l2", "1.6"},
                                                       {"phi1", angle(sigma1)},
                                                       {"phi2", angle(sigma2)}});
      const double a = m1 * l1 * l2, b = (m1 + m2) * gravity * (sigma1 * l2 + sigma2 * l1) / 2,
                   c = sigma1 * sigma2 * (m1 + m2) * gravity * gravity;
      const double far = (b + std::copysign(std::sqrt(b * b - a * c), b)) / a, near = c / (a * far);
      EXPECT_EQ(found.verdict, sigma1 > 0 && sigma2 > 0 ? Verdict::stable : Verdict::unstable)
          << found.explanation;
      std::vector<std::complex<double>> expected;
      for (const double mu : {near, far}) {
        if (mu > 0) expected.push_back({0, std::sqrt(mu)});
        if (mu < 0) expected.insert(expected.end(), {std::sqrt(-mu), -std::sqrt(-mu)});
      }
      ASSERT_EQ(found.modes.size(), expected.size());
      for (const auto& value : expected) {
        double nearest = 1;
        for (const Mode& mode : found.modes) nearest = std::min(nearest, std::abs(mode.value - value));
        EXPECT_LT(nearest, exact * std::abs(value)) << value << sigma1 << sigma2;
      }
    }
}

// Shapes: hanging with m1 = m2, l1 = l2, phi2 = +-sqrt(2) phi1, so that x2/x1 = 1 +- sqrt(2).
TEST(Modes, ShapesOfTheDoublePendulum) {
  const Modes found = modes_of("double-pendulum");
  ASSERT_EQ(found.modes.size(), 2u);
  const auto ratio = [&](std::size_t i) {
    return found.modes[i].coordinates(2) / found.modes[i].coordinates(0);
  };
  EXPECT_LT(std::abs(ratio(0) - (1 + std::numbers::sqrt2)), 1e-10);
  EXPECT_LT(std::abs(ratio(1) - (1 - std::numbers::sqrt2)), 1e-10);
  for (const Mode& mode : found.modes) {
    EXPECT_EQ(mode.kind, Mode::Kind::undamped);
    EXPECT_EQ(mode.count, 2);
    EXPECT_EQ(mode.damping(), 0);
    EXPECT_NEAR(mode.hertz(), std::abs(mode.value) / (2 * std::numbers::pi), 1e-15);
    EXPECT_LT((mode.velocities - mode.value * mode.coordinates).norm(), 1e-12);
  }
}

// By the crank angle theta: dpsi = dy2 = 0 and dx2 = r dtheta at theta = -+pi/2, the potential is
// m2 g (l - l1) (r/l) sin theta and the crank is damped:  (J1 + m2 r^2) s^2 + s +- m2 g (l - l1) r/l = 0.
TEST(Modes, SliderCrankHangingAndStanding) {
  const double mass = 10 + 1, stiffness = 9.81 / 3;
  const Modes low = modes_of("001-slider-crank");
  ASSERT_EQ(low.modes.size(), 1u);
  const Mode& mode = low.modes[0];
  EXPECT_NEAR(mode.frequency() / std::sqrt(stiffness / mass), 1, exact);
  EXPECT_NEAR(mode.damping() / (1 / (2 * std::sqrt(stiffness * mass))), 1, exact);
  EXPECT_EQ(low.verdict, Verdict::stable);
  EXPECT_TRUE(low.linearization.time_frozen);

  const auto instance = catalog::make_problem("001-slider-crank");
  const double psi = std::asin(1.0 / 3);
  State top = make_state(*instance.problem, {{std::numbers::pi / 2, 2 * std::cos(psi), std::sin(psi), psi}});
  const Modes high = analysis::modes(*instance.problem, top);
  const double root = std::sqrt(1 + 4 * mass * stiffness);
  ASSERT_EQ(high.modes.size(), 2u);
  EXPECT_NEAR(high.modes[0].value.real() / ((-1 + root) / (2 * mass)), 1, exact);
  EXPECT_NEAR(high.modes[1].value.real() / ((-1 - root) / (2 * mass)), 1, exact);
  EXPECT_EQ(high.verdict, Verdict::unstable);
}

// In its dead centre q = p = 0: p = -a q, x = 1 + a - (a + a^2) q^2/2, and, since x = cos p + a cos q,
// l^2 = (1 + a^2)/4 + a cos(p - q)/2, so that l = (1 + a)/2 - a (1 + a) q^2/4; the potential k (l - l0)^2/2 -
// F (x + cos p) has the second derivative -k ((1 + a)/2 - l0) a (1 + a)/2 + F (a + 2 a^2), the inertia is J1 + a^2 J2.
// The damper stands still to first order.
TEST(Modes, SundialsSliderCrankInItsDeadCentre) {
  const double a = 0.5, stiffness = -((1 + a) / 2 - 1) * a * (1 + a) / 2 + a + 2 * a * a,
               mass = 1 + 2 * a * a;
  const Modes found = modes_of("sundials-slider-crank");
  ASSERT_EQ(found.modes.size(), 1u);
  EXPECT_NEAR(found.modes[0].value.imag() / std::sqrt(stiffness / mass), 1, exact);
  EXPECT_EQ(found.verdict, Verdict::undecided);
}

// The four-bar by its crank angle a1, everything else by implicit differentiation of the closed loop
//   l1 e^(i a1) + l2 e^(i a2) - l3 e^(i a3) = l0 :
//   first    l2 i e2 a2' - l3 i e3 a3' = -l1 i e1
//   second   l2 i e2 a2'' - l3 i e3 a3'' = l1 e1 + l2 e2 a2'^2 - l3 e3 a3'^2
// V' and V'' of the potential and the inertia of the three bars follow.
struct ReducedFourBar {
  using Real = long double;
  using Complex = std::complex<Real>;
  Real l0 = 2, l1 = 1, l2 = 2.5L, l3 = 2, m1 = 1, m2 = 2.5L, m3 = 2, gravity = 9.81L, k = 50, a0 = 1.5L;
  Real mass = 0, slope = 0, stiffness = 0, a2 = 0, a3 = 0;

  // y with Re and Im of u y1 + v y2 = r.
  static std::pair<Real, Real> solve(Complex u, Complex v, Complex r) {
    const Real det = u.real() * v.imag() - u.imag() * v.real();
    return {(r.real() * v.imag() - r.imag() * v.real()) / det,
            (u.real() * r.imag() - u.imag() * r.real()) / det};
  }
  static Complex turn(Real angle) { return std::polar(Real(1), angle); }

  void at(Real a1) {
    const Complex i(0, 1), e1 = turn(a1), gap = l0 - l1 * e1;
    const Real d = std::abs(gap);
    a2 = std::arg(gap) + std::acos((d * d + l2 * l2 - l3 * l3) / (2 * d * l2));
    a3 = std::arg(l1 * e1 + l2 * turn(a2) - l0);
    const Complex e2 = turn(a2), e3 = turn(a3);
    const auto [b2, b3] = solve(l2 * i * e2, -l3 * i * e3, -l1 * i * e1);
    const auto [c2, c3] = solve(l2 * i * e2, -l3 * i * e3, l1 * e1 + l2 * e2 * b2 * b2 - l3 * e3 * b3 * b3);
    // First and second derivatives of the three centres.
    const Complex p1 = l1 / 2 * i * e1, p2 = l1 * i * e1 + l2 / 2 * i * e2 * b2, p3 = l3 / 2 * i * e3 * b3,
                  s1 = -l1 / 2 * e1, s2 = -l1 * e1 + l2 / 2 * (i * e2 * c2 - e2 * b2 * b2),
                  s3 = l3 / 2 * (i * e3 * c3 - e3 * b3 * b3);
    mass = m1 * (std::norm(p1) + l1 * l1 / 12) + m2 * (std::norm(p2) + l2 * l2 / 12 * b2 * b2) +
           m3 * (std::norm(p3) + l3 * l3 / 12 * b3 * b3);
    slope = gravity * (m1 * p1.imag() + m2 * p2.imag() + m3 * p3.imag()) + k * (a1 - a0);
    stiffness = gravity * (m1 * s1.imag() + m2 * s2.imag() + m3 * s3.imag()) + k;
  }
  // The rest position between two angles where the slope changes its sign.
  Real rest(Real low, Real high) {
    at(low);
    const bool rising = slope < 0;
    for (int i = 0; i < 200; ++i) {
      const Real middle = (low + high) / 2;
      at(middle);
      ((slope < 0) == rising ? low : high) = middle;
    }
    return low;
  }
};

TEST(Modes, FourBarOnItsSpring) {
  const Modes found = modes_of("four-bar");
  ReducedFourBar by_hand;
  const auto angle = by_hand.rest(1, 1.5L);
  const State& state = found.linearization.state;
  EXPECT_NEAR(state.q()(2), static_cast<double>(angle), 1e-13);
  EXPECT_NEAR(state.q()(5), static_cast<double>(by_hand.a2), 1e-13);
  EXPECT_NEAR(state.q()(8), static_cast<double>(by_hand.a3), 1e-13);
  ASSERT_EQ(found.modes.size(), 1u);
  EXPECT_NEAR(found.modes[0].value.imag() / static_cast<double>(std::sqrt(by_hand.stiffness / by_hand.mass)),
              1, 1e-12);
  EXPECT_EQ(found.verdict, Verdict::stable);
}

// Without the spring and started near the top: Newton's method stays there, downhill leaves for the bottom.
TEST(Modes, FourBarBalancedOnTop) {
  ReducedFourBar by_hand;
  by_hand.k = 0;
  const auto top = by_hand.rest(0.5L, 2.5L);
  ASSERT_LT(by_hand.stiffness, 0);
  const Set set = {{"k", "0"}, {"phi", std::to_string(static_cast<double>(top) + 0.05)}};
  const Modes found = modes_of("four-bar", set, Search::newton);
  EXPECT_NEAR(found.linearization.state.q()(2), static_cast<double>(top), 1e-12);
  ASSERT_EQ(found.modes.size(), 2u);
  const double rate = static_cast<double>(std::sqrt(-by_hand.stiffness / by_hand.mass));
  EXPECT_NEAR(std::abs(found.modes[0].value.real()) / rate, 1, 1e-11);
  EXPECT_NEAR(found.modes[0].value.real() + found.modes[1].value.real(), 0, 1e-11);
  EXPECT_EQ(found.verdict, Verdict::unstable);

  const Modes low = modes_of("four-bar", set);
  by_hand.at(static_cast<long double>(low.linearization.state.q()(2)));
  EXPECT_EQ(low.verdict, Verdict::stable);
  EXPECT_NEAR(static_cast<double>(by_hand.slope), 0, 1e-11);
  EXPECT_NEAR(low.modes[0].value.imag() / static_cast<double>(std::sqrt(by_hand.stiffness / by_hand.mass)), 1,
              1e-10);
}

// m l^2 s^2 + c l^2 s + m gravity l = 0, by the angle; overdamped for c = 5.
TEST(Modes, DampedPendulum) {
  for (const double c : {0.3, 5.0}) {
    const Modes found =
        modes_of("pendulum", {{"m", "2"}, {"length", "4"}, {"gravity", "3"}, {"c", std::to_string(c)}});
    const std::complex<double> root = std::sqrt(std::complex<double>(c * c - 4 * 2 * 2 * 3.0 / 4));
    EXPECT_LT(std::abs(found.modes.back().value - (root.real() > 0 ? -c - root : -c + root) / 4.0), 1e-13);
    EXPECT_EQ(found.modes.size(), c < 1 ? 1u : 2u);
    EXPECT_EQ(found.verdict, Verdict::stable);
  }
}

// About the pivot the hanging top has the inertia J + m: omega^2 = m gravity/(J + m) for the two ways to
// swing, and it turns freely about its own axis.
TEST(Modes, HeavyTopHanging) {
  const Modes found = modes_of("heavy-top", {{"J3", "0.9"}, {"spin", "0"}, {"wz", "0"}});
  ASSERT_EQ(found.modes.size(), 3u);
  EXPECT_EQ(found.modes[0].kind, Mode::Kind::free);
  EXPECT_EQ(found.modes[0].value, 0.0);
  EXPECT_EQ(found.modes[0].count, 2);
  EXPECT_NEAR(found.modes[1].value.imag() / std::sqrt(15 * 9.81 / (15 + 0.9)), 1, exact);
  EXPECT_NEAR(found.modes[2].value.imag() / std::sqrt(15 * 9.81 / (15 + 0.234375)), 1, exact);
  EXPECT_EQ(found.verdict, Verdict::undecided);
  EXPECT_NE(found.explanation.find("1 free motion (double zero eigenvalue)"), std::string::npos)
      << found.explanation;
}

}  // namespace
}  // namespace driftless::tests
