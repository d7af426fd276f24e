// Driftless against SUNDIALS' IDA on the same equations (common/ida_run.hpp: IDA gets the residual of a formulation of Driftless):
//   1  Andrews' mechanism to a relative error of 1e-6 in all positions: for both programs the loosest tolerance on 10^(-k/4) from
//      which all tighter ones reach it, and the instructions inside IDASolve or inside solve(), residuals included
//      (c: IDA's corrector constant where it is not its own 0.33)
//   2  what becomes of IDA on the ggl form of Andrews' mechanism when settings are left out that it was given in 1
//   3  the slider-crank of SUNDIALS' own example at rtol = atol = 1e-6
// IDA is compiled with the flags of the preset `bench`, as Driftless is (sundials.sh).
#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <driftless/driftless.hpp>

#include "common/callgrind.hpp"
#include "common/ida_run.hpp"

using namespace driftless;
using benchmarks::IdaSettings;

namespace {

// --- who takes part: a program with its settings; tolerances are rtol = atol ---

struct Outcome {
  std::string failure;  // empty: the end was reached
  State final;
  long steps = 0, residuals = 0, matrices = 0;
  Drift drift;  // if observed
};

struct Contestant {
  std::string program, method;
  bool ida_ggl = false;  // the best of these is what ratios refer to
  const char* counted = "";
  std::function<Outcome(const ProblemInstance&, double tolerance, bool observed)> run;
};

Contestant ida(const std::string& method, const IdaSettings& settings) {
  const auto run = [settings](const ProblemInstance& instance, double tolerance, bool observed) {
    const auto r = benchmarks::Ida(instance, settings, tolerance).run(instance.t_end, observed);
    return Outcome{r.failure, r.final, r.steps, r.residuals, r.matrices, r.drift};
  };
  return {"IDA", method, settings.formulation == "ggl", "IDASolve", run};
}

Contestant own(const Method& method) {
  const auto run = [method](const ProblemInstance& instance, double tolerance, bool observed) {
    const Options options{.t_end = instance.t_end,
                          .rtol = tolerance,
                          .atol = tolerance,
                          .output = {.kind = Output::Kind::at, .times = {instance.t_end}}};
    const Problem& problem = *instance.problem;
    Outcome outcome;
    try {
      Pipeline pipeline = assemble(problem, method, options);
      observers::DriftMonitor drift;
      std::vector<Observer*> observers;
      if (observed) observers.push_back(&drift);
      const Solution s =
          solve(problem, pipeline, consistent_state(problem, instance.start).state, options, observers);
      outcome = {s.end_message, s.final,          s.work.steps,
                 s.work.rhs,    s.work.jacobians, s.drift.value_or(Drift{})};
    } catch (const InputError& error) {
      outcome.failure = error.what();
    }
    return outcome;
  };
  const std::string name =
      fmt::format("{} + {} + {}", method.formulation, method.integrator, method.stabilizer);
  return {"Driftless", name, false, benchmarks::solve_function, run};
}

std::vector<Contestant> programs() {
  return {ida("ggl, difference quotients", {}),
          ida("ggl, matrix of Driftless", {.own_matrix = false}),
          ida("ggl, s' for s, difference quotients", {.integrated = true}),
          ida("ggl, s' for s, matrix of Driftless", {.own_matrix = false, .integrated = true}),
          ida("ggl, difference quotients, c = 0.01", {.corrector = 0.01}),
          ida("ggl, matrix of Driftless, c = 0.01", {.own_matrix = false, .corrector = 0.01}),
          ida("ggl, s' for s, matrix of Driftless, c = 0.01",
              {.own_matrix = false, .integrated = true, .corrector = 0.01}),
          ida("index2, difference quotients", {.formulation = "index2"}),
          ida("index1, difference quotients", {.formulation = "index1"}),
          ida("index1, matrix of Driftless", {.formulation = "index1", .own_matrix = false}),
          own({.formulation = "ggl", .integrator = "bdf", .stabilizer = "none"}),
          own({.formulation = "ggl", .integrator = "bdf", .stabilizer = "post"}),
          own({.formulation = "overdetermined-index2", .integrator = "bdf", .stabilizer = "none"}),
          own({.formulation = "overdetermined-index1", .integrator = "bdf", .stabilizer = "none"}),
          own({.formulation = "index1", .integrator = "bdf", .stabilizer = "post"}),
          own({.formulation = "index2", .integrator = "radau5", .stabilizer = "none"}),
          own({.formulation = "index3", .integrator = "radau5", .stabilizer = "none"}),
          own({.formulation = "ggl", .integrator = "radau5", .stabilizer = "none"}),
          own({.formulation = "index1", .integrator = "dopri5", .stabilizer = "post:F=block"})};
}

std::vector<Contestant> settings() {
  IdaSettings with_derivative = IdaSettings().plain();
  with_derivative.consistent_derivative = true;
  return {ida("all settings", {}),
          ida("without the first step", {.first_step = 0}),
          ida("without a consistent y'(0)", {.consistent_derivative = false}),
          ida("without both", {.first_step = 0, .consistent_derivative = false}),
          ida("without the multiplier tolerance", {.multiplier_tolerance = false}),
          ida("multipliers in the error test", {.out_of_error_test = false}),
          ida("plain, but a consistent y'(0)", with_derivative),
          ida("plain settings", IdaSettings().plain())};
}

// --- a run in a process of its own, and what it prints for the table ---

struct Figures {
  double relative = HUGE_VAL,
         absolute = HUGE_VAL;  // largest errors of a position; infinite where the end was not reached
  long steps = 0, residuals = 0, matrices = 0;
  Drift drift;
  std::string failure;
};

std::vector<std::string> run_arguments(const char* list, std::size_t who, const char* problem,
                                       double tolerance, bool observed) {
  return {list, std::to_string(who), problem, fmt::format("{:.17g}", tolerance), observed ? "1" : "0"};
}

void print_run(const std::vector<std::string>& arguments) {
  const auto list = arguments[0] == "programs" ? programs() : settings();
  const auto instance = catalog::make_problem(arguments[2]);
  const Outcome o =
      list.at(std::stoul(arguments[1])).run(instance, std::stod(arguments[3]), arguments[4] == "1");
  Vector error = Vector::Constant(1, 1e300), relative = error;
  if (o.failure.empty()) {
    const State exact = *instance.reference.at(instance.t_end);
    error = (o.final.q() - exact.q()).cwiseAbs();
    relative = error.cwiseQuotient(exact.q().cwiseAbs());
  }
  fmt::print("{} {} {} {} {} {} {} {}", relative.maxCoeff(), error.maxCoeff(), o.steps, o.residuals,
             o.matrices, o.drift.position, o.drift.velocity, o.failure);
}

Figures figures(const std::vector<std::string>& arguments) {
  std::istringstream text(benchmarks::output_of(arguments));
  Figures f;
  text >> f.relative >> f.absolute >> f.steps >> f.residuals >> f.matrices >> f.drift.position >>
      f.drift.velocity >> std::ws;
  std::getline(text, f.failure);
  if (f.steps == 0 && f.failure.empty()) f.failure = "the run ended without a word";
  return f;
}

// --- tables ---

std::string name_of(const Contestant& who) {
  return fmt::format("  {:<10} {:<45}", who.program, who.method);
}
std::string work_of(const Figures& f) {
  return fmt::format(" {:7} {:10} {:9}", f.steps, f.residuals, f.matrices);
}

// The loosest of 10^(-k/4) from which all tighter ones, down to 1e-10, reach the error; 0: not even that.
double loosest_tolerance(std::size_t who, double error) {
  double loosest = 0;
  for (int k = 40; k >= 8; --k) {
    const double tolerance = std::pow(10, -k / 4.0);
    const Figures f = figures(run_arguments("programs", who, "andrews", tolerance, false));
    if (!f.failure.empty() || !(f.relative <= error)) break;
    loosest = tolerance;
  }
  return loosest;
}

void table_of_andrews(double error) {
  const auto list = programs();
  std::vector<double> million(list.size(), std::nan(""));
  std::vector<std::string> lines;
  double best = HUGE_VAL;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const double tolerance = loosest_tolerance(i, error);
    const auto counted = run_arguments("programs", i, "andrews", tolerance > 0 ? tolerance : 1e-10, false);
    const Figures f = figures(counted);
    if (!f.failure.empty() || tolerance == 0) {
      lines.push_back(
          fmt::format("{}  not reached: {}", name_of(list[i]),
                      f.failure.empty() ? fmt::format("error {:.1e} at 1e-10", f.relative) : f.failure));
      continue;
    }
    million[i] = 1e-6 * benchmarks::instructions(list[i].counted, counted).value_or(std::nan(""));
    if (list[i].ida_ggl) best = std::fmin(best, million[i]);
    const Drift drift = figures(run_arguments("programs", i, "andrews", tolerance, true)).drift;
    lines.push_back(fmt::format("{} {:8.1e} {:8.1e}{} {:8.1e} {:8.1e} {:14.1f}", name_of(list[i]), tolerance,
                                f.relative, work_of(f), drift.position, drift.velocity, million[i]));
  }
  fmt::print(
      "Andrews' mechanism to a relative error of {:.0e} in q; ratio to the best ggl row of IDA; c: corrector "
      "constant, else 0.33\n"
      "  program    equations, matrix or method                        tol    error   steps  residuals  "
      "matrices  "
      "max |g| max |Gv|  million instr.  ratio\n",
      error);
  for (std::size_t i = 0; i < list.size(); ++i)
    fmt::print("{}{}\n", lines[i], std::isnan(million[i]) ? "" : fmt::format("  {:5.2f}", million[i] / best));
}

