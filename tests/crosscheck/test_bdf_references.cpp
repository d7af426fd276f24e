// bdf against published references: Andrews (T1), car axis (T2), the SUNDIALS slider-crank (C2), the stiff flyball governor (B5) and the
// heavy top (C1), in the form `ggl` and in `index1` with `post`; at default settings, and at tight ones.
#include <gtest/gtest.h>

#include "support/reference_error.hpp"
#include "support/test_name.hpp"

namespace driftless::tests {
namespace {

const Method ggl{.formulation = "ggl", .integrator = "bdf"};
const Method index1_post{.formulation = "index1", .integrator = "bdf", .stabilizer = "post"};

struct DefaultCase {
  std::string problem;
  double limit;  // of the absolute error of q
};
std::ostream& operator<<(std::ostream& out, const DefaultCase& c) {
  return out << c.problem;
}

class BdfAtDefaults : public testing::TestWithParam<DefaultCase> {};

TEST_P(BdfAtDefaults, KeepsTheErrorOfPositions) {
  const DefaultCase& c = GetParam();
  for (const Method& method : {ggl, index1_post}) {
    const double error = q_error_at_end(c.problem, method, 1e-6);
    EXPECT_LT(error, c.limit) << method.formulation;
    RecordProperty(test_name(method.formulation), std::to_string(error));
  }
}

INSTANTIATE_TEST_SUITE_P(All, BdfAtDefaults,
                         testing::Values(DefaultCase{"andrews", 1e-4}, DefaultCase{"car-axis", 1e-4},
                                         DefaultCase{"sundials-slider-crank", 1e-4},
                                         DefaultCase{"flyball", 1e-4}, DefaultCase{"heavy-top", 5e-3}),
                         [](const auto& p) { return test_name(p.param.problem); });

// The norm is no constraint of the mechanism: BDF alone would lose it.
TEST(BdfQuaternions, KeepTheirNormAtAllSteps) {
  const auto instance = catalog::make_problem("heavy-top");
  for (const Method& method : {ggl, index1_post}) {
    const Solution s = run_to_end(instance, method, 1e-6, {.kind = Output::Kind::steps});
    ASSERT_GT(s.states.size(), 100u);
    double largest = 0;
    for (const State& state : s.states) largest = std::max(largest, std::abs(state.q().tail<4>().norm() - 1));
    EXPECT_LT(largest, 1e-12) << method.formulation;
  }
}

struct TightCase {
  std::string problem;
  double tolerance;
  double q, v;   // limits of the relative error of every entry that is known
  double small;  // entries below this are measured against it, not against themselves
};
std::ostream& operator<<(std::ostream& out, const TightCase& c) {
  return out << c.problem;
}

class BdfAtTightTolerances : public testing::TestWithParam<TightCase> {};

TEST_P(BdfAtTightTolerances, ReachesItsDigits) {
  const TightCase& c = GetParam();
  const auto instance = catalog::make_problem(c.problem);
  const State exact = *instance.reference.at(instance.t_end);
  for (const Method& method : {ggl, index1_post}) {
    const Solution s = run_to_end(instance, method, c.tolerance);
    EXPECT_LT(largest_error(s.final.q(), exact.q(), c.small), c.q) << method.formulation;
    EXPECT_LT(largest_error(s.final.v(), exact.v(), c.small), c.v) << method.formulation;
  }
}

INSTANTIATE_TEST_SUITE_P(All, BdfAtTightTolerances,
                         testing::Values(TightCase{"andrews", 3e-12, 1e-8, 1e-7, 0},
                                         TightCase{"car-axis", 1e-13, 1e-8, 1e-7, 1e-2},
                                         TightCase{"flyball", 1e-12, 1e-8, 1e-8, 0},
                                         TightCase{"heavy-top", 1e-11, 1e-6, 1e-6, 1}),
                         [](const auto& p) { return test_name(p.param.problem); });

}  // namespace
}  // namespace driftless::tests
