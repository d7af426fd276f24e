// What formulations with multipliers cost, and what their structured factorization saves:
//   1  the matrix c F_y' + F_y of one backward Euler step: one factorization and one solution with it, structured against an LU of
//      the whole matrix: instructions
//   2  1000 backward Euler steps of Andrews' mechanism in every formulation: instructions inside solve(), per step
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <driftless/driftless.hpp>

#include "common/callgrind.hpp"

using namespace driftless;

namespace {

std::string whole_number(double value) {
  return std::isnan(value) ? "?" : fmt::format("{:.0f}", value);
}

struct Matrices {
  ProblemInstance instance;
  std::unique_ptr<System> system;
  std::unique_ptr<IterationMatrix<double>> matrix;
  Vector residual, increment;
};

// The linearization at the start of a problem, and the matrix to factor.
Matrices step_of(const std::string& problem, const std::string& formulation, bool structured) {
  Matrices step{.instance = catalog::make_problem(problem),
                .system = {},
                .matrix = {},
                .residual = {},
                .increment = {}};
  const FormulationEntry& entry = catalog::formulation(formulation);
  step.system = entry.make(OptionValues(formulation, entry.options, {}))->build(*step.instance.problem);
  DaeSystem& dae = *step.system->dae();
  State state = step.instance.start;
  step.system->prepare(state);
  step.system->multipliers(state);
  const int n = step.system->size();
  Vector y(n), yp = Vector::Zero(n);
  step.system->pack(state, y);
  step.residual = Vector::LinSpaced(n, 1, 2);
  step.increment = step.residual;
  dae.residual(state.t, y, yp, step.increment);
  dae.linearize(state.t, y, yp);
  step.matrix = structured ? dae.real_matrix() : dense_real_matrix(dae, step.system->work());
  return step;
}

constexpr int counted_calls = 100;

[[gnu::noinline]] void counted_factorizations(Matrices& step) {
  for (int i = 0; i < counted_calls; ++i) step.matrix->factor(1e4);
}
[[gnu::noinline]] void counted_solutions(Matrices& step) {
  for (int i = 0; i < counted_calls; ++i) step.matrix->solve(step.residual, step.increment);
}

void table_of_matrices() {
  fmt::print(
      "one matrix c F_y' + F_y: instructions, structured / LU of the whole matrix\n"
      "  problem                formulation            size        factorization            solution\n");
  for (const char* problem : {"andrews", "closed-chain", "spatial-slider-crank"})
    for (const char* formulation : {"index3", "index2", "ggl", "stabilized-index1"}) {
      const auto count = [&](const char* what, const char* way) {
        return benchmarks::instructions(fmt::format("*counted_{}*", what), {what, problem, formulation, way})
                   .value_or(std::nan("")) /
               counted_calls;
      };
      const auto pair = [&](const char* what) {
        const double structured = count(what, "structured"), whole = count(what, "whole");
        return fmt::format("{} / {} ({:.2f})", whole_number(structured), whole_number(whole),
                           structured / whole);
      };
      fmt::print("  {:<23}{:<20}{:>5} {:>22}  {:>18}\n", problem, formulation,
                 step_of(problem, formulation, true).system->size(), pair("factorizations"),
                 pair("solutions"));
    }
}

Solution run_andrews(const std::string& formulation) {
  const auto instance = catalog::make_problem("andrews");
  const Options options{.t_end = 0.01, .step = 1e-5};
  Pipeline pipeline =
      assemble(*instance.problem,
               {.formulation = formulation, .integrator = "backward-euler", .stabilizer = "none"}, options);
  return solve(*instance.problem, pipeline, consistent_state(*instance.problem, instance.start).state,
               options);
}

void table_of_steps() {
  fmt::print(
      "\n1000 backward Euler steps of Andrews' mechanism, h = 1e-5, no stabilizer, no monitors\n"
      "  formulation           Newton iterations  Jacobians  factorizations  instructions per step\n");
  for (const char* formulation : {"index1", "baumgarte", "index3", "index2", "index2-baumgarte", "ggl",
                                  "stabilized-index1", "overdetermined-index2", "overdetermined-index1",
                                  "projected-invariants:variant=a", "projected-invariants", "state-space"}) {
    const Solution solution = run_andrews(formulation);
    const double count =
        benchmarks::instructions(benchmarks::solve_function, {"run", formulation}).value_or(std::nan("")) /
        1000;
    fmt::print("  {:<32}{:>7}  {:>9}  {:>14}  {:>21}\n", formulation, solution.work.newton,
               solution.work.jacobians, solution.work.factorizations, whole_number(count));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 4) {
    Matrices step = step_of(arguments[1], arguments[2], arguments[3] == "structured");
    step.matrix->factor(1e4);
    if (arguments[0] == "factorizations")
      counted_factorizations(step);
    else
      counted_solutions(step);
    return 0;
  }
  if (arguments.size() == 2) {
    run_andrews(arguments[1]);
    return 0;
  }
  table_of_matrices();
  table_of_steps();
}
