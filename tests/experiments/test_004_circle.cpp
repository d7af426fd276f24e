// Yoon, Howe, Greenwood, Problem 1: a free mass on the unit circle with Baumgarte's feedback and energy
// control by steepest descent. Steady states and transients against an independent simulation; the paper's
// own numbers are lost.
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

struct Errors {
  double Phi, Phi_rate, psi;
};

Errors errors_at(const State& s) {
  return {(s.q().squaredNorm() - 1) / 2, s.q().dot(s.v()), (s.v().squaredNorm() - 1) / 2};
}

struct Setup {
  const char* integrator;
  double alpha, beta, mu_v, h;  // alpha = 0: no feedback, mu_v = 0: no control
};

Solution run(const Setup& s, double t_end, const std::vector<double>& times = {}) {
  const auto circle = catalog::make_problem("004-circle");
  Method method{
      .formulation = s.alpha == 0 ? "index1" : fmt::format("baumgarte:alpha={},beta={}", s.alpha, s.beta),
      .integrator = s.integrator,
      .stabilizer = "none"};
  if (s.mu_v > 0) method.controls = {fmt::format("energy-descent:mu_v={}", s.mu_v)};
  Options options{.t_end = t_end, .step = s.h};
  if (!times.empty()) options.output = {.kind = Output::Kind::at, .times = times};
  return solve(*circle.problem, circle.start, method, options);
}

Setup euler(double h, double mu_v) {
  return {"forward-euler", 2 / h, 1 / (h * h), mu_v, h};
}
Setup ab2(double h, double mu_v) {
  return {"ab2:start=forward-euler", 4 / (3 * h), 2 / (3 * h * h), mu_v, h};
}

void expect_close(const Errors& value, const Errors& expected, double tolerance, double roundoff = 0) {
  EXPECT_NEAR(value.Phi, expected.Phi, tolerance * std::abs(expected.Phi) + roundoff);
  EXPECT_NEAR(value.Phi_rate, expected.Phi_rate, tolerance * std::abs(expected.Phi_rate) + roundoff);
  EXPECT_NEAR(value.psi, expected.psi, tolerance * std::abs(expected.psi) + roundoff);
}

TEST(Circle, Example1) {
  const Solution s = run(euler(0.01, 5), 50);
  expect_close(errors_at(s.final), {1.002004e-4, -5.010018e-3, 1.001803e-3}, 5e-7);
  const auto exact = analysis::discrete_equilibrium(analysis::forward_euler(), 0.01, {200, 1e4, 5});
  expect_close(errors_at(s.final), {exact.Phi, exact.Phi_rate, exact.psi}, 1e-10);
}

TEST(Circle, Example2) {
  const Solution s = run(ab2(0.01, 0.5), 50, {1, 5, 10, 50});
  expect_close(errors_at(s.final), {5.000385e-9, -2.500193e-7, 5.000385e-7}, 5e-7, 1e-13);
  const auto exact =
      analysis::discrete_equilibrium(analysis::adams_bashforth(2), 0.01, {400.0 / 3, 2e4 / 3, 0.5});
  expect_close(errors_at(s.final), {exact.Phi, exact.Phi_rate, exact.psi}, 0, 1e-13);
  ASSERT_EQ(s.states.size(), 4u);
  EXPECT_NEAR(errors_at(s.states[0]).psi, 3.759543e-5, 1e-11);
  EXPECT_NEAR(errors_at(s.states[1]).psi, 1.178496e-6, 1e-12);
  EXPECT_NEAR(errors_at(s.states[2]).psi, 5.046022e-7, 1e-13);
}

TEST(Circle, OrdersOfEuler) {
  const Errors expected[] = {{1.6527e-3, -2.0659e-2, 1.6473e-2},
                             {4.0322e-4, -1.0081e-2, 4.0290e-3},
                             {1.0020e-4, -5.0100e-3, 1.0018e-3},
                             {2.5013e-5, -2.5013e-3, 2.5011e-4}};
  double h = 0.04;
  for (const Errors& e : expected) {
    expect_close(errors_at(run(euler(h, 0.05 / h), 50).final), e, 5e-5);
    h /= 2;
  }
}

