// radau5 against published references: Andrews (T1), car axis (T2), the heavy top (C1), the SUNDIALS slider-crank (C2) and the stiff
// flyball governor (B5); at default settings, and how errors follow the tolerance.
#include <gtest/gtest.h>

#include <cmath>

#include "support/reference_error.hpp"
#include "support/test_name.hpp"

namespace driftless::tests {
namespace {

const std::vector<Method> methods = {{.formulation = "ggl", .integrator = "radau5"},
                                     {.formulation = "index2", .integrator = "radau5"},
                                     {.formulation = "stabilized-index1", .integrator = "radau5"},
                                     {.formulation = "index1", .integrator = "radau5"},
                                     {.formulation = "index1", .integrator = "radau5", .controller = "pi"}};

class Radau5AtDefaults : public testing::TestWithParam<std::string> {};

TEST_P(Radau5AtDefaults, KeepsTheErrorOfPositions) {
  for (const Method& method : methods) {
    const double error = q_error_at_end(GetParam(), method, 1e-6);
    EXPECT_LT(error, 1e-5) << method.formulation;
    RecordProperty(test_name(method.formulation), std::to_string(error));
  }
}

// index3 judges velocities h times: errors of positions are larger at the same tolerance.
TEST_P(Radau5AtDefaults, Index3NeedsATighterTolerance) {
  const Method index3{.formulation = "index3", .integrator = "radau5"};
  EXPECT_LT(q_error_at_end(GetParam(), index3, 1e-6), 1e-3);
  EXPECT_LT(q_error_at_end(GetParam(), index3, 1e-8), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(All, Radau5AtDefaults,
                         testing::Values("andrews", "car-axis", "heavy-top", "sundials-slider-crank",
                                         "flyball"),
                         [](const auto& p) { return test_name(p.param); });

// Errors are proportional to the tolerance: over six decades within a factor of ten of the line.
TEST(Radau5Tolerances, GiveProportionalErrors) {
  for (const char* problem : {"andrews", "car-axis"})
    for (const char* formulation : {"ggl", "index2", "index1"}) {
      const Method method{.formulation = formulation, .integrator = "radau5"};
      const auto ratio = [&](double tolerance) {
        return q_error_at_end(problem, method, tolerance) / tolerance;
      };
      const double middle = ratio(1e-7);
      for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-8, 1e-9, 1e-10})
        EXPECT_LT(std::abs(std::log10(ratio(tolerance) / middle)), 1)
            << problem << " " << formulation << " " << tolerance;
    }
}

// At 1e-12 the references' own digits are reached, in index 3 too, and no run crawls.
TEST(Radau5AtTightTolerances, ReachesItsDigits) {
  for (const char* problem : {"andrews", "car-axis", "flyball"})
    for (const char* formulation : {"ggl", "index2", "index3", "index1"}) {
      const auto instance = catalog::make_problem(problem);
      const Solution s = run_to_end(instance, {.formulation = formulation, .integrator = "radau5"}, 1e-12);
      const double limit = std::string(formulation) == "index3" ? 2e-8 : 2e-10;
      EXPECT_LT(largest_error(s.final.q(), instance.reference.at(instance.t_end)->q(), 1e-2), limit)
          << problem << " " << formulation;
      EXPECT_LT(s.work.rejected, s.work.steps / 10) << problem << " " << formulation;
    }
}

// The norm is a row of its own; were it split by stages, Newton's method would diverge at any step (some 60000 of them).
TEST(Radau5Quaternions, KeepTheirNormAtAllSteps) {
  const auto instance = catalog::make_problem("heavy-top");
  for (const Method& method : methods) {
    const Solution s = run_to_end(instance, method, 1e-6, {.kind = Output::Kind::steps});
    ASSERT_GT(s.states.size(), 100u);
    EXPECT_LT(s.work.steps + s.work.rejected, 3000) << method.formulation;
    double largest = 0;
    for (const State& state : s.states) largest = std::max(largest, std::abs(state.q().tail<4>().norm() - 1));
    EXPECT_LT(largest, 1e-8) << method.formulation;
  }
}

}  // namespace
}  // namespace driftless::tests
