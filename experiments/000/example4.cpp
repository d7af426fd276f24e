// Example 4, Table 4.9: p' = v, v' = -nu^2 v + q - C^T lambda, 0 = C p + r with C = (sin nu t, cos nu t);
// backward Euler.
//   Pa  (4.14), D = C^T: v' of the underlying ODE, p' = v + C^T mu keeps C p + r = 0
//   Pb  (4.16): v' + C^T tau keeps the derivative of the constraint, too
//   Pc  (4.17): as Pb, and p' + C'^T tau with the same tau
//   S   (4.15), D = C^T
// Errors are those at t = 1.
#include <array>
#include <string>

#include "experiments/000/runs.hpp"
#include "experiments/000/tables.hpp"

namespace driftless::experiments::paper000 {

namespace {

using Digits = std::array<const char*, 2>;  // of Error(p) and Error(v)

struct Row {
  const char *method, *nu, *h;
  Digits printed, found;
};

constexpr std::array<Row, 20> rows = {{
    {"Pa", "1", ".01", {".22e-2", ".82e-2"}, {".2198e-2", ".8174e-2"}},
    {"Pa", "1", ".001", {".22e-3", ".81e-3"}, {".2256e-3", ".8138e-3"}},
    {"Pb", "1", ".01", {".36e-2", ".47e-2"}, {".3621e-2", ".4722e-2"}},
    {"Pb", "1", ".001", {".37e-3", ".48e-3"}, {".3691e-3", ".4832e-3"}},
    {"Pc", "1", ".01", {".29e-2", ".30e-2"}, {".2863e-2", ".3036e-2"}},
    {"Pc", "1", ".001", {".28e-3", ".30e-3"}, {".2822e-3", ".3013e-3"}},
    {"S", "1", ".01", {".36e-2", ".47e-2"}, {".3621e-2", ".4722e-2"}},
    {"S", "1", ".001", {".36e-3", ".48e-3"}, {".3691e-3", ".4832e-3"}},
    {"Pa", "100", ".1", {".22e-1", ".17e-1"}, {".2230e-1", ".1706e-1"}},
    {"Pa", "100", ".01", {".19e-3", ".65e-4"}, {".1870e-3", ".6462e-4"}},
    {"Pa", "100", ".001", {".59e-5", ".15e-4"}, {".5883e-5", ".1539e-4"}},
    {"Pb", "100", ".1", {".22e-1", ".22e+1"}, {".2205e-1", ".2205e+1"}},
    {"Pb", "100", ".01", {".19e-3", ".19e-1"}, {".1864e-3", ".1861e-1"}},
    {"Pb", "100", ".001", {".57e-5", ".56e-3"}, {".5674e-5", ".5650e-3"}},
    {"Pc", "100", ".1", {".17e-3", ".17e-1"}, {".1729e-3", ".1728e-1"}},
    {"Pc", "100", ".01", {".68e-6", ".66e-4"}, {".6836e-6", ".6648e-4"}},
    {"Pc", "100", ".001", {".16e-6", ".15e-4"}, {".1564e-6", ".1545e-4"}},
    {"S", "100", ".1", {".22e-1", ".22e+1"}, {".2205e-1", ".2205e+1"}},
    {"S", "100", ".01", {".19e-3", ".19e-1"}, {".1864e-3", ".1861e-1"}},
    {"S", "100", ".001", {".58e-5", ".56e-3"}, {".5674e-5", ".5650e-3"}},
}};

std::string formulation(const std::string& method) {
  return method == "S" ? stabilized("C^T") : projected("C^T", method.back());
}

}  // namespace

std::vector<Entry> table49() {
  std::vector<Entry> entries;
  for (const Row& row : rows)
    for (const std::size_t i : {0u, 1u}) {
      entries.push_back({.item = "Table 4.9",
                         .quantity = i == 0 ? "Error(p)" : "Error(v)",
                         .parameters = {{"method", row.method}, {"nu", row.nu}, {"h", row.h}},
                         .printed = row.printed[i],
                         .expected = digits(row.found[i]),
                         .command = command({.problem = example4(row.nu),
                                             .formulation = formulation(row.method),
                                             .step = std::string("0") + row.h}),
                         .reading = i == 0 ? error_p : error_v});
      explain_last_digit(entries.back());
    }
  return entries;
}

}  // namespace driftless::experiments::paper000