void table_of_settings() {
  const std::vector<double> tolerances = {1e-4, 1e-6, 1e-8, 1e-9};
  fmt::print(
      "\nIDA on the ggl form of Andrews' mechanism, difference quotients: steps (error), and the last "
      "failure\n"
      "  rtol = atol                       ");
  for (const double tolerance : tolerances) fmt::print("{:>18.0e}", tolerance);
  const auto list = settings();
  for (std::size_t i = 0; i < list.size(); ++i) {
    fmt::print("\n  {:<34}", list[i].method);
    std::string failure;
    for (const double tolerance : tolerances) {
      const Figures f = figures(run_arguments("settings", i, "andrews", tolerance, false));
      if (!f.failure.empty()) failure = f.failure;
      fmt::print("{:>18}", f.failure.empty() ? fmt::format("{} ({:.0e})", f.steps, f.relative) : "fails");
    }
    fmt::print("  {}", failure);
  }
}

void table_of_slider_crank() {
  fmt::print(
      "\n\nSUNDIALS' slider-crank to t = 10, rtol = atol = 1e-6\n"
      "  program    equations, matrix or method                  error in q   steps  residuals  matrices  "
      "max |g| "
      "max |Gv|\n");
  const auto list = programs();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Figures f = figures(run_arguments("programs", i, "sundials-slider-crank", 1e-6, true));
    fmt::print("{}{}\n", name_of(list[i]),
               f.failure.empty() ? fmt::format("   {:8.1e}{} {:8.1e} {:8.1e}", f.absolute, work_of(f),
                                               f.drift.position, f.drift.velocity)
                                 : "  fails: " + f.failure);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 5) {
    print_run(arguments);
    return 0;
  }
  table_of_andrews(1e-6);
  table_of_settings();
  table_of_slider_crank();
}
