// Fixed-step runs of radau5 have the orders that theory says in every formulation, for q, v and the multipliers separately, the method's own
// and those of the state, on problems of every shape that have exact solutions: two-sided, within 0.25.
#include <gtest/gtest.h>

#include <cmath>

#include "convergence/radau5_table.hpp"
#include "support/compare.hpp"
#include "support/test_name.hpp"

namespace driftless::tests {
namespace {

struct Radau5Case {
  const FormulationProblem* problem;
};
std::ostream& operator<<(std::ostream& out, const Radau5Case& c) {
  return out << c.problem->problem.name;
}

std::vector<Radau5Case> all_cases() {
  std::vector<Radau5Case> cases;
  for (const FormulationProblem& problem : formulation_problems()) cases.push_back({&problem});
  return cases;
}

class Radau5Table : public testing::TestWithParam<Radau5Case> {};

void expect_orders(const FormulationRow& row, const FormulationProblem& problem,
                   Radau5Multipliers multipliers) {
  const auto run = radau5_run(row, problem, multipliers);
  if (!run) return;
  SCOPED_TRACE(row.formulation + (multipliers == Radau5Multipliers::own ? ", own multipliers" : ""));
  const MeasuredOrders measured = measure_orders(*run);
  const PartOrders expected = radau5_orders(row, problem, multipliers);
  EXPECT_NEAR(measured.q(), expected.q, 0.25) << measured.coarse.q << " " << measured.fine.q;
  if (measured.coarse.v > 0) {  // systems of order 1 have no v
    EXPECT_NEAR(measured.v(), expected.v, 0.25) << measured.coarse.v << " " << measured.fine.v;
  }
  // What the state's multipliers of index 3 have depends on how the error of v, of order 3 across the constraints only, enters them.
  if (expected.v == 3 && multipliers == Radau5Multipliers::state) {
    EXPECT_GT(measured.multipliers(), expected.multipliers - 0.25);
  } else {
    EXPECT_NEAR(measured.multipliers(), expected.multipliers, 0.25)
        << measured.coarse.multipliers << " " << measured.fine.multipliers;
  }
}

TEST_P(Radau5Table, HasItsOrdersInEveryFormulation) {
  for (const FormulationRow& row : formulation_rows()) {
    expect_orders(row, *GetParam().problem, Radau5Multipliers::state);
    if (has_own_multipliers(row)) expect_orders(row, *GetParam().problem, Radau5Multipliers::own);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Radau5Table, testing::ValuesIn(all_cases()),
                         [](const auto& p) { return test_name(p.param.problem->problem.name); });

// The largest error of dense output in the middle of steps, where that of the ends, h^5, does not show: the cubic has h^4. Not at 0.4, where
// its leading term vanishes, and of an ordinary differential equation: where constraints are imposed, states between steps are projected.
TEST(Radau5DenseOutput, HasOrderFour) {
  const auto instance =
      catalog::make_problem("pendulum", {{"x", "0.6"}, {"y", "-0.8"}, {"vx", "0.8"}, {"vy", "0.6"}});
  const auto error = [&](int steps) {
    std::vector<double> times;
    for (int n = 0; n < steps; ++n) times.push_back((n + 0.3) * 2 / steps);
    const Solution s =
        solve(*instance.problem, instance.start,
              {.formulation = "index1", .integrator = "radau5:tolerance=1e-14", .stabilizer = "none"},
              {.t_end = 2, .step = 2.0 / steps, .output = {.kind = Output::Kind::at, .times = times}});
    double largest = 0;
    for (const State& state : s.states)
      largest = std::max(largest, distance(state.z, instance.reference.at(state.t)->z));
    return largest;
  };
  EXPECT_NEAR(std::log2(error(32) / error(64)), 4, 0.2);
}

// Just before and just after every step, where a stabilizer moved the ends.
TEST(Radau5DenseOutput, IsContinuous) {
  const auto instance = catalog::make_problem("pendulum");
  const Method method{.formulation = "index1", .integrator = "radau5", .stabilizer = "post"};
  Options options{.t_end = 4, .rtol = 1e-3, .atol = 1e-3, .output = {.kind = Output::Kind::steps}};
  const Solution run = solve(*instance.problem, instance.start, method, options);
  ASSERT_GT(run.states.size(), 5u);
  std::vector<double> times;
  const double little = 1e-11;
  for (std::size_t i = 1; i + 1 < run.states.size(); ++i)
    for (const double t : {run.states[i].t - little, run.states[i].t + little}) times.push_back(t);
  options.output = {.kind = Output::Kind::at, .times = times};
  const auto states = solve(*instance.problem, instance.start, method, options).states;
  for (std::size_t i = 0; i < states.size(); i += 2)
    EXPECT_LT((states[i + 1].z - states[i].z).norm(), 2e-10) << states[i].t;
}

}  // namespace
}  // namespace driftless::tests
