// The truncation-error model: coefficients against the known series, predictions and exact discrete
// equilibria against numbers computed independently of this code, from simulations and from the closed
// equations.
#include <gtest/gtest.h>

#include <cmath>

#include <driftless/analysis/energy_equilibrium.hpp>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

using namespace driftless::analysis;

void expect_series(const std::vector<double>& a, const std::vector<double>& expected) {
  ASSERT_GE(a.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(a[k], expected[k], 1e-14) << k;
}

TEST(Truncation, CoefficientsOfKnownMethods) {
  // u/(e^u - 1): Bernoulli's numbers over k!.
  expect_series(truncation_coefficients(forward_euler(), 6),
                {1, -1.0 / 2, 1.0 / 12, 0, -1.0 / 720, 0, 1.0 / 30240});
  expect_series(truncation_coefficients(adams_bashforth(2), 5),
                {1, 0, -5.0 / 12, 1.0 / 4, -61.0 / 720, 1.0 / 48});
  expect_series(truncation_coefficients(adams_bashforth(3), 3), {1, 0, 0, -3.0 / 8});
  // The first coefficient that is left is minus the error constant: 251/720 for four steps.
  expect_series(truncation_coefficients(adams_bashforth(4), 4), {1, 0, 0, 0, -251.0 / 720});
  // Trapezoidal rule: (u/2) coth(u/2). BDF2: from 2/3 u/(1 - 4/3 e^-u + 1/3 e^-2u), leading error 1/3.
  expect_series(truncation_coefficients({.rho = {1, -1}, .sigma = {0.5, 0.5}}, 4),
                {1, 0, 1.0 / 12, 0, -1.0 / 720});
  expect_series(truncation_coefficients({.rho = {1.5, -2, 0.5}, .sigma = {1}}, 2), {1, 0, 1.0 / 3});
}

TEST(Truncation, AdamsBashforthHasItsClassicalWeights) {
  const std::vector<double> expected = {0, 55.0 / 24, -59.0 / 24, 37.0 / 24, -9.0 / 24};
  const auto sigma = adams_bashforth(4).sigma;
  ASSERT_EQ(sigma.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(sigma[i], expected[i], 1e-14);
  EXPECT_EQ(adams_bashforth(1).sigma, forward_euler().sigma);
}

// The series and the exact rate are the same function: w = i omega/A(i omega h).
TEST(Truncation, SeriesApproachesTheDiscreteRate) {
  for (const auto& method : {forward_euler(), adams_bashforth(2), adams_bashforth(3)}) {
    const double h = 0.05;
    const auto a = truncation_coefficients(method, 12);
    std::complex<double> A = 0, power = 1;
    for (const double a_k : a) {
      A += a_k * power;
      power *= std::complex<double>(0, h);
    }
    const auto series = std::complex<double>(0, 1) / A, exact = discrete_rate(method, h, h);
    EXPECT_LT(std::abs(series - exact), 1e-14);
  }
}

TEST(Truncation, RefusesWhatIsNoMethod) {
  EXPECT_NE(complaint([] {
              truncation_coefficients({.rho = {1, -0.5}, .sigma = {0, 1}}, 3);
            }).find("not consistent"),
            std::string::npos);
  EXPECT_NE(complaint([] {
              truncation_coefficients({.rho = {1, -1}, .sigma = {0, 2}}, 3);
            }).find("not consistent"),
            std::string::npos);
  EXPECT_NE(complaint([] { adams_bashforth(0); }).find("at least 1 step"), std::string::npos);
  EXPECT_NE(complaint([] {
              discrete_equilibrium(forward_euler(), 0.01, {.alpha = 1, .beta = 1, .mu_v = 0});
            }).find("mu_v is 0"),
            std::string::npos);
}

struct EquilibriumCase {
  const char* name;
  MultistepMethod method;
  double h;
  CircleGains gains;
  CircleEquilibrium leading, predicted, discrete;
  double digits;
};

class Equilibria : public testing::TestWithParam<EquilibriumCase> {};

void expect_close(const CircleEquilibrium& value, const CircleEquilibrium& expected, double tolerance) {
  EXPECT_NEAR(value.Phi / expected.Phi, 1, tolerance);
  EXPECT_NEAR(value.Phi_rate / expected.Phi_rate, 1, tolerance);
  EXPECT_NEAR(value.psi / expected.psi, 1, tolerance);
}

TEST_P(Equilibria, ArePredicted) {
  const auto& c = GetParam();
  expect_close(leading_equilibrium(c.method, c.h, c.gains), c.leading, c.digits);
  expect_close(predicted_equilibrium(c.method, c.h, c.gains), c.predicted, c.digits);
  const auto discrete = discrete_equilibrium(c.method, c.h, c.gains);
  expect_close(discrete, c.discrete, c.digits);
  if (c.discrete.omega != 1) {
    EXPECT_NEAR(discrete.omega, c.discrete.omega, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Circle, Equilibria,
    testing::Values(EquilibriumCase{"Euler",
                                    forward_euler(),
                                    0.01,
                                    {200, 1e4, 5},
                                    {1e-4, -5e-3, 1e-3},
                                    {1.001950e-4, -5e-3, 1e-3},
                                    {1.002004e-4, -5.010018e-3, 1.001803e-3, 1.000905194},
                                    5e-7},
                    EquilibriumCase{"AB2",
                                    adams_bashforth(2),
                                    0.01,
                                    {400.0 / 3, 2e4 / 3, 0.5},
                                    {5e-9, -2.5e-7, 5e-7},
                                    {5e-9, -2.5e-7, 5e-7},
                                    {5.000385e-9, -2.500192e-7, 5.000385e-7, 1.0000421644},
                                    2e-7},
                    EquilibriumCase{"AB3",
                                    adams_bashforth(3),
                                    0.02,
                                    {25, 125, 0.5},
                                    {-6e-7, 3e-6, -6e-6},
                                    {-6e-7, 3e-6, -6e-6},
                                    {-5.998331e-7, 2.999165e-6, -5.998338e-6},
                                    2e-7}),
    [](const auto& c) { return c.param.name; });

// Euler's equilibrium in closed form: Phi' = -h(1 + 2 psi)/2, Phi = (alpha/beta)(h/2)(1 + 2 psi), psi = h(1 +
// 2 psi)/(2 mu_v (1 + 2 Phi)).
TEST(EulerEquilibrium, SolvesItsOwnEquations) {
  for (const double h : {0.04, 0.02, 0.005}) {
    const CircleGains gains{2 / h, 1 / (h * h), 0.05 / h};
    const auto e = discrete_equilibrium(forward_euler(), h, gains);
    EXPECT_NEAR(e.Phi_rate, -h * (1 + 2 * e.psi) / 2, 1e-15);
    EXPECT_NEAR(e.Phi, gains.alpha / gains.beta * h / 2 * (1 + 2 * e.psi), 1e-15);
    EXPECT_NEAR(e.psi, h * (1 + 2 * e.psi) / (2 * gains.mu_v * (1 + 2 * e.Phi)), 1e-15);
  }
}

}  // namespace
}  // namespace driftless::tests
