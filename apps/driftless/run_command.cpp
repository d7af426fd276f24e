#include "run_command.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include <driftless/io/model_check.hpp>
#include <driftless/io/model_outputs.hpp>
#include <driftless/io/run_json.hpp>
#include <driftless/io/run_plots.hpp>
#include <driftless/io/saved_run.hpp>

#include <driftless/version.hpp>

#include "coordinates.hpp"
#include "event_option.hpp"
#include "execution.hpp"
#include "flags.hpp"
#include "run_advice.hpp"
#include "summary.hpp"

namespace driftless::app {

namespace {

// What was saved, with another end and other output where they are given.
Experiment resumed_experiment(const RunRequest& request) {
  check_resumed(request);
  const io::SavedRun saved = io::read_saved_run(*request.resume);
  Experiment experiment;
  experiment.parameters = saved.parameters;
  experiment.source =
      open_problem(saved.problem, saved.parameters,
                   {.keyframe = saved.keyframe, .allow_outside = saved.allow_outside, .loops = saved.loops});
  if (experiment.source.model && experiment.source.model->digest != saved.model_digest)
    throw InputError(
        fmt::format("the model {} has changed since the run in '{}' was saved and would go on as another "
                    "one; begin a new "
                    "run",
                    saved.problem, *request.resume));
  experiment.method = {saved.method.formulation, saved.method.integrator, saved.method.stabilizer,
                       saved.method.controls, saved.method.controller};
  use_coordinates(saved.method.coordinates.empty() ? "absolute" : saved.method.coordinates, experiment.method,
                  experiment.source);
  check_checkpoint(saved.checkpoint, experiment.source.instance.problem->shape(), saved.options.step);
  RunRequest asked = request;
  if (experiment.source.model) asked.output = with_model(request, experiment.source.model->run).output;
  experiment.options = options_of(asked, saved.options.t_end);
  experiment.options.step = saved.options.step;
  experiment.options.rtol = saved.options.rtol;
  experiment.options.atol = saved.options.atol;
  experiment.options.hmax = saved.options.hmax;
  experiment.options.resume = saved.checkpoint;
  experiment.events = saved.events;
  experiment.resumed_from = *request.resume;
  if (saved.version != version)
    experiment.notes.push_back(
        fmt::format("'{}' was written by driftless {}, this is {}; the bits may differ", *request.resume,
                    saved.version, version));
  if (!(experiment.options.t_end > saved.checkpoint.state.t))
    throw InputError(fmt::format("--t-end is {} (the saved run has come to {}); give a later end",
                                 experiment.options.t_end, saved.checkpoint.state.t));
  return experiment;
}

// What the check of a model says before anything is computed. Throws InputError for its errors, unless the user knows better.
void look_before(Experiment& experiment, bool anyway) {
  std::string errors;
  for (const io::Finding& f : io::quick_findings(*experiment.source.model)) {
    const std::string text = f.subject + ": " + f.text;
    if (f.severity == io::Finding::Severity::error && !anyway)
      errors += text + "\n";
    else if (f.severity == io::Finding::Severity::note)
      experiment.notes.push_back(text);
    else
      experiment.warnings.push_back(with_flags(text));
  }
  if (!errors.empty())
    throw InputError(
        fmt::format("{}nothing was computed; mend the model, or run it as it is with --anyway", errors));
}

// What is wrong with the method or the options of a run is told with the file where it is [run] that says it.
void refuse_words_of_file(const RunRequest& request, const Experiment& experiment) {
  const Problem& problem = *experiment.source.instance.problem;
  try {
    assemble(problem, experiment.method, experiment.options);
  } catch (const InputError& error) {
    try {
      assemble(problem, method_of(request), options_of(request, experiment.options.t_end));
    } catch (const InputError&) {
      throw error;  // said by flags as well
    }
    std::string text = error.what();  // names of options, which are those of keys
    std::erase(text, '`');
    throw InputError(fmt::format("{}: [run]: {}", experiment.source.name, text));
  }
}

Experiment new_experiment(const RunRequest& request) {
  if (!request.problem)
    throw InputError(
        "run needs the name of a problem or a model file: driftless run PROBLEM (see driftless list "
        "problems), driftless run FILE.toml");
  Experiment experiment;
  experiment.parameters = parameters_of(request.set);
  experiment.source = open_problem(*request.problem, experiment.parameters,
                                   robot_options_of(request.robot, *request.problem));
  if (request.anyway && !experiment.source.model)
    throw InputError(
        fmt::format("--anyway is for model files, and {} is a problem of the catalog, which is not checked; "
                    "leave it out",
                    *request.problem));
  const RunRequest asked =
      experiment.source.model ? with_model(request, experiment.source.model->run) : request;
  if (experiment.source.model) {
    experiment.notes = experiment.source.model->notes;
    look_before(experiment, request.anyway);
    if (const std::string end = end_advice(*experiment.source.model); !end.empty() && !request.t_end)
      experiment.notes.push_back(end);
    const std::string moved = request.set.empty() ? "" : io::moved_by_set(*experiment.source.model);
    if (!moved.empty()) experiment.notes.push_back(moved);
  }
  experiment.method = method_of(asked);
  use_coordinates(asked.coordinates, experiment.method, experiment.source);
  if (!experiment.source.coordinates_reason.empty())
    experiment.notes.push_back(experiment.source.coordinates_reason);
  experiment.options = options_of(asked, experiment.source.instance.t_end);
  const Options& options = experiment.options;
  const bool by_step = !options.rtol && !options.atol;  // both at once are refused
  const std::string step = step_advice(options.step, options.t_end - experiment.source.instance.start.t);
  if (by_step && !step.empty()) experiment.warnings.push_back("run: " + step);
  experiment.events = request.events;
  if (experiment.source.model) refuse_words_of_file(request, experiment);
  return experiment;
}

// Of a model everything that has a name, in its units.
io::RunPlots::Columns plot_columns(const RunRequest& request, const ProblemSource& source) {
  if (!source.model || !request.plot) return {};
  const auto outputs = std::make_shared<io::ModelOutputs>(*source.model, std::vector<std::string>{"*.*"});
  io::RunPlots::Columns columns{.names = {"t"},
                                .units = {outputs->time_unit()},
                                .of = io::state_units(*source.model, *source.instance.problem)};
  columns.units.insert(columns.units.end(), outputs->units().begin(), outputs->units().end());
  columns.names.insert(columns.names.end(), outputs->names().begin(), outputs->names().end());
  columns.row = [outputs, &source](const State& state) {
    std::vector<double> row = outputs->row(by_bodies(source, state));
    row.insert(row.begin(), outputs->time(state));
    return row;
  };
  return columns;
}

// Nothing computed is lost when the disk is full: the summary is still printed. False if files are missing.
bool written(const io::ResultFolder& folder, const Experiment& experiment, io::RunReport& report,
             const io::RunPlots& plots) {
  try {
    report.folder = folder.path().string();
    report.plots = plots.files();
    write_results(folder, report, experiment);
    plots.write(folder,
                fmt::format("{}: {}; {}", report.name, method_text(report.method), accuracy_text(report)));
    return true;
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "driftless: {}; what was computed is printed, but not all of it is in the files\n",
               error.what());
    report.folder.clear();
    report.plots.clear();
    return false;
  }
}

}  // namespace

