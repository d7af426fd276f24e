// Adams-Bashforth methods between steps (interpolation) and over many steps (stability).
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "adams_walk.hpp"

namespace driftless::tests {
namespace {

class AdamsBashforthCurves : public testing::TestWithParam<int> {
 protected:
  const int k = GetParam();
};

// ---- interpolation ----

TEST_P(AdamsBashforthCurves, InterpolantIsExactToItsOrder) {
  for (int degree = 1; degree <= k; ++degree) {
    Walk walk(k, Power{degree}, 0.5, {std::pow(0.5, degree)});
    for (int n = 0; n < static_cast<int>(unequal.size()); ++n) {
      const double h = unequal[static_cast<std::size_t>(n)], t = walk.t();
      walk.step(h);
      if (n < k - 1) continue;  // the starter's own
      for (const double theta : {0.0, 0.2, 0.5, 0.9, 1.0})
        EXPECT_NEAR(walk.at(t + theta * h), std::pow(t + theta * h, degree), 2e-14) << degree << " " << t;
    }
  }
}

// On t^(k+1) every local error is a multiple of h^(k+1).
TEST_P(AdamsBashforthCurves, ErrorOfTheInterpolantScales) {
  const auto error = [&](double h) {
    Walk walk(k, Power{k + 1}, 0.5, {std::pow(0.5, k + 1)});
    for (int n = 0; n < k; ++n) walk.step(h);
    const double t = walk.t() - 0.4 * h;
    return walk.at(t) - std::pow(t, k + 1);
  };
  EXPECT_NEAR(error(0.2) / error(0.1), std::pow(2, k + 1), 1e-5);
}

// Both ends with their slopes, also where a stabilizer moved the states.
TEST_P(AdamsBashforthCurves, InterpolantJoinsTheMovedStatesSmoothly) {
  Walk walk(k, Decay{1}, 0, {1});
  for (const double h : unequal) {
    const double left = walk.x(), t = walk.t(), little = 1e-6;
    walk.step(h, 0.03);
    const double right = walk.x(), end = walk.t();
    EXPECT_NEAR(walk.at(t), left, 1e-15);
    EXPECT_NEAR(walk.at(end), right, 1e-15);
    EXPECT_NEAR((walk.at(t + little) - left) / little, -left, 1e-3);
    EXPECT_NEAR((right - walk.at(end - little)) / little, -right, 1e-3);
  }
}

// ---- stability ----

// x' = -x. Just inside the interval solutions shrink, just outside the parasitic root -1 makes them grow; after
// 200 steps nothing else is left.
TEST_P(AdamsBashforthCurves, RealStabilityInterval) {
  const double limit = std::array{1., 6. / 11, 3. / 10, 90. / 551}[static_cast<std::size_t>(k - 2)];
  const auto growth = [&](double h) {
    Walk walk(k, Decay{1}, 0, {1});
    for (int n = 0; n < 400; ++n) walk.step(h);
    return std::abs(walk.x() / walk.states[200].z(0));
  };
  EXPECT_LT(growth(0.995 * limit), 0.8);
  EXPECT_GT(growth(1.005 * limit), 1.2);
}

// x'' = -x: the amplification per step is 1 + c (h omega)^m to leading order, from the series of
// log zeta = z - gamma_k z^(k+1) - (gamma_(k+1) - (k+1)/2 gamma_k) z^(k+2) - .., gamma_j = 1/2, 5/12, 3/8, 251/720, 95/288.
TEST_P(AdamsBashforthCurves, UndampedOscillations) {
  const double h = 0.1;
  const double expected = std::array{std::pow(h, 4) / 4, -3 * std::pow(h, 4) / 8, -13 * std::pow(h, 6) / 24,
                                     95 * std::pow(h, 6) / 288}[static_cast<std::size_t>(k - 2)];
  Walk walk(k, Oscillator{}, 0, {1, 0}, "dop853");
  for (int n = 0; n < 100; ++n) walk.step(h);
  const double before = walk.states.back().z.norm();
  for (int n = 0; n < 10000; ++n) walk.step(h);
  EXPECT_NEAR(std::log(walk.states.back().z.norm() / before) / 10000 / expected, 1, 0.03);
}

INSTANTIATE_TEST_SUITE_P(All, AdamsBashforthCurves, testing::Values(2, 3, 4, 5),
                         [](const auto& c) { return "ab" + std::to_string(c.param); });

}  // namespace
}  // namespace driftless::tests
