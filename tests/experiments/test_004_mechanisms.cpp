// The runs that `driftless reproduce 004` measures the errors of its pendulum against.
#include <gtest/gtest.h>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

// With friction there is no exact motion, hence a fine run; without, it agrees with elliptic functions.
TEST(EnergyControlled, PendulumReference) {
  for (const char* c : {"0", "0.1"}) {
    const auto p = catalog::make_problem(
        "pendulum", {{"x", "0"}, {"y", "-1"}, {"vx", "7"}, {"vy", "0"}, {"gravity", "9.81"}, {"c", c}});
    const Vector fine = solve(*p.problem, p.start, {.integrator = "dop853", .stabilizer = "projection"},
                              {.t_end = 5, .step = 0.0025})
                            .final.z;
    const Vector finer = solve(*p.problem, p.start, {.integrator = "dop853", .stabilizer = "projection"},
                               {.t_end = 5, .step = 0.001})
                             .final.z;
    EXPECT_LT((fine - finer).norm(), 1e-9) << c;
    EXPECT_EQ(static_cast<bool>(p.reference.at), std::string(c) == "0") << "no exact motion with friction";
    if (p.reference.at) {
      EXPECT_LT((fine - p.reference.at(5)->z).norm(), 1e-9);
    }
  }
}

}  // namespace
}  // namespace driftless::tests
