#include "docs/radau5_orders.hpp"

#include <fmt/format.h>

#include "convergence/radau5_table.hpp"

namespace driftless::tests {

namespace {

const char* const head = R"(
## Orders of `radau5`

`radau5` with fixed steps and without a stabilizer; `./dev test -R Radau5Table` measures on the nine problems above, two-sided within 0.25, and
three of them are shown here. Multipliers come in two columns: evaluated at the accepted state (`lambda=state`, the default), and the method's
own of the last stage (`lambda=own`), where they are unknowns of the formulation. Theory (Hairer, Lubich, Roche 1989; Jay 1993; Hairer, Wanner
II, VII.4):

| | q | v | own multipliers | multipliers of the state |
|---|---|---|---|---|
| no multipliers that are forces among the unknowns | 5 | 5 | | 5 |
| index 2: `index2`, `index2-baumgarte`, `ggl` | 5 | 5 | 3 | 5 |
| index 3: `index3` | 5 | 3 | 2 | at least 3 |

The error of v in `index3`, h^3, lies across the constraints. Where lambda does not feel that to first order, as on the pendulum, the state's lambda
is better than v. Velocity constraints, and systems of order 1, have nothing of index 3. Newton's method is solved to roundoff:
`tolerance=1e-15,iterations=20`.

In each cell: orders of q / v / multipliers.
)";

std::string cell(const FormulationRow& row, const FormulationProblem& problem,
                 Radau5Multipliers multipliers) {
  const MeasuredOrders m = measure_orders(*radau5_run(row, problem, multipliers));
  return fmt::format("{:.2f} / {:.2f} / {:.2f}", m.q(), m.v(), m.multipliers());
}

std::string table(const FormulationProblem& problem) {
  std::string text = fmt::format(
      "\n`{}`, n = {}:\n\n| formulation | multipliers of the state | own multipliers |\n|---|---|---|\n",
      problem.problem.name, radau5_run(formulation_rows().front(), problem, Radau5Multipliers::state)->steps);
  for (const FormulationRow& row : formulation_rows()) {
    if (!radau5_run(row, problem, Radau5Multipliers::state)) continue;
    text += fmt::format("| `{}` | {} | {} |\n", row.formulation, cell(row, problem, Radau5Multipliers::state),
                        has_own_multipliers(row) ? cell(row, problem, Radau5Multipliers::own) : "");
  }
  return text;
}

}  // namespace

std::string radau5_orders_text() {
  std::string text = head;
  for (const FormulationProblem& problem : formulation_problems())
    if (problem.problem.name == "pendulum" || problem.problem.name == "000-example4" ||
        problem.problem.name == "heavy-top")
      text += table(problem);
  return text;
}

}  // namespace driftless::tests
