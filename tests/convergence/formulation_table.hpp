// The table of formulations: backward Euler without a stabilizer on problems of every shape that have exact
// solutions, and what its first steps leave in the multipliers. Its data serve the test that holds the measured
// orders against theory and the program that writes docs/orders.md.
#pragma once

#include <optional>

#include "convergence/order_table.hpp"

namespace driftless::tests {

// What the multipliers of a step are; those that are shown are evaluated at the state after it, as accurate as that.
enum class MultiplierSource {
  state,              // evaluated as well
  increment,          // unknowns of index 2: they answer for the change of v in the step
  second_difference,  // unknowns of index 3: they answer for the change of the change of q
};

struct FormulationRow {
  std::string formulation;  // with options, as on the command line
  MultiplierSource source;
};
// Every formulation of the catalog; one that is not written down stands there with its defaults and multipliers
// of the state.
const std::vector<FormulationRow>& formulation_rows();

struct FormulationProblem {
  OrderProblem problem;
  int steps;          // n
  double first_step;  // of the runs of a few steps; 0: none
};
const std::vector<FormulationProblem>& formulation_problems();

// Nothing where the formulation refuses the problem.
// Whose own error, a shift of 1e-11 times the multipliers, is larger than those of a method of high order at the steps of its table.
bool hides_high_orders(const FormulationRow& row);

std::optional<OrderRun> formulation_run(const FormulationRow& row, const FormulationProblem& problem);

// Backward Euler makes no error in the multipliers.
bool exact_multipliers(const FormulationRow& row, const FormulationProblem& problem);

// Numbers of steps after which the start is looked at; 2.5: the last step is half as long as those before.
inline constexpr double start_counts[] = {1, 2, 2.5};

struct PartOrders {
  int q, v, multipliers;
};
// By theory, after so few steps.
PartOrders start_orders(const FormulationRow& row, const FormulationProblem& problem);

}  // namespace driftless::tests
