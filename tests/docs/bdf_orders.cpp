#include "docs/bdf_orders.hpp"

#include <fmt/format.h>

#include "convergence/bdf_table.hpp"

namespace driftless::tests {

namespace {

const char* const head = R"(
## Orders of `bdf`

`bdf:order=k` with fixed steps and without a stabilizer, k = 1 to 5, has order k for q, v and the multipliers in every formulation:
`./dev test -R BdfTable` measures on the nine problems above, two-sided within 0.25, and two of them are shown here. Corrector errors
are divided by powers of the step in the multipliers, hence `tolerance=1e-13`, at orders 4 and 5 `tolerance=1e-15` (roundoff), and
`iterations=20`. At order 5 the window is narrow: in `index3` velocities are difference quotients of q, and roundoff, divided by h, soon rules.

The first k steps are made of small ones, so that their error is not that of order 1. It is even smaller than that of the steps behind
them, and what is measured begins after 4k steps, where this does not show any longer. Multipliers of `index3` are those that belong to the state
(`./dev test -R BdfOfIndex3`).

In each cell: orders of q / v / multipliers.
)";

std::string table(const FormulationProblem& problem) {
  std::string text = fmt::format("\n`{}`:\n\n| formulation |", problem.problem.name), rule = "|---|";
  for (int order = 1; order <= bdf_orders; ++order) {
    text +=
        fmt::format(" k = {}, n = {} |", order, bdf_run(formulation_rows().front(), problem, order)->steps);
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const FormulationRow& row : formulation_rows()) {
    if (!bdf_run(row, problem, 1)) continue;
    text += fmt::format("| `{}` |", row.formulation);
    for (int order = 1; order <= bdf_orders; ++order) {
      const MeasuredOrders m = measure_orders(*bdf_run(row, problem, order));
      text += fmt::format(" {:.2f} / {:.2f} / {:.2f} |", m.q(), m.v(), m.multipliers());
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string bdf_orders_text() {
  std::string text = head;
  for (const FormulationProblem& problem : formulation_problems())
    if (problem.problem.name == "pendulum" || problem.problem.name == "heavy-top") text += table(problem);
  return text;
}

}  // namespace driftless::tests
