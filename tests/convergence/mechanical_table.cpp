#include "convergence/mechanical_table.hpp"

namespace driftless::tests {

namespace {

// Motions on which the small terms of order 5 do not nearly cancel.
OrderProblem problem_of(const MechanicalRow& row, std::size_t problem) {
  OrderProblem p = formulation_problems().at(problem).problem;
  if (row.order == 5 && p.name == "arevalo") p.set = {{"t0", "0.25"}}, p.span = 1;
  if (row.order == 5 && p.name == "jerk-sphere") p.span = 3;
  return p;
}

}  // namespace

// rattle takes conservative forces, and carries those of 000-example4 (damping) with forces=any.
const std::vector<MechanicalRow>& mechanical_rows() {
  const std::string alpha = "generalized-alpha:tolerance=1e-14";
  static const std::vector<MechanicalRow> rows = {
      // pendulum, arevalo, 000-example3, 000-example4, chaplygin-sleigh, heavy-top, 000-example1, jay, jerk-sphere
      {"index2", "half-explicit", 5, {384, 96, 32, 128, 128, 256, 64, 64, 256}},
      {"index2", "half-explicit:method=euler", 1, {2048, 1024, 512, 512, 512, 1024, 512, 512, 512}},
      {"index3", "rattle", 2, {512, 256, 0, 0, 0, 0, 0, 0, 0}},
      {"index3", "rattle:forces=any", 2, {512, 256, 0, 256, 0, 0, 0, 0, 0}},
      {"index3", alpha, 2, {512, 256, 256, 256, 256, 512, 0, 0, 0}},
      {"index3", alpha + ",rho=0.3", 2, {512, 256, 256, 256, 256, 512, 0, 0, 0}},
      {"ggl", alpha, 2, {512, 256, 256, 256, 256, 512, 0, 0, 0}},
      {"ggl:D=input", alpha, 2, {512, 256, 256, 256, 256, 512, 0, 0, 0}},
      {"ggl", alpha + ",rho=1", 2, {512, 256, 256, 256, 256, 512, 0, 0, 0}}};
  return rows;
}

// lambda of arevalo is the square of the angular velocity, which the force changes by 2 h in a step. rattle has g = 0, g' = 0 and adds the torque's
// integral to the angular momentum. half-explicit Euler has |q_1|^2 = |q_0|^2 + h^2 |v_0|^2, and its angular momentum grows in the same ratio.
bool exact_multipliers(const MechanicalRow& row, std::size_t problem) {
  const std::string name = parse_choice(row.integrator).name;
  return formulation_problems().at(problem).problem.name == "arevalo" &&
         (name == "rattle" || (name == "half-explicit" && row.order == 1));
}

std::optional<OrderRun> mechanical_run(const MechanicalRow& row, std::size_t problem) {
  if (row.steps.at(problem) == 0) return std::nullopt;
  const OrderProblem p = problem_of(row, problem);
  return OrderRun{
      .problem = p.name,
      .set = p.set,
      .span = p.span,
      .method = {.formulation = row.formulation, .integrator = row.integrator, .stabilizer = "none"},
      .steps = row.steps.at(problem)};
}

}  // namespace driftless::tests
