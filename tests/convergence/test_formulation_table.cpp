// Backward Euler has order 1 in every formulation, for q, v and the multipliers separately, on problems of every
// shape that have exact solutions: two-sided, within 0.2. And what its first steps leave is what theory says,
// order reduction of index 3 included.
#include <gtest/gtest.h>

#include <cctype>

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
  expect_orders(measure_orders(*formulation_run(*row, *problem)), {1, 1, 1}, has_v(*problem));
}

INSTANTIATE_TEST_SUITE_P(All, FormulationTable, testing::ValuesIn(cases(false)), case_name);

class FirstSteps : public testing::TestWithParam<FormulationCase> {};

TEST_P(FirstSteps, LeaveWhatTheorySays) {
  const auto& [row, problem] = GetParam();
  for (const double count : start_counts) {
    SCOPED_TRACE(testing::Message() << count << " steps");
    expect_orders(measure_start(*formulation_run(*row, *problem), count, problem->first_step),
                  start_orders(*row, *problem, count), has_v(*problem));
  }
}

INSTANTIATE_TEST_SUITE_P(All, FirstSteps, testing::ValuesIn(cases(true)), case_name);

// The pendulum has S = |q|^2 = 1 and c = |v|^2 = 1 at its start: lambda of index3 is wrong by |1 - h_0/h|/2, which
// is 1/2 in the first step (h_0 = 0) and in one of half the length of the last.
TEST(FirstStepsOfIndex3, AreWrongByHalfTheCurvature) {
  const FormulationProblem& pendulum = formulation_problems().front();
  const OrderRun run = *formulation_run({"index3", MultiplierSource::second_difference}, pendulum);
  EXPECT_NEAR(measure_start(run, 1, 1e-3).coarse.multipliers, 0.5, 0.005);
  EXPECT_NEAR(measure_start(run, 2.5, 1e-3).coarse.multipliers, 0.5, 0.005);
  EXPECT_NEAR(measure_start(run, 2.2, 1e-3).coarse.multipliers, 2, 0.05);  // a fifth of the length
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
