#include "convergence/radau5_table.hpp"

#include <map>

#include <fmt/format.h>

namespace driftless::tests {

namespace {

// n, inside of the window where the leading term of the error is larger than the next one and than roundoff in every formulation.
int steps_of(const std::string& formulation, const std::string& problem) {
  // Coordinates change at another place in every run, and with them the leading term; here they do so alike.
  if (formulation == "state-space" && problem == "arevalo") return 160;
  static const std::map<std::string, int> steps = {
      {"pendulum", 64},         {"arevalo", 96},    {"000-example3", 16}, {"000-example4", 32},
      {"chaplygin-sleigh", 64}, {"heavy-top", 144}, {"000-example1", 16}, {"jay", 32},
      {"jerk-sphere", 32}};
  return steps.at(problem);
}

}  // namespace

std::optional<OrderRun> radau5_run(const FormulationRow& row, const FormulationProblem& problem,
                                   Radau5Multipliers multipliers) {
  std::optional<OrderRun> run = formulation_run(row, problem);
  const auto& shapes = catalog::formulation(parse_choice(row.formulation).name).shapes;
  if (!run || shapes.front() == SystemShape::overdetermined || hides_high_orders(row))
    return std::nullopt;  // the first two are refused
  run->method.integrator = fmt::format("radau5:tolerance=1e-15,iterations=20{}",
                                       multipliers == Radau5Multipliers::own ? ",lambda=own" : "");
  run->steps = steps_of(row.formulation, problem.problem.name);
  return run;
}

PartOrders radau5_orders(const FormulationRow& row, const FormulationProblem& problem,
                         Radau5Multipliers multipliers) {
  const Shape& shape = catalog::make_problem(problem.problem.name, problem.problem.set).problem->shape();
  const bool own = multipliers == Radau5Multipliers::own;
  if (row.source == MultiplierSource::state) return {5, 5, 5};
  if (row.source == MultiplierSource::second_difference && shape.ng > 0 && shape.order > 1)
    return {5, 3, own ? 2 : 3};
  return {5, 5, own ? 3 : 5};
}

bool has_own_multipliers(const FormulationRow& row) {
  return row.source != MultiplierSource::state;
}

}  // namespace driftless::tests
