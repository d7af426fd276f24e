#include "convergence/formulation_table.hpp"

#include <algorithm>

#include "support/unlisted_formulations.hpp"

namespace driftless::tests {

namespace {

using Source = MultiplierSource;

std::vector<FormulationRow> all_rows() {
  std::vector<FormulationRow> rows = {{"index1", Source::state},
                                      {"baumgarte", Source::state},
                                      {"invariant-stabilized", Source::state},
                                      // Gains that follow the step have no order of their own.
                                      {"trust-region:gamma=5", Source::state},
                                      {"direct-regularization:gamma=5", Source::state},
                                      {"index3", Source::second_difference},
                                      {"index2", Source::increment},
                                      {"index2-baumgarte", Source::increment},
                                      {"ggl", Source::increment},
                                      {"ggl:D=input", Source::increment},
                                      {"stabilized-index1", Source::state},
                                      {"overdetermined-index1", Source::state},
                                      {"overdetermined-index2", Source::increment},
                                      {"projected-invariants:variant=a", Source::state},
                                      {"projected-invariants:variant=b", Source::state},
                                      {"projected-invariants:variant=c", Source::state},
                                      {"projected-invariants:D=input", Source::state}};
  std::vector<std::string> listed;
  for (const FormulationRow& row : rows) listed.push_back(row.formulation);
  for (const std::string& name : unlisted_formulations(listed)) rows.push_back({name, Source::state});
  return rows;
}

// The problems of the table of integrators, and more: every shape that formulations treat differently.
std::vector<FormulationProblem> all_problems() {
  const auto of_integrators = [](const std::string& name) {
    const auto& problems = order_problems();
    return *std::find_if(problems.begin(), problems.end(), [&](const auto& p) { return p.name == name; });
  };
  return {{of_integrators("pendulum"), 2048, 1. / 2048},
          {of_integrators("arevalo"), 1024, 0},
          {{"000-example3", "position constraint that moves, mass matrix M(t)", {{"nu", "1"}}, 1.25}, 512, 0},
          {of_integrators("000-example4"), 512, 0},
          {of_integrators("chaplygin-sleigh"), 512, 1. / 1024},
          {of_integrators("heavy-top"), 1024, 0},
          {{"000-example1", "order 1, a constraint that moves", {{"nu", "1"}}, 1.25}, 512, 0},
          {{"jay", "order 1, B given", {}, 1}, 512, 1. / 2048},
          {{"jerk-sphere", "order 3, B given, mass matrix M(x)", {}, 2}, 512, 0}};
}

Shape shape_of(const FormulationProblem& problem) {
  return catalog::make_problem(problem.problem.name, problem.problem.set).problem->shape();
}

}  // namespace

const std::vector<FormulationRow>& formulation_rows() {
  static const std::vector<FormulationRow> rows = all_rows();
  return rows;
}

const std::vector<FormulationProblem>& formulation_problems() {
  static const std::vector<FormulationProblem> problems = all_problems();
  return problems;
}

std::optional<OrderRun> formulation_run(const FormulationRow& row, const FormulationProblem& problem) {
  const NamedChoice choice = parse_choice(row.formulation);
  const FormulationEntry& entry = catalog::formulation(choice.name);
  if (entry.make(OptionValues(choice.name, entry.options, choice.options))->refuses(shape_of(problem)))
    return std::nullopt;
  return OrderRun{.problem = problem.problem.name,
                  .set = problem.problem.set,
                  .span = problem.problem.span,
                  .method = {.formulation = row.formulation,
                             .integrator = "backward-euler:tolerance=1e-13",
                             .stabilizer = "none"},
                  .steps = problem.steps};
}

bool hides_high_orders(const FormulationRow& row) {
  return parse_choice(row.formulation).name == "direct-regularization";
}

// lambda of arevalo is the square of the angular velocity w. With g' = 0 imposed v_1 = w_1 J q_1, and then
// q_1 = q_0 + h v_1 leaves in q_1 x (v_1 - v_0 - h f_1) = 0 no more than w_1 = w_0 + 2 h, as it should be.
bool exact_multipliers(const FormulationRow& row, const FormulationProblem& problem) {
  return row.formulation == "index2" && problem.problem.name == "arevalo";
}

// From an exact state every step makes an error of h^2 in q and v, and so in the multipliers, which are
// evaluated there. With g = 0 alone imposed, 0 = g(q_1 - h v_1) makes G v_1 = h c/2, c = g'' - G v' the
// curvature: an error of v across the constraints, which lambda does not feel to first order on the
// pendulum, where c = |v|^2. Velocity constraints and systems of order 1 have nothing of index 3.
//
// (The unknowns of the step are less accurate. They answer for G v' = (G v_1 - G v_0)/h, with G at the new
// point, where an exact v_0 has G v_0 = -h c + O(h^2): with g' = 0 imposed that is -c + O(h). With g = 0 it
// is -c/2 + O(h), and lambda of the first step is wrong by S^-1 c/2; in a later step v_0 has an error of
// that kind too, G v_0 = h_0 c/2 - h c, so that lambda is wrong by S^-1 c/2 (1 - h_0/h), which does not
// become smaller with the steps: Brenan, Campbell, Petzold, section 3.2.)
PartOrders start_orders(const FormulationRow& row, const FormulationProblem& problem) {
  const Shape shape = shape_of(problem);
  const bool differences = row.source == Source::second_difference && shape.ng > 0 && shape.order > 1;
  return {2, differences ? 1 : 2, 2};
}

}  // namespace driftless::tests
