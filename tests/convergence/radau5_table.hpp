// The table of radau5: fixed steps, without a stabilizer, in every formulation, on problems of every shape that have exact solutions, with
// multipliers evaluated at the state and with the method's own. Its data serve the test that holds the measured orders against theory and
// the program that writes docs/orders.md.
#pragma once

#include "convergence/formulation_table.hpp"

namespace driftless::tests {

enum class Radau5Multipliers { state, own };

// The run that measures an order, on a problem of formulation_problems(); nothing where the formulation refuses it.
std::optional<OrderRun> radau5_run(const FormulationRow& row, const FormulationProblem& problem,
                                   Radau5Multipliers multipliers);

// By theory (Hairer, Lubich, Roche 1989; Jay 1993 for index 3):
//   index 1 and ODEs   5 / 5 / 5
//   index 2            5 / 5, own multipliers 3, those of the state 5
//   index 3            5 for positions, 3 for the level that is differentiated once more, own multipliers 2; those of the state have the order
//                      of what they depend on, at least 3
PartOrders radau5_orders(const FormulationRow& row, const FormulationProblem& problem,
                         Radau5Multipliers multipliers);

// Multipliers are unknowns of the formulation, so that it has own ones.
bool has_own_multipliers(const FormulationRow& row);

}  // namespace driftless::tests
