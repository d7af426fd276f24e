// The table of methods that want the mechanical system itself: half-explicit, rattle and generalized-alpha with fixed steps, without a
// stabilizer, in the formulations that they take, on problems of every shape that have exact solutions. Its data serve the test that holds the
// measured orders against theory and the program that writes docs/orders.md.
#pragma once

#include "convergence/formulation_table.hpp"

namespace driftless::tests {

struct MechanicalRow {
  std::string formulation, integrator;
  int order;               // of q, v and multipliers, by theory
  std::vector<int> steps;  // n, on formulation_problems(); 0: refused
};
const std::vector<MechanicalRow>& mechanical_rows();

// Nothing where it is refused.
std::optional<OrderRun> mechanical_run(const MechanicalRow& row, std::size_t problem);

// The multipliers of that problem have no error at all.
bool exact_multipliers(const MechanicalRow& row, std::size_t problem);

}  // namespace driftless::tests
