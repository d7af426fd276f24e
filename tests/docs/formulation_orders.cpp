#include "docs/formulation_orders.hpp"

#include <cmath>

#include <fmt/format.h>

#include "convergence/formulation_table.hpp"
#include "docs/settings.hpp"

namespace driftless::tests {

namespace {

const char* const head = R"(
## Formulations

Does a formulation cost order? `backward-euler:tolerance=1e-13` without a stabilizer, measured as above; `./dev test -R FormulationTable`
measures again, two-sided within 0.2. Theory is order 1 for q, v and the multipliers everywhere: they are evaluated at
the states that are shown. The unknowns of the steps of `index3`, `index2` and their like are as good only with constant steps and after the second one (Brenan, Campbell, Petzold,
*Numerical Solution of Initial-Value Problems in Differential-Algebraic Equations*, section 3.2).

)";

const char* const start = R"(
## First steps and changed steps

What the first steps leave is another matter. Errors at the end of runs of one and of two steps from the exact start, and of two steps
followed by one of half the length, with h and with h/2 (`./dev test -R FirstSteps`). One step of order 1 makes an error of h^2.

- Multipliers are evaluated at the state after the step, and as good as that: 2. The unknowns of a step are not: of index 2 they are means over the step, and have order 1;
  those of `index3` are second differences, right when the step is the one before, and else wrong by S^-1 c/2 (1 - h_0/h), c being the curvature, h_0 the step before and 0 at the
  start: order 0, one half on the pendulum below. No run shows these.
- `index3` imposes g = 0 and gets its velocity as a difference quotient, G v = h c/2: order 1 in v at once. That error lies across the constraint, and lambda of the pendulum does not feel it to
  first order. Velocity constraints, and systems of order 1, have no such part.

)";

std::string cell(const MeasuredOrders& measured, bool exact = false) {
  if (exact) return fmt::format("{:.2f} / {:.2f} / exact", measured.q(), measured.v());
  if (std::isnan(measured.v())) return fmt::format("{:.2f} / {:.2f}", measured.q(), measured.multipliers());
  return fmt::format("{:.2f} / {:.2f} / {:.2f}", measured.q(), measured.v(), measured.multipliers());
}

std::string problem_table() {
  std::string text = "| problem | shape | `--set` | from | to | n |\n|---|---|---|---|---|---|\n";
  for (const auto& [p, steps, first_step] : formulation_problems()) {
    const double t0 = catalog::make_problem(p.name, p.set).start.t;
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", p.name, p.shape, settings_of(p.set), t0,
                        t0 + p.span, steps);
  }
  return text;
}

std::string order_table() {
  std::string text =
      "\nIn each cell: orders of q / v / multipliers, where the system has order 1 of q / multipliers (v: "
      "all "
      "levels above q);\na dash where the formulation refuses the problem, with a reason.\n\n| formulation |";
  std::string rule = "|---|";
  for (const FormulationProblem& p : formulation_problems()) {
    text += fmt::format(" `{}` |", p.problem.name);
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const FormulationRow& row : formulation_rows()) {
    text += fmt::format("| `{}` |", row.formulation);
    for (const FormulationProblem& p : formulation_problems()) {
      const auto run = formulation_run(row, p);
      text += fmt::format(" {} |", run ? cell(measure_orders(*run), exact_multipliers(row, p)) : "-");
    }
    text += "\n";
  }
  return text;
}

std::string start_table(const FormulationProblem& p) {
  std::string text = fmt::format(
      "\n`{}`, h = 1/{:.0f}:\n\n| formulation | one step | two steps | two and a half | error of the "
      "multipliers |\n"
      "|---|---|---|---|---|\n",
      p.problem.name, 1 / p.first_step);
  for (const FormulationRow& row : formulation_rows()) {
    const auto run = formulation_run(row, p);
    if (!run) continue;
    text += fmt::format("| `{}` |", row.formulation);
    std::string errors;
    for (const double count : start_counts) {
      const MeasuredOrders measured = measure_start(*run, count, p.first_step);
      text += fmt::format(" {} |", cell(measured));
      errors += fmt::format("{}{:.2e}", errors.empty() ? "" : ", ", measured.coarse.multipliers);
    }
    text += fmt::format(" {} |\n", errors);
  }
  return text;
}

}  // namespace

std::string formulation_orders() {
  std::string text = head + problem_table() + order_table() + start;
  text.pop_back();  // tables bring their empty line
  for (const FormulationProblem& p : formulation_problems())
    if (p.first_step > 0) text += start_table(p);
  return text;
}

}  // namespace driftless::tests
