// Theorems 3.1 to 3.3 of Ascher, Chin, Reich (1992) and what goes beyond them, on the slider-crank: a
// stabilized method keeps its order p; its drift has order p + 1, with one Newton step (post, alpha = 1, F =
// full or block) 2p + 2, with a projection none. Measured orders within 0.2 of these, on either side;
// `driftless reproduce 001` compares values with those of an independent program.
#include <gtest/gtest.h>

#include <cmath>

#include "convergence/stabilizer_table.hpp"

namespace driftless::tests {
namespace {

class StabilizerTable : public testing::TestWithParam<StabilizerRow> {};

void expect_drift_order(double measured, DriftOrder order, int p, const std::string& what) {
  if (order == DriftOrder::none || (order == DriftOrder::twice_p_plus_2 && p > 2)) {
    EXPECT_TRUE(std::isnan(measured)) << what << " is not roundoff: order " << measured;
  } else {
    EXPECT_NEAR(measured, expected_order(order, p), 0.2) << what;
  }
}

TEST_P(StabilizerTable, Orders) {
  const StabilizerRow& row = GetParam();
  for (int p = 1; p <= 4; ++p) {
    const StabilizerOrders measured = stabilizer_orders(row, p);
    const std::string with = " with p = " + std::to_string(p);
    EXPECT_NEAR(measured.error, p, 0.2) << "error" << with;
    expect_drift_order(measured.position, row.position, p, "position drift" + with);
    expect_drift_order(measured.velocity, row.velocity, p, "velocity drift" + with);
  }
}

INSTANTIATE_TEST_SUITE_P(All, StabilizerTable, testing::ValuesIn(stabilizer_rows()), [](const auto& row) {
  std::string name = row.param.stabilizer;
  for (char& letter : name)
    if (!std::isalnum(letter)) letter = '_';
  return name;
});

TEST(StabilizerTableItself, HasEveryStabilizerWithEveryF) {
  for (const auto& entry : catalog::stabilizer_table()) {
    if (entry.name == "none" || entry.name == "projection") continue;  // no F; no drift whatever F
    for (const char* F : {"full", "block", "split", "transpose", "position", "velocity"}) {
      const std::string text = entry.name + ":F=" + F;
      const auto& rows = stabilizer_rows();
      EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [&](const auto& r) { return r.stabilizer == text; }))
          << text;
    }
  }
}

// Theorem 3.2: the drift of `backward` goes like 1/alpha.
TEST(StabilizerTableItself, DriftOfBackwardGoesWithOneOverAlpha) {
  const double one = run_stabilizer("backward:F=full", 2, 0.0125).position;
  EXPECT_NEAR(one / run_stabilizer("backward:F=full,alpha=10", 2, 0.0125).position, 10, 0.05);
  EXPECT_NEAR(one / run_stabilizer("backward:F=full,alpha=1000", 2, 0.0125).position, 1000, 5);
}

// The tight run that the errors are measured against, and the reduced equation for the crank angle.
TEST(StabilizerTableItself, ReferenceIsThatOfTheReducedEquation) {
  const auto instance = catalog::make_problem("001-slider-crank");
  const Vector fine =
      solve(*instance.problem, instance.start, {.integrator = "dop853", .stabilizer = "projection"},
            {.t_end = 2, .rtol = 1e-13, .atol = 1e-13})
          .final.z;
  EXPECT_LT((fine - instance.reference.at(2)->z).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace driftless::tests
