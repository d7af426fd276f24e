#include "docs/mechanical_orders.hpp"

#include <fmt/format.h>

#include "convergence/mechanical_table.hpp"

namespace driftless::tests {

namespace {

const char* const head = R"(
## Orders of `half-explicit`, `rattle` and `generalized-alpha`

These take the mechanical system itself, in the formulation of the first column, with fixed steps and without a stabilizer;
`./dev test -R MechanicalTable` measures on the nine problems above, two-sided within 0.25. Theory has one order for q, v and the multipliers: 5 and 1 for
`half-explicit`, whose multipliers are those of the state; 2 for `rattle`, alike; 2 for `generalized-alpha`, for every rho in `ggl` and for rho below 1 in `index3`, which
refuses rho = 1.

In each cell: orders of q / v / multipliers, and n. Empty: refused (`rattle`: M(t), velocity constraints, quaternions, a given B, and without `forces=any` damping; `generalized-alpha`: order 1 and 3). exact: no error at all.
`half-explicit` of order 5 runs on `arevalo` with t0 = 0.25 to t = 1.25 and on `jerk-sphere` to t = 3, where its leading terms do not nearly cancel.

)";

std::string cell(const MechanicalRow& row, std::size_t problem) {
  const auto run = mechanical_run(row, problem);
  if (!run) return "";
  const MeasuredOrders m = measure_orders(*run);
  const std::string velocity = m.coarse.v > 0 ? fmt::format("{:.2f}", m.v()) : "-",
                    multipliers =
                        exact_multipliers(row, problem) ? "exact" : fmt::format("{:.2f}", m.multipliers());
  return fmt::format("{:.2f} / {} / {}, {}", m.q(), velocity, multipliers, run->steps);
}

}  // namespace

std::string mechanical_orders_text() {
  std::string text = head, names = "| formulation | integrator | order |", rule = "|---|---|---|";
  for (const FormulationProblem& p : formulation_problems()) {
    names += fmt::format(" `{}` |", p.problem.name);
    rule += "---|";
  }
  text += names + "\n" + rule + "\n";
  for (const MechanicalRow& row : mechanical_rows()) {
    text += fmt::format("| `{}` | `{}` | {} |", row.formulation, row.integrator, row.order);
    for (std::size_t i = 0; i < formulation_problems().size(); ++i) text += " " + cell(row, i) + " |";
    text += "\n";
  }
  return text;
}

}  // namespace driftless::tests
