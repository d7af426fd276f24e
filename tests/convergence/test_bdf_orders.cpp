// Fixed-order runs of bdf have their order, k = 1 to 5, in every formulation, for q, v and the multipliers separately, on problems of
// every shape that have exact solutions: two-sided, within 0.25. Theory is k for all three, with constant steps also for velocities and
// multipliers of index 2 and 3 (Brenan, Campbell, Petzold, section 3.2).
#include <gtest/gtest.h>

#include "convergence/bdf_table.hpp"
#include "support/test_name.hpp"

namespace driftless::tests {
namespace {

struct BdfCase {
  const FormulationProblem* problem;
  int order;
};
std::ostream& operator<<(std::ostream& out, const BdfCase& c) {
  return out << c.problem->problem.name << " " << c.order;
}

std::vector<BdfCase> all_cases() {
  std::vector<BdfCase> cases;
  for (const FormulationProblem& problem : formulation_problems())
    for (int order = 1; order <= bdf_orders; ++order) cases.push_back({&problem, order});
  return cases;
}

class BdfTable : public testing::TestWithParam<BdfCase> {};

TEST_P(BdfTable, HasItsOrderInEveryFormulation) {
  const auto [problem, order] = GetParam();
  int formulations = 0;
  for (const FormulationRow& row : formulation_rows()) {
    const auto run = bdf_run(row, *problem, order);
    if (!run) continue;
    SCOPED_TRACE(row.formulation);
    const MeasuredOrders measured = measure_orders(*run);
    EXPECT_NEAR(measured.q(), order, 0.25) << measured.coarse.q << " " << measured.fine.q;
    if (measured.coarse.v > 0) {  // systems of order 1 have no v
      EXPECT_NEAR(measured.v(), order, 0.25) << measured.coarse.v << " " << measured.fine.v;
    }
    if (order == 1 && exact_multipliers(row, *problem)) {
      EXPECT_LT(measured.coarse.multipliers, 1e-6);  // of h = 1/512; what is left stems from the start
    } else {
      EXPECT_NEAR(measured.multipliers(), order, 0.25)
          << measured.coarse.multipliers << " " << measured.fine.multipliers;
    }
    ++formulations;
  }
  EXPECT_GE(formulations, 10);
}

INSTANTIATE_TEST_SUITE_P(All, BdfTable, testing::ValuesIn(all_cases()), [](const auto& p) {
  return test_name(p.param.problem->problem.name + "_order_" + std::to_string(p.param.order));
});

// Multipliers of index3 are second differences, which lose an order whenever steps change; bdf evaluates those that belong to the state instead.
TEST(BdfOfIndex3, MultipliersBelongToTheState) {
  const FormulationRow index3{"index3", MultiplierSource::second_difference};
  for (int k = 1; k <= 3; ++k) {
    const OrderRun run = *bdf_run(index3, formulation_problems().front(), k);
    for (const double count : {2.0, 2.5, k + 1.0, 2 * k + 1.0})
      EXPECT_GT(measure_start(run, count, 1. / 256).multipliers(), k - 0.25) << k << " " << count;
  }
}

}  // namespace
}  // namespace driftless::tests
