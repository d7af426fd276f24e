#include "modes_command.hpp"

#include <optional>

#include <fmt/format.h>

#include <driftless/analysis/equilibrium.hpp>
#include <driftless/catalog/method.hpp>
#include <driftless/core/consistent_state.hpp>
#include <driftless/core/method_options.hpp>
#include <driftless/io/model_outputs.hpp>
#include <driftless/observers/progress.hpp>

#include "coordinates.hpp"
#include "flags.hpp"
#include "interrupt.hpp"
#include "problem_source.hpp"

namespace driftless::app {

namespace {

using Search = analysis::EquilibriumOptions::Search;

constexpr double tight = 1e-10;  // tolerance of the run to --at T

Search search_of(const ModesRequest& request) {
  const std::string word = request.search.value_or("downhill");
  if (request.search && request.at && *request.at != "equilibrium")
    throw InputError(
        fmt::format("--search says how an equilibrium is looked for, but --at is '{}'; leave one of them out",
                    *request.at));
  if (word == "downhill") return Search::downhill;
  if (word == "newton") return Search::newton;
  throw InputError(fmt::format("--search is '{}' (must be one of: downhill, newton){}", word,
                               suggestion(word, {"downhill", "newton"})));
}

// The time of --at T; nothing for the words.
std::optional<double> time_of(const std::string& at, double start) {
  if (at == "start" || at == "equilibrium") return std::nullopt;
  double t = 0;
  try {
    t = parse_number(at, "--at");
  } catch (const InputError&) {
    throw InputError(fmt::format("--at is '{}' (must be start, equilibrium or a time){}", at,
                                 suggestion(at, {"start", "equilibrium"})));
  }
  if (!(t >= start))
    throw InputError(fmt::format("--at is {} (the problem starts at {}); give a later time", t, start));
  return t;
}

State consistent_start(const ProblemInstance& instance, std::vector<std::string>& notes) {
  const ConsistentState start = consistent_state(*instance.problem, instance.start);
  if (start.changed) notes.push_back(start.report);
  return start.state;
}

// The state that the default method reaches; nothing, with the reason printed, where it does not get there.
std::optional<State> state_at(const ProblemInstance& instance, double t, std::vector<std::string>& notes) {
  const State start = consistent_start(instance, notes);
  if (t == start.t) return start;
  observers::Progress progress;
  std::vector<Observer*> observers;
  if (observers::Progress::watched()) observers.push_back(&progress);
  const Solution run = solve(*instance.problem, start, Method{}, {.t_end = t, .rtol = tight, .atol = tight},
                             observers, interrupt_requested);
  if (run.complete()) return run.final;
  fmt::print(stderr, "driftless: the run to t = {} ended early: {}\n", t, with_flags(run.end_message));
  return std::nullopt;
}

}  // namespace

int modes_command(const ModesRequest& request) {
  if (!request.problem)
    throw InputError(
        "modes needs the name of a problem: driftless modes PROBLEM (see driftless list problems)");
  ModesReport report;
  report.name = *request.problem;
  report.parameters = parameters_of(request.set);
  const std::string at = request.at.value_or("equilibrium");
  const Search search = search_of(request);
  ProblemSource source =
      open_problem(report.name, report.parameters, robot_options_of(request.robot, report.name));
  if (source.model) report.notes = source.model->notes;
  use_coordinates(std::nullopt, Method{}, source);
  if (!source.coordinates_reason.empty()) report.notes.push_back(source.coordinates_reason);
  const ProblemInstance& instance = source.instance;
  report.problem = instance.problem;
  if (source.model) report.units = io::state_units(*source.model, *instance.problem);
  std::optional<State> state;
  if (const auto t = time_of(at, instance.start.t)) {
    state = state_at(instance, *t, report.notes);
  } else if (at == "start") {
    state = consistent_start(instance, report.notes);
  } else {
    const auto rest = analysis::equilibrium(*instance.problem, instance.start, {.search = search});
    if (rest.found) {
      state = rest.state;
      report.notes.push_back("equilibrium: " + rest.report);
    } else {
      fmt::print(stderr, "driftless: {}; or linearise elsewhere with --at start or --at T\n", rest.report);
    }
  }
  if (!state) return 1;
  report.found = analysis::modes(*instance.problem, *state);
  if (report.found.linearization.time_frozen)
    report.notes.push_back(
        fmt::format("time enters the equations; they are frozen at t = {:.10g}", state->t));
  for (std::string& note : report.notes) note = with_flags(note);
  fmt::print("{}", request.json ? modes_json(report) : modes_text(report, source.summary));
  return 0;
}

}  // namespace driftless::app