TEST(Circle, OrdersOfAb2) {
  const Errors expected[] = {{1.281699e-6, -1.602124e-5, 3.204239e-5},
                             {8.002528e-8, -2.000632e-6, 4.001263e-6},
                             {5.000385e-9, -2.500193e-7, 5.000385e-7},
                             {3.125059e-10, -3.125060e-8, 6.250119e-8}};
  double h = 0.04;
  for (const Errors& e : expected) {
    expect_close(errors_at(run(ab2(h, 0.5), 50).final), e, 5e-7, 1e-13);
    h /= 2;
  }
}

TEST(Circle, Ab3HasTheOppositeSign) {
  const Solution s = run({"ab3:start=dop853", 25, 125, 0.5, 0.02}, 60);
  expect_close(errors_at(s.final), {-5.998331e-7, 2.999165e-6, -5.998338e-6}, 5e-7, 1e-13);
}

// Without energy control Euler's psi follows V^2 = 1/(1 - 2 h t), which has no end: blow-up near t = 50.
TEST(Circle, EulerWithoutControl) {
  const Solution s = run(euler(0.01, 0), 100, {1, 10, 20, 50});
  EXPECT_NE(s.end, EndReason::reached_end);
  ASSERT_GE(s.states.size(), 4u);
  EXPECT_NEAR(errors_at(s.states[0]).psi, 1.0161e-2, 1e-6);
  EXPECT_NEAR(errors_at(s.states[1]).psi, .124876, 1e-6);
  EXPECT_NEAR(errors_at(s.states[2]).psi, .332964, 1e-6);
  EXPECT_NEAR(errors_at(s.states[3]).psi, 213.7, 0.1);
}

// psi grows like 2 a_3 h^3 t from what the start by Euler leaves.
TEST(Circle, Ab2WithoutControl) {
  const Solution s = run(ab2(0.01, 0), 300, {50, 300});
  ASSERT_EQ(s.states.size(), 2u);
  EXPECT_NEAR(errors_at(s.states[0]).psi, 1.250625e-4, 1e-10);
  EXPECT_NEAR(errors_at(s.states[1]).psi, 2.502596e-4, 1e-10);
  EXPECT_NEAR(errors_at(s.states[0]).Phi, 5.004e-9, 1e-12);
}

TEST(Circle, NothingAtAll) {
  const Errors by_euler = errors_at(run({"forward-euler", 0, 0, 0, 0.01}, 50).final);
  EXPECT_NEAR(by_euler.Phi, .32434, 5e-6);
  EXPECT_NEAR(by_euler.psi, .32434, 5e-6);
  const Errors by_ab2 = errors_at(run({"ab2:start=forward-euler", 0, 0, 0, 0.01}, 50).final);
  EXPECT_NEAR(by_ab2.Phi, 6.2509e-5, 5e-10);
  EXPECT_NEAR(by_ab2.psi, 6.2509e-5, 5e-10);
}

// The reference of the problem turns with any start.
TEST(Circle, ExactMotion) {
  const auto circle =
      catalog::make_problem("004-circle", {{"X", "0.6"}, {"Y", "0.8"}, {"Vx", "-1.6"}, {"Vy", "1.2"}});
  const Solution s = solve(*circle.problem, circle.start, {}, {.t_end = 3, .rtol = 1e-11, .atol = 1e-11});
  const auto exact = circle.reference.at(3);
  EXPECT_LT((s.final.z - exact->z).norm(), 1e-8);
  EXPECT_NEAR(s.final.lambda(0), exact->lambda(0), 1e-8);
  EXPECT_NEAR(exact->lambda(0), 4, 1e-14);
}

}  // namespace
}  // namespace driftless::tests
