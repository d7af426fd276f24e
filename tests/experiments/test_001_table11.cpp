// Ascher, Chin, Reich (1992), Table 1.1, beyond what `driftless reproduce 001` holds against it: Newton's
// default settings suffice for it, and `baumgarte` is `invariant-stabilized` with F = input.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

struct Row {
  const char* gamma;
  const char* F;
  double error, drift;
};

std::pair<double, double> measured(const Row& row, const char* integrator) {
  const auto problem = catalog::make_problem("001-example1");
  const Solution s =
      solve(*problem.problem, problem.start,
            {.formulation = std::string("invariant-stabilized:gamma=") + row.gamma + ",F=" + row.F,
             .integrator = integrator,
             .stabilizer = "none"},
            {.t_end = 1, .step = 0.01});
  EXPECT_TRUE(s.complete()) << s.end_message;
  Evaluation e;
  problem.problem->evaluate(Part::position, Point(s.final.t, s.final.z), e);
  return {(s.final.z - problem.reference.at(1)->z).cwiseAbs().maxCoeff(), std::abs(e.g(0))};
}

// With Newton's default settings, too: a kept Jacobian, tolerance 1e-10, which shows only in drifts below
// 1e-7.
TEST(Table11, DefaultSettingsSuffice) {
  for (const Row& row :
       {Row{"10", "input", .1008e-2, .2855e-3}, Row{"100", "full", .1397e-4, .3908e-5},
        Row{"10", "transpose", .1368e-4, .1210e-5}, Row{"1000", "input", .1338e42, .4523e39}}) {
    const auto [error, drift] = measured(row, "backward-euler");
    EXPECT_NEAR(error / row.error, 1, 1e-3) << row.gamma << " " << row.F;
    EXPECT_NEAR(drift / row.drift, 1, 1e-3) << row.gamma << " " << row.F;
  }
}

// (1.6) is `baumgarte`.
TEST(Table11, TheFirstColumnIsBaumgarte) {
  const auto problem = catalog::make_problem("001-example1");
  const auto run = [&](const char* formulation) {
    return solve(*problem.problem, problem.start,
                 {.formulation = formulation,
                  .integrator = "backward-euler:jacobian=fresh",
                  .stabilizer = "none"},
                 {.t_end = 1, .step = 0.01})
        .final.z;
  };
  EXPECT_LT((run("baumgarte:gamma=10") - run("invariant-stabilized:gamma=10,F=input")).norm(), 1e-11);
}

}  // namespace
}  // namespace driftless::tests
