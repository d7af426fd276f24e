// half-explicit, rattle and generalized-alpha have the orders that theory says, for q, v and the multipliers separately, on problems of every shape
// that have exact solutions: two-sided, within 0.25. Where the table has none they are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "convergence/mechanical_table.hpp"
#include "support/test_name.hpp"

namespace driftless::tests {
namespace {

class MechanicalTable : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};

TEST_P(MechanicalTable, MatchesTheory) {
  const auto [r, problem] = GetParam();
  const MechanicalRow& row = mechanical_rows()[r];
  const auto run = mechanical_run(row, problem);
  if (!run) {
    const OrderProblem& p = formulation_problems()[problem].problem;
    const auto instance = catalog::make_problem(p.name, p.set);
    EXPECT_THROW(solve(*instance.problem, instance.start,
                       {.formulation = row.formulation, .integrator = row.integrator},
                       {.t_end = instance.start.t + 0.01, .step = 0.01}),
                 InputError);
    return;
  }
  const MeasuredOrders measured = measure_orders(*run);
  EXPECT_NEAR(measured.q(), row.order, 0.25) << measured.coarse.q << " " << measured.fine.q;
  if (measured.coarse.v > 0) {  // systems of order 1 have no v
    EXPECT_NEAR(measured.v(), row.order, 0.25) << measured.coarse.v << " " << measured.fine.v;
  }
  if (exact_multipliers(row, problem)) {
    EXPECT_LT(measured.coarse.multipliers, 1e-12);
  } else {
    EXPECT_NEAR(measured.multipliers(), row.order, 0.25)
        << measured.coarse.multipliers << " " << measured.fine.multipliers;
  }
}

std::string case_name(const testing::TestParamInfo<MechanicalTable::ParamType>& c) {
  const auto& row = mechanical_rows()[std::get<0>(c.param)];
  return test_name(row.formulation + "_" + row.integrator + "_" +
                   formulation_problems()[std::get<1>(c.param)].problem.name);
}

INSTANTIATE_TEST_SUITE_P(All, MechanicalTable,
                         testing::Combine(testing::Range(std::size_t{0}, mechanical_rows().size()),
                                          testing::Range(std::size_t{0}, formulation_problems().size())),
                         case_name);

// The very first multipliers are of order 2, since the start is one of smooth motion.
TEST(MechanicalStart, MultipliersOfGeneralizedAlphaAreOfSecondOrderFromTheFirstStepOn) {
  for (const char* formulation : {"index3", "ggl"})
    for (const char* rho : {"0", "0.5", "0.9"})
      for (const auto& [problem, step] :
           {std::pair{"pendulum", 1. / 256}, {"arevalo", 1. / 512}, {"chaplygin-sleigh", 1. / 256}}) {
        const OrderRun run{
            .problem = problem,
            .method = {.formulation = formulation,
                       .integrator = std::string("generalized-alpha:tolerance=1e-14,rho=") + rho,
                       .stabilizer = "none"}};
        double coarse = 0, fine = 0;
        for (const double count : {1., 2., 3., 4., 7.}) {
          const MeasuredOrders measured = measure_start(run, count, step);
          coarse = std::max(coarse, measured.coarse.multipliers);
          fine = std::max(fine, measured.fine.multipliers);
        }
        EXPECT_GT(std::log2(coarse / fine), 1.8) << formulation << " " << rho << " " << problem;
      }
}

TEST(MechanicalRows, AreTheCatalogs) {
  std::set<std::string> rows, names;
  for (const MechanicalRow& row : mechanical_rows()) rows.insert(parse_choice(row.integrator).name);
  for (const auto& [name, entry] : catalog::integrator_table())
    if (entry.shapes.front() != SystemShape::ode) names.insert(name);
  EXPECT_EQ(rows, names)
      << "an integrator without ordinary differential equations needs a row in mechanical_table.cpp";
}

}  // namespace
}  // namespace driftless::tests
