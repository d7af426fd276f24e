// Theorems 3.1 and 4.1: the ssf iteration for an overdetermined system and the extended system with
// multipliers mu, eta have the same solution of a step. Quantified on Andrews' mechanism: one step of
// constant-step bdf of order k from the exact motion up to t = 0.005, 0.012 and 0.02, the worst of the three;
// differences are divided by 1 of p, 1000 of v and 100 of lambda (driftless/analysis/ssf_equivalence.hpp).
// The matrices of the theorems belong to the iterate. Frozen, as codes of the kind of DASSL have them, the
// limit satisfies all constraints and is another one: by a defect of higher order.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>

#include <fmt/format.h>

#include <driftless/analysis/ssf_equivalence.hpp>
#include <driftless/catalog/catalog.hpp>
#include <driftless/formulations/overdetermined.hpp>

#include "experiments/002/tables.hpp"
#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper002 {

namespace {

using analysis::SsfEquivalence;
using formulations::OverdeterminedOptions;

// The exact motion at every multiple of the smaller of the two steps.
const char* const exact_motion =
    "driftless run andrews --integrator dop853 --stabilizer projection --step 5e-6 --t-end 0.02";
constexpr double spacing = 5e-6;
constexpr std::array times{0.005, 0.012, 0.02};
constexpr std::array step_sizes{2e-5, 5e-6};
constexpr analysis::SsfScales scales{.q = 1, .v = 1e3, .lambda = 1e2};

struct Theorem {
  const char* name;
  std::unique_ptr<Formulation> (*formulation)(const OverdeterminedOptions&);
  std::array<const char*, 3> equal;   // found: iterates of (27) and (30), first iterates, limits
  std::array<const char*, 3> frozen;  // limits with frozen matrices, k = 1, 2, 3, h = 2e-5
  std::array<std::array<const char*, 2>, 3> multipliers;  // for k = 1, 2, 3 with h = 2e-5 and 5e-6
};
constexpr std::array<Theorem, 2> theorems = {{
    {"Theorem 3.1",
     formulations::overdetermined_index1,
     {"2.3e-15", "2.8e-16", "1.8e-15"},
     {"1.3e-6", "3.1e-10", "1.0e-13"},
     {{{"200", "52"}, {"8.4", "0.53"}, {"9.4e-2", "1.5e-3"}}}},
    {"Theorem 4.1",
     formulations::overdetermined_index2,
     {"4.5e-15", "4.3e-16", "7.5e-14"},
     {"6.8e-6", "1.1e-9", "1.9e-13"},
     {{{"100", "25"}, {"2.3", "0.15"}, {"2.9e-2", "4.5e-4"}}}},
}};

// Columns of the table are t, z, lambda; its rows are the multiples of the spacing.
analysis::BdfStep step_of(const Problem& problem, const Table& table, double t, double h, int order) {
  analysis::BdfStep step{.t = t + h, .h = h, .order = order, .history = {}};
  for (int j = 0; j < order; ++j) {
    State state = make_state(problem, {});
    const auto row = static_cast<std::size_t>(std::lround((t - j * h) / spacing));
    std::size_t column = 0;
    state.t = table.columns[column++][row];
    for (double& value : state.z) value = table.columns[column++][row];
    for (double& value : state.lambda) value = table.columns[column++][row];
    step.history.push_back(state);
  }
  return step;
}

using OfStep = std::function<double(const Problem& problem, const analysis::BdfStep& step)>;

double worst_of_times(const Table& table, double h, int order, const OfStep& value) {
  const ProblemInstance andrews = catalog::make_problem("andrews");
  double worst = 0;
  for (const double t : times)
    worst = std::max(worst, value(*andrews.problem, step_of(*andrews.problem, table, t, h, order)));
  return worst;
}

OfStep equivalence(const Theorem& theorem, double SsfEquivalence::*part, bool frozen = false) {
  return [=](const Problem& problem, const analysis::BdfStep& step) {
    const auto system = theorem.formulation({.frozen = frozen})->build(problem);
    return analysis::ssf_equivalence(*system, step, scales, frozen).*part;
  };
}

OfStep two_formulas(const Theorem& theorem) {
  return [=](const Problem& problem, const analysis::BdfStep& step) {
    const auto by_30 = theorem.formulation({})->build(problem),
               by_27 = theorem.formulation({.definition = linalg::GeneralizedSolution::null_space})
                           ->build(problem);
    return analysis::iterates_apart(*by_30, *by_27, step, scales);
  };
}

Reading of_steps(const char* function, const OfStep& value) {
  return from_table(fmt::format("worst of {}, k = 1, 2, 3, h = 2e-5, 5e-6", function),
                    [=](const Table& table) {
                      double worst = 0;
                      for (const double h : step_sizes)
                        for (int k = 1; k <= 3; ++k)
                          worst = std::max(worst, worst_of_times(table, h, k, value));
                      return worst;
                    });
}

Reading of_step(const char* function, int k, double h, const OfStep& value) {
  return from_table(fmt::format("{}, k = {}, h = {}", function, k, h),
                    [=](const Table& table) { return worst_of_times(table, h, k, value); });
}

void add_equalities(const Theorem& theorem, std::vector<Entry>& entries) {
  const auto add = [&](const char* quantity, const Reading& reading, const Expected& expected) {
    entries.push_back({.item = std::string(theorem.name) + ", equal to roundoff",
                       .quantity = quantity,
                       .expected = expected,
                       .command = exact_motion,
                       .reading = reading});
  };
  add("(27) against (30), iterates", of_steps("analysis::iterates_apart", two_formulas(theorem)),
      below(1e-13, theorem.equal[0]));
  add("ssf against extended, first iterate",
      of_steps("analysis::ssf_equivalence, first_iterate",
               equivalence(theorem, &SsfEquivalence::first_iterate)),
      below(1e-13, theorem.equal[1]));
  add("ssf against extended, limit",
      of_steps("analysis::ssf_equivalence, limit", equivalence(theorem, &SsfEquivalence::limit)),
      below(1e-12, theorem.equal[2]));
}

void add_by_order(const Theorem& theorem, std::vector<Entry>& entries) {
  const OfStep multipliers = equivalence(theorem, &SsfEquivalence::multipliers),
               frozen = equivalence(theorem, &SsfEquivalence::limit, true);
  const char* const size = "analysis::ssf_equivalence, multipliers";
  for (int k = 1; k <= 3; ++k) {
    const auto add = [&](const char* quantity, const Reading& reading, const Expected& expected,
                         const char* note) {
      entries.push_back({.item = std::string(theorem.name) + ", by order",
                         .quantity = quantity,
                         .parameters = {{"k", std::to_string(k)}},
                         .expected = expected,
                         .note = note,
                         .command = exact_motion,
                         .reading = reading});
    };
    const auto i = static_cast<std::size_t>(k - 1);
    // What is left for k = 3 is near roundoff.
    add("limit, frozen matrices, h = 2e-5",
        of_step("analysis::ssf_equivalence, frozen, limit", k, step_sizes[0], frozen),
        k < 3 ? relative(theorem.frozen[i], 0.1) : within_factor(theorem.frozen[i], 5),
        "on the constraints, and off the solution of the extended system");
    add("size of (mu, eta), h = 2e-5", of_step(size, k, step_sizes[0], multipliers),
        relative(theorem.multipliers[i][0], 0.05), "");
    add("size of (mu, eta), h = 5e-6", of_step(size, k, step_sizes[1], multipliers),
        relative(theorem.multipliers[i][1], 0.05), "");
    const Reading quotient = from_table(
        fmt::format("{}, k = {}, of h = {} over that of h = {}", size, k, step_sizes[0], step_sizes[1]),
        [=](const Table& table) {
          return worst_of_times(table, step_sizes[0], k, multipliers) /
                 worst_of_times(table, step_sizes[1], k, multipliers);
        });
    add("quotient of these sizes", quotient, relative(fmt::format("{}", 1 << (2 * k)), 0.15),
        "4^k, since they vanish like h^k");
  }
}

}  // namespace

std::vector<Entry> equivalence_theorems() {
  std::vector<Entry> entries;
  for (const Theorem& theorem : theorems) {
    add_equalities(theorem, entries);
    add_by_order(theorem, entries);
  }
  return entries;
}

}  // namespace driftless::experiments::paper002
