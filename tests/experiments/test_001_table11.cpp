// Ascher, Chin, Reich (1992), Table 1.1: backward Euler with step 0.01 on Example 1, stabilized with D = B
// (1.6), F = G^T (G G^T)^-1 (1.7) and F = G^T (1.8). Values at t = 1 recomputed independently; the paper
// prints two digits of them.
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

constexpr double not_compared = 0;

// The problem is linear, so that Newton's method with the Jacobian of the step itself needs one iteration and
// one to see it.
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

TEST(Table11, AllEntries) {
  const Row rows[] = {{"0", "input", .1876e-2, .8506e-2},          {"0", "full", .1876e-2, .8506e-2},
                      {"0", "transpose", .1876e-2, .8506e-2},      {"1", "input", .2192e-2, .4895e-2},
                      {"1", "full", .1071e-2, .4881e-2},           {"1", "transpose", .2484e-4, .1024e-3},
                      {"10", "input", .1008e-2, .2855e-3},         {"10", "full", .5584e-4, .3116e-3},
                      {"10", "transpose", .1368e-4, .1210e-5},     {"100", "input", .2666e-4, .9281e-8},
                      {"100", "full", .1397e-4, .3908e-5},         {"100", "transpose", .1355e-4, .1243e-7},
                      {"1000", "input", .1338e42, .4523e39},       {"1000", "full", .1356e-4, .4020e-7},
                      {"1000", "transpose", .1355e-4, .1348e-9},   {"1e8", "full", .1355e-4, not_compared},
                      {"1e8", "transpose", .1355e-4, not_compared}};
  for (const Row& row : rows) {
    const auto [error, drift] = measured(row, "backward-euler:jacobian=fresh");
    // Four digits are known: half a unit of the last.
    EXPECT_NEAR(error / row.error, 1, 0.5e-4 / 0.1) << row.gamma << " " << row.F;
    if (row.drift != not_compared) {
      EXPECT_NEAR(drift / row.drift, 1, 0.5e-4 / 0.1) << row.gamma << " " << row.F;
    } else {
      EXPECT_LT(drift, 1e-14) << "roundoff";
    }
  }
}

// The feedback of (1.6) with gamma = 1e8 destroys the solution without overflow. Arithmetic with 60 digits
// gives an error of .9191e74 and a drift of .306e67; the printed drift, .45e58, belongs to an infinite gamma
// and is not compared.
TEST(Table11, TheLargestGainIsCarriedThrough) {
  const auto [error, drift] = measured({"1e8", "input", 0, 0}, "backward-euler:jacobian=fresh");
  EXPECT_NEAR(error / .9191e74, 1, 0.01);
  EXPECT_NEAR(drift / .306e67, 1, 0.01);
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
