// What the text of the paper says and the tables do not show, and one advice that does not hold:
//   - (4.7), (4.14) and the state-space form have no step restriction from nu: order 1 from h = .02 on
//   - "Pa followed by a projection of v", recommended at the end of section 4: in Example 4 it has the errors
//     of Pb. C v = -C' p - r' with |C'| = nu puts nu times the error of p into v; in Example 3, |C'| = 1, it
//     does no harm
//   - (4.16), (4.17) serve in Example 3, too; (4.18) to (4.22), a projection of p after the step, is (4.14)
#include <array>
#include <string>

#include <fmt/format.h>

#include "experiments/000/runs.hpp"
#include "experiments/000/tables.hpp"

namespace driftless::experiments::paper000 {

namespace {

constexpr const char* project_v = "projection:F=velocity";

using Digits = std::array<const char*, 2>;  // of Error(p) and Error(v)

// Both errors of one run.
void add_errors(std::vector<Entry>& entries, const std::string& item, const Parameters& parameters,
                const Run& run, const Digits& found, const std::string& note = {}) {
  for (const std::size_t i : {0u, 1u})
    entries.push_back({.item = item,
                       .quantity = i == 0 ? "Error(p)" : "Error(v)",
                       .parameters = parameters,
                       .expected = digits(found[i]),
                       .note = note,
                       .command = command(run),
                       .reading = i == 0 ? error_p : error_v});
}

constexpr std::array<const char*, 6> steps = {"0.02", "0.01", "0.005", "0.0025", "0.001", "0.0005"};

struct Refinement {
  const char *item, *method;
  std::string problem, formulation;
  std::array<const char*, 6> errors;
  std::array<const char*, 2> orders;  // from .02 to .01 and from .001 to .0005
};

const std::vector<Refinement>& refinements() {
  static const std::vector<Refinement> all = {
      {"Example 2, first order with nu = 1000",
       "(4.7)",
       example2(),
       projected("C^T"),
       {".2702e-4", ".1355e-4", ".6788e-5", ".3397e-5", ".1359e-5", ".6798e-6"},
       {"0.9952", "0.9998"}},
      {"Example 2, first order with nu = 1000",
       "state-space",
       example2(),
       state_space,
       {".2700e-4", ".1355e-4", ".6784e-5", ".3395e-5", ".1359e-5", ".6795e-6"},
       {"0.9952", "0.9998"}},
      {"Example 3, first order with nu = 1000, eps = 1",
       "(4.14), D = C^T",
       example3("1000", "1"),
       projected("C^T"),
       {".1451e-1", ".7243e-2", ".3618e-2", ".1808e-2", ".7231e-3", ".3615e-3"},
       {"1.0026", "1.0001"}}};
  return all;
}

struct Variant {
  char variant;
  const char *eps, *nu;
  Digits found;
};

constexpr std::array<Variant, 12> variants = {{
    {'b', "0", "1", {".1084e-1", ".1025e-1"}},
    {'b', "0", "100", {".7053e-2", ".6951e-2"}},
    {'b', "0", "1000", {".6990e-2", ".6980e-2"}},
    {'b', "1", "1", {".1178e-1", ".1414e-1"}},
    {'b', "1", "100", {".7122e-2", ".6917e-2"}},
    {'b', "1", "1000", {".6997e-2", ".6976e-2"}},
    {'c', "0", "1", {".1028e-1", ".9992e-2"}},
    {'c', "0", "100", {".6512e-2", ".6416e-2"}},
    {'c', "0", "1000", {".6450e-2", ".6440e-2"}},
    {'c', "1", "1", {".1122e-1", ".1384e-1"}},
    {'c', "1", "100", {".6580e-2", ".6387e-2"}},
    {'c', "1", "1000", {".6457e-2", ".6438e-2"}},
}};

}  // namespace

std::vector<Entry> first_order() {
  std::vector<Entry> entries;
  for (const Refinement& row : refinements()) {
    const auto run = [&](const char* h) {
      return command({.problem = row.problem, .formulation = row.formulation, .step = h});
    };
    for (std::size_t i = 0; i < steps.size(); ++i)
      entries.push_back({.item = row.item,
                         .quantity = "Error",
                         .parameters = {{"method", row.method}, {"h", steps[i]}},
                         .expected = digits(row.errors[i]),
                         .command = run(steps[i]),
                         .reading = error_p});
    for (const std::size_t i : {0u, 1u})
      entries.push_back({.item = row.item,
                         .quantity = "order",
                         .parameters = {{"method", row.method}, {"h", i == 0 ? "0.01" : "0.0005"}},
                         .expected = digits(row.orders[i]),
                         .note = "from twice this step: nu does not restrict it",
                         .command = run(i == 0 ? "0.01" : "0.0005"),
                         .reference_command = run(i == 0 ? "0.02" : "0.001"),
                         .reading = order(error_p)});
  }
  return entries;
}

std::vector<Entry> velocity_projection() {
  struct Row {
    const char* h;
    Digits found;
    const char* drift;  // of Pa without the projection
  };
  constexpr std::array<Row, 3> rows = {{{"0.1", {".2205e-1", ".2205e+1"}, ".2566e+1"},
                                        {"0.01", {".1864e-3", ".1861e-1"}, ".2161e-1"},
                                        {"0.001", {".5674e-5", ".5650e-3"}, ".6642e-3"}}};
  const std::string in_4 = "Example 4, Pa followed by a projection of v, nu = 100";
  std::vector<Entry> entries;
  for (const Row& row : rows) {
    add_errors(
        entries, in_4, {{"h", row.h}},
        {.problem = example4("100"), .formulation = projected("C^T"), .step = row.h, .stabilizer = project_v},
        row.found,
        "the errors of Pb and S, and not those of Pa: the projection puts nu times the error of p into "
        "v, and Pa's advantage is lost");
    entries.push_back(
        {.item = in_4,
         .quantity = "|C v + C' p + r'| without it",
         .parameters = {{"h", row.h}},
         .expected = digits(row.drift),
         .note = "what the projection removes from v",
         .command = command({.problem = example4("100"), .formulation = projected("C^T"), .step = row.h}),
         .reading = drift_v});
  }
  constexpr std::array<std::pair<const char*, Digits>, 3> harmless = {{{"1", {".1178e-1", ".1414e-1"}},
                                                                       {"100", {".7139e-2", ".6866e-2"}},
                                                                       {"1000", {".7014e-2", ".6926e-2"}}}};
  for (const auto& [nu, found] : harmless)
    add_errors(entries, "Example 3, (4.14) with D = C^T followed by a projection of v, eps = 1", {{"nu", nu}},
               {.problem = example3(nu, "1"), .formulation = projected("C^T"), .stabilizer = project_v},
               found, "no harm, since |C'| = 1");
  return entries;
}

std::vector<Entry> other_variants() {
  std::vector<Entry> entries;
  for (const Variant& v : variants)
    add_errors(entries, "Example 3, (4.16) and (4.17) with D = C^T",
               {{"method", v.variant == 'b' ? "Pb" : "Pc"}, {"eps", v.eps}, {"nu", v.nu}},
               {.problem = example3(v.nu, v.eps), .formulation = projected("C^T", v.variant)}, v.found);
  constexpr std::array<std::pair<const char*, Digits>, 3> projections = {
      {{"1", {".1176e-1", ".1228e-1"}},
       {"100", {".7351e-2", ".3539e-2"}},
       {"1000", {".7243e-2", ".3553e-2"}}}};
  for (const auto& [nu, found] : projections)
    add_errors(entries, "Example 3, projection of p after the step, (4.18) to (4.22) with W = I, eps = 1",
               {{"nu", nu}},
               {.problem = example3(nu, "1"), .formulation = "index1", .stabilizer = "projection:F=position"},
               found, "the numbers of (4.14) with D = C^T in Table 4.3");
  return entries;
}

}  // namespace driftless::experiments::paper000
