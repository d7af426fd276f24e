// Through singular configurations with default settings, against exact motions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

// IFToMM A02: ten times in 10 s all bars are in line, and G loses the rank N.
void expect_through_all_crossings(int N) {
  const auto p = catalog::make_problem("n-four-bar", {{"N", std::to_string(N)}});
  const Solution s = solve(*p.problem, p.start, {}, {.t_end = 10, .rtol = 1e-8});
  ASSERT_TRUE(s.complete()) << s.end_message;
  for (const State& state : s.states) {
    const auto q = state.q();
    for (int k = 1; k <= N; ++k)
      ASSERT_NEAR(q(3 * k + 2), q(2), 1e-3) << "cranks stay parallel, t = " << state.t;
  }
  const auto tip = [](const State& state) {  // B_0, twice the centre of the first crank
    return Vector(2 * state.q().head(2));
  };
  EXPECT_LT((tip(s.final) - tip(*p.reference.at(10))).norm(), 1e-6);
  ASSERT_TRUE(s.energy.has_value());
  EXPECT_LT(std::abs(s.energy->balance), 1e-4);
  int crossed = 0;
  for (const Singularity& one : s.singularities) {
    if (one.kind != Singularity::Kind::crossed) continue;
    ++crossed;
    EXPECT_NEAR(std::cos(p.reference.at(one.t)->q()(2)), 0, 1e-5) << one.t;
    EXPECT_EQ(one.rank, 5 * N + 2);
  }
  EXPECT_EQ(crossed, 10);
}

TEST(NFourBar, TwoThroughAllCrossings) {
  expect_through_all_crossings(2);
}
TEST(NFourBar, FiveThroughAllCrossings) {
  expect_through_all_crossings(5);
}
TEST(LongNFourBar, FortyThroughAllCrossings) {
  expect_through_all_crossings(40);
}

// Places where steps end lie away from crossings, by the length of the steps on either side.
TEST(NFourBar, StepsLeadAcrossCrossings) {
  const auto p = catalog::make_problem("n-four-bar");
  int crossings = 0;
  for (const double rtol : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
    const Solution s = solve(*p.problem, p.start, {}, {.t_end = 10, .rtol = rtol, .atol = rtol});
    ASSERT_TRUE(s.complete()) << s.end_message;
    for (const Singularity& one : s.singularities) {
      if (one.kind != Singularity::Kind::crossed) continue;
      ++crossings;
      const auto across = std::find_if(s.steps.begin(), s.steps.end(),
                                       [&](const StepRecord& step) { return step.t >= one.t; });
      ASSERT_NE(across, s.steps.end());
      const double part = 1 - (across->t - one.t) / across->h;
      EXPECT_GT(part, 0.15) << "t = " << one.t << ", rtol = " << rtol;
      EXPECT_LT(part, 0.95) << "t = " << one.t << ", rtol = " << rtol;
    }
  }
  EXPECT_EQ(crossings, 60);
}

// Where steps end beside crossings depends on states alone.
TEST(NFourBar, TakenUpAgainHasTheSameBits) {
  const auto p = catalog::make_problem("n-four-bar", {{"N", "5"}});
  const Options options{.t_end = 2.5, .rtol = 1e-8, .h0 = 1e-3};
  const Solution whole = solve(*p.problem, p.start, {}, options);
  ASSERT_TRUE(whole.complete()) << whole.end_message;
  for (int k = 1; k < whole.work.steps; k += 3) {
    Options some = options, rest = options;
    some.max_steps = k;
    rest.resume = solve(*p.problem, p.start, {}, some).checkpoint;
    EXPECT_EQ(solve(*p.problem, p.start, {}, rest).final.z, whole.final.z) << k;
  }
}

// Smaller steps land nearer to the singular configurations, where noise is divided by the distance.
TEST(NFourBar, SmallerStepsDoNoHarm) {
  const auto p = catalog::make_problem("n-four-bar");
  const auto error = [&](double step) {
    const Solution s = solve(*p.problem, p.start, {.integrator = "rk4"}, {.t_end = 10, .step = step});
    EXPECT_TRUE(s.complete()) << s.end_message;
    return (s.final.q() - p.reference.at(10)->q()).lpNorm<Eigen::Infinity>();
  };
  for (const double step : {1e-2, 2.5e-3})
    EXPECT_LT(error(step), std::max(1e3 * std::pow(step, 4), 5e-7)) << step;
  // One step in ten happens to have a stage so near to a crossing that it loses digits; which ones, roundoff decides.
  std::vector<double> errors;
  for (int i = 0; i < 15; ++i) errors.push_back(error(6e-4 + 2e-6 * i));
  std::sort(errors.begin(), errors.end());
  EXPECT_LT(errors[7], 5e-7);
  EXPECT_LT(errors.back(), 5e-3);
}

}  // namespace
}  // namespace driftless::tests
