// The error of a run over its tolerance, by the problem's own growth of errors, is below 100 for every method that chooses its steps, on
// part of the problems of docs/error-over-tolerance.md; else the run has a note.
#include <gtest/gtest.h>

#include "convergence/error_over_tolerance.hpp"

namespace driftless::tests {
namespace {

TEST(ErrorOverTolerance, IsBelowAHundredByGrowthOrNoted) {
  const std::vector<ToleranceRun> runs = measure_tolerances(
      {"andrews", "car-axis", "chaplygin-sleigh", "closed-chain", "double-pendulum",
       "equal-link-slider-crank", "flyball", "four-bar", "pendulum", "spatial-slider-crank"},
      {1e-6});
  EXPECT_GT(runs.size(), 300u);
  for (const ToleranceRun& run : runs) {
    if (run.outcome != ToleranceRun::Outcome::done || run.notes > 0) continue;
    EXPECT_LT(run.error_by_growth, 100)
        << run.formulation << " + " << run.integrator << " on " << run.problem << ": " << run.error;
  }
}

TEST(ErrorOverTolerance, Quantiles) {
  EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(quantile({3, 1, 2}, 1), 3);
  EXPECT_EQ(quantile({}, 0.5), 0);
}

}  // namespace
}  // namespace driftless::tests
