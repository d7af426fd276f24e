// Prints docs/orders.md: the measured orders of every integrator on every problem of the table, and those of
// backward Euler, bdf and radau5 in every formulation, and of methods that take the mechanical system itself.
#include <cstdio>

#include <fmt/format.h>

#include "convergence/order_table.hpp"
#include "docs/bdf_orders.hpp"
#include "docs/formulation_orders.hpp"
#include "docs/mechanical_orders.hpp"
#include "docs/radau5_orders.hpp"
#include "docs/settings.hpp"

namespace driftless::tests {
namespace {

const char* const head = R"(# Measured orders

Does every integrator have the order that it promises, also for the multipliers, and on every shape of problem? Each integrator that takes it ran
with a fixed step, the formulation `index1` and the stabilizer `post`, once with n and once with 2n steps, against the exact solution. The
error of q, of v and of the multipliers is the largest (Euclidean norm) over eight times, evenly spread to the end, that are steps of
both runs, so that nothing is interpolated; the measured order is log2 of the ratio of the two errors.

`./dev docs` writes this page; `./dev test -R OrderTable` measures again and fails where a number is more than 0.2 from theory, on either
side, or where an integrator is missing. Theory is the integrator's order for all three: multipliers are evaluated at the accepted,
stabilized state, not left over from a stage, where they would be less accurate. `ab2` to `ab5` make their first steps by a one-step
method of their own order (`heun`, `kutta3`, `rk4`, `dopri5`); `bdf` makes them of small ones.

)";

const char* const exception = R"(
\* One order more, by theory too. On `arevalo` lambda is the squared speed. In one step from speed w, `heun` makes an error of -h^3 w^2
in the area q x v and one of -h^3 w in the length of q; `implicit-midpoint` makes half of them with the opposite sign. The stabilizer
leaves the quotient of the two, in which they cancel at every speed. What remains is so small that the default tolerance of Newton's
method would show in it: hence `tolerance=1e-13`.
)";

const char* const limits = R"(
## Where it is hard to see

An order shows only where the leading term of the error is larger than the next ones and than roundoff. For the methods of order 5 and 8,
whose leading coefficients are small, the window is narrow (`dop853`: one or two halvings of the step), and on some motions the leading
term nearly cancels. Parameters and n above were chosen inside of the window; a few measurements outside of it:

| problem | `--set` | length | integrator | n | q / v / multipliers | why |
|---|---|---|---|---|---|---|
)";

std::string orders_of(const OrderRun& run) {
  const MeasuredOrders measured = measure_orders(run);
  return fmt::format("{:.2f} / {:.2f} / {:.2f}", measured.q(), measured.v(), measured.multipliers());
}

std::string problem_table() {
  std::string text = "| problem | shape | `--set` | from | to |\n|---|---|---|---|---|\n";
  for (const OrderProblem& p : order_problems()) {
    const double t0 = catalog::make_problem(p.name, p.set).start.t;
    text +=
        fmt::format("| `{}` | {} | {} | {} | {} |\n", p.name, p.shape, settings_of(p.set), t0, t0 + p.span);
  }
  return text;
}

std::string order_table() {
  std::string text = "\nIn each cell: orders of q / v / multipliers, and n.\n\n| integrator | order |";
  std::string rule = "|---|---|";
  for (const OrderProblem& p : order_problems()) {
    text += fmt::format(" `{}` |", p.name);
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const OrderRow& row : order_rows()) {
    text += fmt::format("| `{}` | {} |", row.integrator, order_case(row, 0).order);
    for (std::size_t i = 0; i < order_problems().size(); ++i) {
      const OrderCase c = order_case(row, i);
      text += fmt::format(" {}{}, {} |", orders_of(c.run), c.multiplier_order > c.order ? "\\*" : "",
                          c.run.steps);
    }
    text += "\n";
  }
  return text;
}

std::string hard_cases() {
  struct HardCase {
    OrderRun run;
    const char* why;
  };
  const std::vector<std::pair<std::string, std::string>> top = {
      {"gravity", "0"}, {"spin", "2"}, {"wx", "1"}, {"wz", "-1"}};
  const HardCase cases[] = {
      {{"pendulum", {}, 8, {.integrator = "dop853"}, 32},
       "the h^8 term is small on this motion, the next one rules until roundoff does"},
      {{"pendulum", {}, 8, {.integrator = "dop853"}, 128}, "roundoff"},
      {{"chaplygin-sleigh", {}, 4, {.integrator = "dopri5"}, 64},
       "the h^5 term is small on this motion and rules only shortly before roundoff does"},
      {{"heavy-top", top, 4, {.integrator = "dopri5"}, 32},
       "terms of opposite sign cancel at the finer step, which looks better than it is,"},
      {{"heavy-top", top, 4, {.integrator = "dopri5"}, 64}, "and worse when that step is the coarser one"}};
  std::string text;
  for (const auto& [run, why] : cases)
    text += fmt::format("| `{}` | {} | {} | `{}` | {} | {} | {} |\n", run.problem, settings_of(run.set),
                        run.span, run.method.integrator, run.steps, orders_of(run), why);
  return text;
}

}  // namespace
}  // namespace driftless::tests

int main() {
  using namespace driftless::tests;
  const std::string page = head + problem_table() + order_table() + exception + limits + hard_cases() +
                           formulation_orders() + bdf_orders_text() + radau5_orders_text() +
                           mechanical_orders_text();
  std::fwrite(page.data(), 1, page.size(), stdout);
}
