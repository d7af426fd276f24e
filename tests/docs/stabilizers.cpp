// Prints docs/stabilizers.md: the measured orders of error and drift of every stabilizer with every F.
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "convergence/stabilizer_table.hpp"

namespace driftless::tests {
namespace {

const char* const head = R"(# What stabilizers do to error and drift

The slider-crank `001-slider-crank` of Ascher, Chin, Reich (1992), from 0 to 2, with Runge-Kutta methods of order p = 1 to 4
(`forward-euler`, `explicit-midpoint`, `kutta3`, `rk4`) and fixed steps h = 0.05, 0.025, 0.0125, 0.00625. The error is the largest entry of z
at t = 2 against a run with tolerance 1e-13; drift is the largest |g| (position) and |g'| (velocity) over all steps. Measured orders
are log2 of the ratio between the two finest steps at which the value is above 1e-14; "roundoff": it is below that at every step but
the first. The rows of F = `transpose` took steps a quarter as large for p = 1, 2, 3: that F needs some ten steps to remove a drift, and
the leading terms show later.

`./dev docs` writes this page; `./dev test -R StabilizerTable` measures again and fails where a number is more than 0.2 from theory,
on either side; `driftless reproduce 001` compares values with those of an independent program.

Theory (d is the drift that one step of the method makes, of order p + 1):

| stabilizer | drift settles at | order of the drift | in the paper |
|---|---|---|---|
| `none` | it adds up | p | |
| `forward` | d/alpha | p + 1 | Theorem 3.1 |
| `backward` | d/alpha | p + 1 | Theorem 3.2 |
| `post`, alpha = 1 and H F = I | what one Newton step leaves, of the size of d^2 | 2p + 2 | Theorem 3.3 promises p + 1 |
| `post`, else | (1 - alpha) d/alpha | p + 1 | Theorem 3.3 |
| `post` with F kept over several steps | d times the way since | p + 2 | section 5 |
| `projection` | roundoff | | (3.10) |

F = `split` does not see that moving q by G+ g changes G v by L dq; F = `transpose` has H F = H H^T/lambda_max, not I; F = `position` and
`velocity` leave the other level alone, whose drift adds up.

In each cell: order of the error / of the position drift / of the velocity drift.

| stabilizer | p = 1 | p = 2 | p = 3 | p = 4 |
|---|---|---|---|---|
)";

std::string order_text(double order) {
  return std::isnan(order) ? "roundoff" : fmt::format("{:.2f}", order);
}

std::string order_table() {
  std::string text;
  for (const StabilizerRow& row : stabilizer_rows()) {
    text += fmt::format("| `{}` |", row.stabilizer);
    for (int p = 1; p <= 4; ++p) {
      const StabilizerOrders o = stabilizer_orders(row, p);
      text +=
          fmt::format(" {} / {} / {} |", order_text(o.error), order_text(o.position), order_text(o.velocity));
    }
    text += "\n";
  }
  return text;
}

std::string value_text(double value) {
  return value < 1e-14 ? "roundoff" : fmt::format("{:.2e}", value);
}

std::string value_table() {
  std::string text =
      "\nThe values at h = 0.0125 with p = 2:\n\n| stabilizer | error | position drift | velocity drift "
      "|\n|---|---|---|---|\n";
  for (const StabilizerRow& row : stabilizer_rows()) {
    const StabilizerRun run = run_stabilizer(row.stabilizer, 2, 0.0125);
    text += fmt::format("| `{}` | {} | {} | {} |\n", row.stabilizer, value_text(run.error),
                        value_text(run.position), value_text(run.velocity));
  }
  return text;
}

}  // namespace
}  // namespace driftless::tests

int main() {
  using namespace driftless::tests;
  const std::string page = head + order_table() + value_table();
  std::fwrite(page.data(), 1, page.size(), stdout);
}
