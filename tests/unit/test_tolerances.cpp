// What tolerances stand for: errors of runs follow them, and where a run shows that it is far from them, a note says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "support/reference_error.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

Solution run(const std::string& problem, const Method& method, double tolerance) {
  const ProblemInstance instance = catalog::make_problem(problem);
  return solve(*instance.problem, instance.start, method,
               {.t_end = instance.t_end,
                .rtol = tolerance,
                .atol = tolerance,
                .output = {.kind = Output::Kind::at, .times = {}},
                .start_as_given = instance.start_as_given});
}

bool noted(const Solution& solution, const std::string& piece) {
  return std::any_of(solution.notes.begin(), solution.notes.end(),
                     [&](const std::string& note) { return contains(note, piece); });
}

double error_over_tolerance(const std::string& problem, const Method& method, double tolerance) {
  return q_error_at_end(problem, method, tolerance) / tolerance;
}

// A method of order 2 whose steps are of the size tol^(1/2) makes errors of the size tol; with an error per step of tol they would be tol^(2/3),
// twenty times more at 1e-8 than at 1e-4.
TEST(Tolerances, ErrorsOfGeneralizedAlphaAreProportionalToThem) {
  for (const char* formulation : {"index3", "ggl"})
    for (const char* problem : {"four-bar", "double-pendulum"}) {
      const Method method{.formulation = formulation, .integrator = "generalized-alpha"};
      const double loose = error_over_tolerance(problem, method, 1e-4),
                   tight = error_over_tolerance(problem, method, 1e-8);
      EXPECT_LT(tight, 100) << formulation << " on " << problem;
      EXPECT_NEAR(std::log10(tight / loose), 0, 0.5) << formulation << " on " << problem;
    }
}

// Velocities of index 3 are the derivative of the polynomial through positions: the error that it makes across the constraints is g'
// itself. Six hundred times the tolerance where positions alone are judged.
TEST(Tolerances, VelocitiesOfIndex3FollowThem) {
  for (const char* problem : {"spatial-slider-crank", "closed-chain", "four-bar"}) {
    const Solution solution = run(problem, {.formulation = "index3", .integrator = "bdf"}, 1e-6);
    ASSERT_TRUE(solution.complete()) << problem << ": " << solution.end_message;
    EXPECT_LT(solution.drift->velocity, 3e-5) << problem;
  }
}

// Robertson's reaction, whose first step is 1e16 times shorter than the run. The values at the end are those of Mazzia and Magherini's test set,
// which Hairer's program computed with quadruple precision.
struct Robertson {
  static constexpr int order = 1, nq = 3;
  void force(auto, auto y, auto f) const {
    const auto first = 0.04 * y[0], second = 1e4 * y[1] * y[2], third = 3e7 * y[1] * y[1];
    f[0] = -first + second;
    f[1] = first - second - third;
    f[2] = third;
  }
};

TEST(Tolerances, RunsTenThousandMillionTimesAsLongAsTheirFirstStepStart) {
  const auto problem = make_problem(Robertson{});
  const std::array<double, 3> exact = {0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050};
  for (const char* integrator : {"radau5", "bdf"}) {
    const Solution solution = solve(
        *problem, state_of(*problem, {1, 0, 0}), {.integrator = integrator, .stabilizer = "none"},
        {.t_end = 1e11, .rtol = 1e-7, .atol = 1e-20, .output = {.kind = Output::Kind::at, .times = {}}});
    ASSERT_TRUE(solution.complete()) << integrator << ": " << solution.end_message;
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(solution.final.z[i] / exact[static_cast<std::size_t>(i)], 1, 1e-3)
          << integrator << ", y" << i + 1;
  }
}

// Near t = 0 a step that fails falls to roundoff of what the motion does there, not for ever.
struct Wall {
  static constexpr int order = 1, nq = 1;
  void force(auto t, auto, auto f) const {
    using std::sqrt;
    f[0] = sqrt(1e-30 - t);  // has no value after 1e-30
  }
};

TEST(Tolerances, StepsThatFailAtTheStartEndTheRun) {
  const auto problem = make_problem(Wall{});
  const Solution solution =
      solve(*problem, state_of(*problem, {1}), {.stabilizer = "none"}, {.t_end = 1e11, .h0 = 1e-6});
  EXPECT_FALSE(solution.complete());
  EXPECT_LT(solution.work.steps, 100);
}

struct SmallDecay {
  static constexpr int order = 1, nq = 1;
  void force(auto, auto x, auto f) const { f[0] = -x[0]; }
};

// Below the size that a problem without units is taken to have, 1, and above all that it does. Larger ones are refused (test_missing_response.cpp).
TEST(Tolerances, ThatJudgeNothingAreNoted) {
  const auto problem = make_problem(SmallDecay{});
  const Solution solution =
      solve(*problem, state_of(*problem, {1e-3}), {.stabilizer = "none"}, {.t_end = 1, .atol = 0.5});
  EXPECT_TRUE(noted(solution, "atol = 0.5 is not smaller than any coordinate or velocity was"));
}

// 17 % of the energy that moves to and fro in this slider-crank is lost at its singular points, where these formulations give constraints up.
TEST(Tolerances, EnergyThatGetsLostIsNoted) {
  for (const char* formulation : {"trust-region", "direct-regularization"})
    for (const char* integrator : {"dopri5", "dop853"}) {
      const Solution solution =
          run("equal-link-slider-crank", {.formulation = formulation, .integrator = integrator}, 1e-6);
      EXPECT_TRUE(noted(solution, "the energy balance is off by -")) << formulation << " + " << integrator;
    }
}

// With g' = 0 alone imposed g drifts, and where g = 0 has a crossing the curve g = d has none: it turns off to the other branch.
TEST(Tolerances, ABranchThatDriftHasChosenIsNoted) {
  for (const double tolerance : {1e-6, 1e-8}) {
    const Solution solution =
        run("003-slider-crank", {.formulation = "index2", .integrator = "radau5"}, tolerance);
    EXPECT_TRUE(noted(solution, "the run turned away from a singular configuration")) << tolerance;
  }
  EXPECT_FALSE(noted(run("003-slider-crank", {}, 1e-6), "turned away"));
}

TEST(Tolerances, NothingIsNotedWhereTheyAreMet) {
  for (const auto& problem : catalog::problem_table()) {
    const Solution solution = run(problem.name, {}, 1e-6);
    for (const char* piece : {"energy balance", "stand for", "turned away", "no error was too large"})
      EXPECT_FALSE(noted(solution, piece)) << problem.name << ": " << piece;
  }
}

}  // namespace
}  // namespace driftless::tests
