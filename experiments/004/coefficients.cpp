// The truncation-error model (32): the method integrates F + a_1 h F' + a_2 h^2 F'' + .. instead of F.
// Formulas of the library (driftless/analysis/truncation.hpp), no runs.
#include "experiments/004/tables.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include <driftless/analysis/truncation.hpp>

#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper004 {

namespace {

struct Row {
  const char* method;
  int steps, k;
  const char *found, *printed;
};

constexpr std::array<Row, 13> rows = {{{"Euler", 1, 1, "-0.5", "-0.5"},
                                       {"Euler", 1, 2, "0.0833333333", ""},
                                       {"Euler", 1, 3, "0", ""},
                                       {"Euler", 1, 4, "-1.38888889e-3", ""},
                                       {"Euler", 1, 5, "0", ""},
                                       {"AB-2", 2, 1, "0", ""},
                                       {"AB-2", 2, 2, "-0.416666667", ""},
                                       {"AB-2", 2, 3, "0.25", "0.18"},
                                       {"AB-2", 2, 4, "-0.0847222222", ""},
                                       {"AB-2", 2, 5, "0.0208333333", ""},
                                       {"AB-3", 3, 1, "0", ""},
                                       {"AB-3", 3, 2, "0", ""},
                                       {"AB-3", 3, 3, "-0.375", ""}}};

}  // namespace

std::vector<Entry> coefficients() {
  std::vector<Entry> entries;
  for (const Row& row : rows) {
    const bool zero = row.found == std::string("0");
    std::string note = "a formula of the library, no run";
    if (*row.printed != '\0' && row.k == 3)
      note +=
          "; printed as \"as= 0.18\", which neither the derivation nor the simulation (Example 2) supports: "
          "1/4";
    entries.push_back(
        {.item = "Truncation coefficients",
         .quantity = fmt::format("a_{}", row.k),
         .parameters = {{"method", row.method}},
         .printed = row.printed,
         .expected = zero ? below(1e-14, "0") : digits(row.found),
         .note = note,
         .reading =
             formula(fmt::format("analysis::truncation_coefficients(analysis::adams_bashforth({}), 5)[{}]",
                                 row.steps, row.k),
                     [row] {
                       return analysis::truncation_coefficients(analysis::adams_bashforth(row.steps),
                                                                5)[static_cast<std::size_t>(row.k)];
                     })});
  }
  return entries;
}

}  // namespace driftless::experiments::paper004
