// The table of bdf: orders 1 to 5 with fixed steps, without a stabilizer, in every formulation, on problems of every shape that have
// exact solutions. Its data serve the test that holds the measured orders against theory and the program that writes docs/orders.md.
#pragma once

#include "convergence/formulation_table.hpp"

namespace driftless::tests {

inline constexpr int bdf_orders = 5;

// The integrator of one order, as on the command line. What the corrector leaves is divided by powers of the step in the multipliers, and
// at orders 4 and 5 must be roundoff to stay below their error.
std::string bdf_of_order(int order);

// The run that measures an order, on a problem of formulation_problems(); nothing where the formulation refuses it.
std::optional<OrderRun> bdf_run(const FormulationRow& row, const FormulationProblem& problem, int order);

}  // namespace driftless::tests
