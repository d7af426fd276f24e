#include "execution.hpp"

#include <ostream>

#include <driftless/core/consistent_state.hpp>
#include <driftless/io/csv.hpp>
#include <driftless/io/model_outputs.hpp>
#include <driftless/io/run_json.hpp>
#include <driftless/io/saved_run.hpp>
#include <driftless/observers/progress.hpp>

#include <driftless/version.hpp>

#include "coordinates.hpp"
#include "flags.hpp"
#include "interrupt.hpp"

namespace driftless::app {

namespace {

// With the choices that the library makes where the user made none.
io::MethodWords words_of(const Experiment& experiment) {
  const Method method = driftless::with_defaults(experiment.method, experiment.options);
  return {method.formulation, method.integrator, method.stabilizer,
          method.controls,    method.controller, experiment.source.coordinates};
}

Options with_defaults(Options options, const Problem& problem) {
  if (options.step) return options;
  const Tolerance tolerance = Tolerance::of(options.rtol, options.atol, problem);
  options.rtol = tolerance.rtol;
  if (!tolerance.by_sizes) options.atol = tolerance.atol;
  return options;
}

// A model is found again from any folder.
std::string from_the_root(const std::string& file) {
  return std::filesystem::absolute(file).lexically_normal().string();
}

ConsistentState not_moved(const Problem& problem, const State& start) {
  return {start, {}, Vector::Zero(problem.shape().order), false, {}};
}

ConsistentState start_of(const Experiment& experiment) {
  const ProblemInstance& instance = experiment.source.instance;
  if (experiment.options.resume) return not_moved(*instance.problem, experiment.options.resume->state);
  if (instance.start_as_given) return not_moved(*instance.problem, instance.start);
  return consistent_state(*instance.problem, instance.start);
}

}  // namespace

io::RunReport execute(const Experiment& experiment, std::vector<Observer*> observers) {
  const ProblemInstance& instance = experiment.source.instance;
  assemble(*instance.problem, experiment.method, experiment.options);  // wrong words first, then the start
  io::RunReport report;
  report.name = experiment.source.name;
  report.problem = instance.problem;
  report.parameters = experiment.parameters;
  report.method = words_of(experiment);
  report.options = with_defaults(experiment.options, *instance.problem);
  report.start = start_of(experiment);
  observers::Progress progress;
  if (observers::Progress::watched()) observers.push_back(&progress);
  Options options = experiment.options;
  options.start_as_given = instance.start_as_given;
  report.solution = solve(*instance.problem, report.start.state, experiment.method, options, observers,
                          interrupt_requested);
  report.resumed_from = experiment.resumed_from;
  report.solution.notes.insert(report.solution.notes.end(), experiment.notes.begin(), experiment.notes.end());
  report.warnings = experiment.warnings;
  report.start.report = with_flags(report.start.report);
  report.start.assembly = with_flags(report.start.assembly);
  report.solution.end_message = with_flags(report.solution.end_message);
  for (std::string& note : report.solution.notes) note = with_flags(note);
  report.error = io::reference_error(instance.reference, report.solution.final);
  tell_by_bodies(experiment.source, report);
  if (const auto& model = experiment.source.model) {
    report.named = io::named_results(*model, report.solution);
    report.units = io::state_units(*model, *report.problem);
  }
  return report;
}

void write_results(const io::ResultFolder& folder, const io::RunReport& report,
                   const Experiment& experiment) {
  const std::vector<std::string>& events = experiment.events;
  // The small ones first: on a full disk they are the ones to have.
  folder.write("run.json", [&](std::ostream& out) { out << io::run_json(report); });
  folder.write("checkpoint.json", [&](std::ostream& out) {
    const auto& model = experiment.source.model;
    const io::RobotOptions& robot = experiment.source.robot;
    out << io::saved_run_json({.version = std::string(version),
                               .problem = model ? from_the_root(report.name) : report.name,
                               .parameters = report.parameters,
                               .method = report.method,
                               .options = report.options,
                               .events = events,
                               .checkpoint = report.solution.checkpoint,
                               .loops = robot.loops.empty() ? "" : from_the_root(robot.loops.string()),
                               .keyframe = robot.keyframe,
                               .allow_outside = robot.allow_outside,
                               .model_digest = model ? model->digest : ""});
  });
  if (!events.empty())
    folder.write("events.csv", [&](std::ostream& out) {
      io::write_events(out, *report.problem, report.solution.events, report.units);
    });
  if (!report.options.step)
    folder.write("steps.csv",
                 [&](std::ostream& out) { io::write_steps(out, report.solution.steps, report.units); });
  folder.write("trajectory.csv", [&](std::ostream& out) {
    io::write_trajectory(out, *report.problem, report.solution.states, report.units);
  });
  if (!experiment.source.model) return;
  folder.write("outputs.csv", [&](std::ostream& out) {
    io::ModelOutputs outputs(*experiment.source.model);
    io::write_outputs(out, outputs, report.solution.states);
  });
  folder.write("outputs.json", [&](std::ostream& out) {
    io::ModelOutputs outputs(*experiment.source.model);
    io::write_outputs_json(out, outputs, report.solution.states);
  });
}

}  // namespace driftless::app
