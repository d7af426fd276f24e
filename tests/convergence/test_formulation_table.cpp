// Backward Euler has order 1 in every formulation, for q, v and the multipliers separately, on problems of
// every shape that have exact solutions: two-sided, within 0.2. And what its first steps leave is what
// theory says, order reduction of index 3 included.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <utility>

#include "convergence/formulation_table.hpp"

namespace driftless::tests {
namespace {

struct FormulationCase {
  const FormulationRow* row;
  const FormulationProblem* problem;
};
std::ostream& operator<<(std::ostream& out, const FormulationCase& c) {
  return out << c.row->formulation << " " << c.problem->problem.name;
}

std::vector<FormulationCase> cases(bool with_start) {
  std::vector<FormulationCase> all;
  for (const FormulationRow& row : formulation_rows())
    for (const FormulationProblem& problem : formulation_problems())
      if ((!with_start || problem.first_step > 0) && formulation_run(row, problem))
        all.push_back({&row, &problem});
  return all;
}

std::string case_name(const testing::TestParamInfo<FormulationCase>& info) {
  std::string name = info.param.row->formulation + "_" + info.param.problem->problem.name;
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}

void expect_orders(const MeasuredOrders& measured, const PartOrders& expected, bool has_v) {
  EXPECT_NEAR(measured.q(), expected.q, 0.2) << measured.coarse.q << " " << measured.fine.q;
  if (has_v) {
    EXPECT_NEAR(measured.v(), expected.v, 0.2) << measured.coarse.v << " " << measured.fine.v;
  }
  EXPECT_NEAR(measured.multipliers(), expected.multipliers, 0.2)
      << measured.coarse.multipliers << " " << measured.fine.multipliers;
}

bool has_v(const FormulationProblem& p) {
  return catalog::make_problem(p.problem.name, p.problem.set).problem->shape().order > 1;
}

class FormulationTable : public testing::TestWithParam<FormulationCase> {};

TEST_P(FormulationTable, BackwardEulerHasOrderOne) {
  const auto& [row, problem] = GetParam();
  const MeasuredOrders measured = measure_orders(*formulation_run(*row, *problem));
  if (exact_multipliers(*row, *problem)) {
    EXPECT_LT(measured.coarse.multipliers, 1e-9);
    EXPECT_NEAR(measured.q(), 1, 0.2);
    EXPECT_NEAR(measured.v(), 1, 0.2);
    return;
  }
  expect_orders(measured, {1, 1, 1}, has_v(*problem));
}

INSTANTIATE_TEST_SUITE_P(All, FormulationTable, testing::ValuesIn(cases(false)), case_name);

class FirstSteps : public testing::TestWithParam<FormulationCase> {};

TEST_P(FirstSteps, LeaveWhatTheorySays) {
  const auto& [row, problem] = GetParam();
  for (const double count : start_counts) {
    SCOPED_TRACE(testing::Message() << count << " steps");
    expect_orders(measure_start(*formulation_run(*row, *problem), count, problem->first_step),
                  start_orders(*row, *problem), has_v(*problem));
  }
}

INSTANTIATE_TEST_SUITE_P(All, FirstSteps, testing::ValuesIn(cases(true)), case_name);

// The pendulum has S = |q|^2 = 1 and c = |v|^2 = 1 at its start: lambda of index3 as the first step makes
// it is wrong by 1/2, and that of a second step by |1 - h_0/h|/2. A run shows those of the states.
TEST(FirstStepsOfIndex3, AreWrongByHalfTheCurvatureInside) {
  const FormulationProblem& pendulum = formulation_problems().front();
  const OrderRun run = *formulation_run({"index3", MultiplierSource::second_difference}, pendulum);
  const ProblemInstance instance = catalog::make_problem(run.problem, run.set);
  const double h = 1e-3;
  const Pipeline pipeline = assemble(*instance.problem, run.method, {.t_end = 1, .step = h});
  State start = instance.start;
  pipeline.system->prepare(start);
  ASSERT_EQ(pipeline.integrator->start(*pipeline.system, start), Status::ok);
  double t = 0;
  for (const auto& [step, wrong] : {std::pair{h, 0.5}, {h / 2, 0.5}, {h / 10, 2.0}}) {
    State& state = *pipeline.integrator->attempt(step).state;
    state.t = t += step;
    ASSERT_EQ(pipeline.integrator->accept(state, nullptr), Status::ok);
    EXPECT_NEAR(std::abs(state.lambda(0) - instance.reference.at(t)->lambda(0)), wrong, 0.02 * wrong);
  }
  for (const double count : {1.0, 2.5, 2.2}) {
    EXPECT_LT(measure_start(run, count, h).coarse.multipliers, 1e-5) << count;
  }
}

TEST(FormulationTableItself, HasEveryFormulationAndExactSolutions) {
  for (const auto& entry : catalog::formulation_table())
    EXPECT_TRUE(std::any_of(formulation_rows().begin(), formulation_rows().end(), [&](const auto& row) {
      return parse_choice(row.formulation).name == entry.name;
    })) << entry.name;
  for (const FormulationProblem& p : formulation_problems())
    EXPECT_TRUE(catalog::make_problem(p.problem.name, p.problem.set).reference.source.starts_with("exact"))
        << p.problem.name;
}

}  // namespace
}  // namespace driftless::tests