Experiment experiment_of(const RunRequest& request) {
  Experiment experiment = request.resume ? resumed_experiment(request) : new_experiment(request);
  for (const std::string& text : experiment.events) {
    const Event event = event_of(text, experiment.source);
    for (const Event& other : experiment.options.events)
      if (other.name == event.name)
        throw InputError(fmt::format("--event '{}' is given more than once; give it once", event.name));
    experiment.options.events.push_back(event);
  }
  return experiment;
}

int run_command(const RunRequest& request) {
  if (request.out) io::refuse_taken_folder(*request.out);  // before anything is computed
  const Experiment experiment = experiment_of(request);
  FolderMaker maker(request.out, "results/" + experiment.source.short_name);
  io::RunPlots plots(request.plot.value_or(""), plot_columns(request, experiment.source));
  std::vector<Observer*> observers = {&maker};
  if (request.plot) observers.insert(observers.begin(), &plots);  // refuses names before there is a folder
  for (const std::string& warning : experiment.warnings)
    fmt::print(stderr, "driftless: warning: {}\n", warning);
  io::RunReport report = execute(experiment, observers);
  const bool complete = report.solution.complete();
  const bool all_written = written(maker.folder(), experiment, report, plots);
  if (request.json) {
    fmt::print("{}", io::run_json(report));
    for (const std::string& note : io::notes_of(report)) fmt::print(stderr, "driftless: note: {}\n", note);
  } else {
    fmt::print("{}", summary(report, experiment.source.summary));
  }
  std::fflush(stdout);
  if (!complete) fmt::print(stderr, "driftless: the run ended early: {}\n", report.solution.end_message);
  const EndReason end = report.solution.end;
  if (all_written && (end == EndReason::interrupted || end == EndReason::max_steps))
    fmt::print(stderr, "driftless: go on with: driftless run --resume {}\n", report.folder);
  const bool met =
      !report.named || std::all_of(report.named->expectations.begin(), report.named->expectations.end(),
                                   [](const io::MetExpectation& e) { return e.met() || !e.value; });
  if (complete && !met) fmt::print(stderr, "driftless: a number that the model file expects is not met\n");
  return complete && all_written && met ? 0 : 1;
}

}  // namespace driftless::app
