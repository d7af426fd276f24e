#include "convergence/bdf_table.hpp"

#include <array>
#include <map>

#include <fmt/format.h>

namespace driftless::tests {

namespace {

using Steps = std::array<int, bdf_orders>;

// n for orders 1 to 5, inside of the window where the leading term of the error is larger than the next one and than roundoff in every
// formulation. At order 5 it is narrow where the multipliers are unknowns of index 3: they answer for a second difference of q, so that
// roundoff is divided by h^2.
const std::map<std::string, Steps>& steps_of_problems() {
  static const std::map<std::string, Steps> steps = {
      {"pendulum", {1024, 512, 512, 768, 512}},        {"arevalo", {512, 512, 512, 384, 256}},
      {"000-example3", {256, 256, 192, 96, 64}},       {"000-example4", {256, 256, 256, 192, 64}},
      {"chaplygin-sleigh", {256, 256, 256, 256, 192}}, {"heavy-top", {512, 512, 384, 512, 192}},
      {"000-example1", {256, 256, 192, 128, 64}},      {"jay", {256, 256, 256, 192, 96}},
      {"jerk-sphere", {256, 256, 192, 128, 96}}};
  return steps;
}

int steps_of(const std::string& formulation, const std::string& problem, int order) {
  // Nothing holds the constraint: drift, with a next term of opposite sign, is most of the error.
  if (formulation == "index1" && problem == "000-example4" && order == 5) return 160;
  return steps_of_problems().at(problem).at(static_cast<std::size_t>(order - 1));
}

// Counted from the start, a multiplier of index i is of order k only after (i - 1) k steps, when all the differences that it answers for
// belong to equal steps (Brenan, Campbell, Petzold, section 3.2). The largest index here is 4, of systems of order 3.
int first_sample_after_start(int order, int steps) {
  return 1 + 4 * order * 8 / steps;
}

}  // namespace

std::string bdf_of_order(int order) {
  return fmt::format("bdf:order={},tolerance={},iterations=20", order, order < 4 ? "1e-13" : "1e-15");
}

std::optional<OrderRun> bdf_run(const FormulationRow& row, const FormulationProblem& problem, int order) {
  std::optional<OrderRun> run = formulation_run(row, problem);
  if (!run) return run;
  run->method.integrator = bdf_of_order(order);
  run->steps = steps_of(row.formulation, problem.problem.name, order);
  run->first_sample = first_sample_after_start(order, run->steps);
  return run;
}

}  // namespace driftless::tests
