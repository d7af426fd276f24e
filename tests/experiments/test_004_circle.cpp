// Yoon, Howe, Greenwood, Problem 1: a free mass on the unit circle with Baumgarte's feedback and energy
// control by steepest descent. Its errors settle where the formulas say; `driftless reproduce 004` has all
// the numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

struct Errors {
  double Phi, Phi_rate, psi;
};

Errors errors_at(const State& s) {
  return {(s.q().squaredNorm() - 1) / 2, s.q().dot(s.v()), (s.v().squaredNorm() - 1) / 2};
}

void expect_settled(const char* formulation, const char* integrator, const char* control,
                    const analysis::CircleEquilibrium& exact, double tolerance, double roundoff) {
  const auto circle = catalog::make_problem("004-circle");
  const Solution s = solve(
      *circle.problem, circle.start,
      {.formulation = formulation, .integrator = integrator, .stabilizer = "none", .controls = {control}},
      {.t_end = 50, .step = 0.01});
  const Errors found = errors_at(s.final);
  EXPECT_NEAR(found.Phi, exact.Phi, tolerance * std::abs(exact.Phi) + roundoff) << integrator;
  EXPECT_NEAR(found.Phi_rate, exact.Phi_rate, tolerance * std::abs(exact.Phi_rate) + roundoff) << integrator;
  EXPECT_NEAR(found.psi, exact.psi, tolerance * std::abs(exact.psi) + roundoff) << integrator;
}

TEST(Circle, SettlesInTheExactEquilibrium) {
  expect_settled("baumgarte:alpha=200,beta=10000", "forward-euler", "energy-descent:mu_v=5",
                 analysis::discrete_equilibrium(analysis::forward_euler(), 0.01, {200, 1e4, 5}), 1e-10, 0);
  expect_settled(
      "baumgarte:alpha=133.33333333333334,beta=6666.666666666667", "ab2:start=forward-euler",
      "energy-descent:mu_v=0.5",
      analysis::discrete_equilibrium(analysis::adams_bashforth(2), 0.01, {400.0 / 3, 2e4 / 3, 0.5}), 0,
      1e-13);
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
