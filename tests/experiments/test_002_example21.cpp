// What is read off a scan of tolerances, on runs that are made up: steps = 300 (error/9e-6)^(-1/5).
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/002/example21.hpp"
#include "experiments/common/loop.hpp"

namespace driftless::experiments::paper002 {
namespace {

RunRecord made_up(double error, double count) {
  return {{{"final", {{"q", {1 - error, 200 + 400 * error}}}}, {"work", {{"steps", count}}}}, {}};
}

double law(double error) {
  return 300 * std::pow(error / 9e-6, -0.2);
}

TEST(Scan, TheLineGoesThroughTheRunsAround) {
  const RunRecord a = made_up(3e-6, law(3e-6)), b = made_up(2e-5, law(2e-5)), c = made_up(8e-5, law(8e-5)),
                  far = made_up(1e-4, 7), farther = made_up(1e-9, 7);
  EXPECT_NEAR(fitted_steps().of_runs({&far, &a, &b, &c, &farther}), 300, 1e-8);
  EXPECT_FALSE(std::isfinite(fitted_steps().of_runs({&a})));
}

// Of two runs above and two below the line the least squares are known: steps 2 and 8 at the same error have
// the mean 4.
TEST(Scan, TheLineIsThatOfLeastSquares) {
  const RunRecord a = made_up(3e-6, 2), b = made_up(3e-6, 8), c = made_up(2.7e-5, 2), d = made_up(2.7e-5, 8);
  EXPECT_NEAR(fitted_steps().of_runs({&a, &b, &c, &d}), 4, 1e-8);
}

TEST(Scan, TheFewestStepsInTheWindow) {
  const RunRecord below = made_up(6.9e-6, 100), first = made_up(1.1e-5, 300), second = made_up(8e-6, 250),
                  above = made_up(1.3e-5, 90);
  const Runs runs = {&below, &first, &second, &above};
  EXPECT_EQ(chosen(steps).of_runs(runs), 250);
  EXPECT_NEAR(chosen(error_x).of_runs(runs), 8e-6, 1e-15);
  EXPECT_NEAR(chosen(error_y).of_runs(runs), 3.2e-3, 1e-12);
}

// 6.9e-6 is nearer to 9e-6 than 1.3e-5 by the quotient, whatever the order of the runs and their steps.
TEST(Scan, TheNearestRunWhereNoneIsInTheWindow) {
  const RunRecord below = made_up(6.9e-6, 100), above = made_up(1.3e-5, 90), far = made_up(1e-4, 10);
  EXPECT_EQ(chosen(steps).of_runs({&below, &above, &far}), 100);
  EXPECT_EQ(chosen(steps).of_runs({&far, &above, &below}), 100);
  EXPECT_EQ(chosen(steps).of_runs({&far, &above}), 90);
  EXPECT_TRUE(std::isnan(chosen(steps).of_runs({})));
}

TEST(Scan, TolerancesInStepsOfATenthOfADecade) {
  const auto commands = commands_of(scan(form_ssf, setting_a));
  ASSERT_EQ(commands.size(), 36u);
  EXPECT_EQ(
      commands.front(),
      "driftless run 002-example21 --formulation 'state-space:R=1;0' --integrator "
      "'bdf:corrector=0.33,iterations=4,ratio=0.6,error_test=q[0]' --stabilizer none --rtol 3.16e-05 --atol "
      "3.16e-05");
  EXPECT_EQ(
      tolerances(4, 7, 13),
      std::vector<std::string>({"0.0001", "5.62e-05", "3.16e-05", "1.78e-05", "1e-05", "5.62e-06", "3.16e-06",
                                "1.78e-06", "1e-06", "5.62e-07", "3.16e-07", "1.78e-07", "1e-07"}));
}

}  // namespace
}  // namespace driftless::experiments::paper002
