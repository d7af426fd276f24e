// The published problems at tight tolerances with dop853 and post-stabilization: Andrews (T1), car axis (T2), heavy top (C1) and the
// SUNDIALS slider-crank (C2) to 8 digits, the stiff flyball governor (B5) to 6; double pendulum and four-bar linkage to 11. The reference values of each problem are published or
// independently recomputed; how far they go is what limits the digits.
#include <gtest/gtest.h>

#include <cmath>

#include "support/reference_error.hpp"

namespace driftless::tests {
namespace {

struct TightCase {
  std::string problem;
  double tolerance;
  int digits;         // in every component of q, v that is known
  int lambda_digits;  // of the multipliers; 0: not known
  double small;       // components below this are measured against it, not against themselves
};
std::ostream& operator<<(std::ostream& out, const TightCase& c) {
  return out << c.problem;
}

class TightRuns : public testing::TestWithParam<TightCase> {};

TEST_P(TightRuns, ReachTheirDigits) {
  const TightCase& c = GetParam();
  const auto instance = catalog::make_problem(c.problem);
  const State exact = *instance.reference.at(instance.t_end);
  const Solution s = solve(*instance.problem, instance.start, {.integrator = "dop853", .stabilizer = "post"},
                           {.t_end = instance.t_end,
                            .rtol = c.tolerance,
                            .atol = c.tolerance,
                            .output = {.kind = Output::Kind::at, .times = {instance.t_end}}});
  ASSERT_TRUE(s.complete()) << s.end_message;
  if (exact.q().size() > 0) {
    EXPECT_LT(largest_error(s.final.q(), exact.q(), c.small), std::pow(10, -c.digits));
  }
  if (exact.z.size() == s.final.z.size() && std::isfinite(exact.v()(0))) {
    EXPECT_LT(largest_error(s.final.v(), exact.v(), c.small), std::pow(10, -c.digits));
  }
  if (c.lambda_digits > 0) {
    EXPECT_LT(largest_error(s.final.lambda, exact.lambda, c.small), std::pow(10, -c.lambda_digits));
  }
  RecordProperty("steps", static_cast<int>(s.work.steps));
}

INSTANTIATE_TEST_SUITE_P(All, TightRuns,
                         testing::Values(TightCase{"andrews", 1e-13, 8, 8, 0},
                                         TightCase{"car-axis", 1e-13, 8, 8, 1e-2},
                                         TightCase{"heavy-top", 1e-13, 8, 8, 1},
                                         TightCase{"sundials-slider-crank", 1e-12, 8, 0, 0},
                                         TightCase{"double-pendulum", 1e-13, 11, 10, 0},
                                         TightCase{"four-bar", 1e-13, 11, 10, 1},
                                         TightCase{"flyball", 1e-10, 6, 0, 0}),
                         [](const auto& p) {
                           std::string name = p.param.problem;
                           for (char& letter : name)
                             if (letter == '-') letter = '_';
                           return name;
                         });

}  // namespace
}  // namespace driftless::tests
