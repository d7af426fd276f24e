#include "check_command.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#include <fmt/format.h>

#include <driftless/catalog/catalog.hpp>
#include <driftless/mechanics/massless.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "flags.hpp"
#include "interrupt.hpp"
#include "problem_source.hpp"
#include "run_advice.hpp"

namespace driftless::app {

namespace {

constexpr double patience = 0.5;          // s of computing for the short motion
constexpr double most_fixed_steps = 1e4;  // of it

// What a run without flags would use.
struct RunWords {
  Method method;
  Options options;
};

RunWords words_of(const io::ModelRun& run) {
  const RunRequest asked = with_model({}, run);
  return {method_of(asked), options_of(asked, 1)};
}

std::string accuracy_of(const Options& options) {
  if (options.step) return fmt::format("step {:g} s", *options.step);
  const double rtol = options.rtol.value_or(Tolerance{}.rtol);
  return options.atol ? fmt::format("rtol {:g}, atol {:g}", rtol, *options.atol)
                      : fmt::format("rtol {:g}", rtol);
}

// As it would be run. Null: there is none to be had, which the check tells.
std::shared_ptr<const Problem> problem_of(const io::Model& model) {
  const mechanics::Mechanism& mechanism = model.mechanism;
  try {
    if (!mechanics::massless_body(mechanism.finished())) return mechanism.problem();
    return mechanics::RelativeCoordinates(mechanism.finished(), mechanism.joints(), mechanism.start())
        .problem();
  } catch (const InputError&) {
    return nullptr;
  }
}

CheckedMethod method_of(const io::Model& model, const RunWords& words) {
  const std::shared_ptr<const Problem> problem = problem_of(model);
  const io::ModelRun& run = model.run;
  CheckedMethod method{.words = words.method,
                       .own = !run.formulation.empty() || !run.integrator.empty() ||
                              !run.stabilizer.empty() || !run.controller.empty() || !run.controls.empty(),
                       .accuracy = accuracy_of(words.options)};
  try {
    method.words = with_defaults(words.method, words.options);
    if (problem) assemble(*problem, words.method, words.options);
    if (problem && run.coordinates == "absolute") mechanics::refuse_massless(model.mechanism.finished());
  } catch (const InputError& error) {
    method.refusal = with_flags(error.what());
  }
  return method;
}

// By the method of the file, for as long as somebody at a terminal likes to wait.
io::MotionMaker motion_by(const RunWords& words) {
  return [words](const Problem& problem, const State& start, const Options& wanted) {
    Options options = wanted;
    options.step = words.options.step;
    options.rtol = words.options.rtol;
    options.atol = words.options.atol;
    options.hmax = words.options.hmax;
    if (options.step) options.t_end = std::min(options.t_end, start.t + most_fixed_steps * *options.step);
    const auto begin = std::chrono::steady_clock::now();
    const auto impatient = [begin] {
      const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
      return interrupt_requested() || waited.count() > patience;
    };
    return solve(problem, start, words.method, options, {}, impatient);
  };
}

io::Model model_of(const CheckRequest& request, const std::vector<std::pair<std::string, std::string>>& set) {
  if (!request.model)
    throw InputError(
        "check needs a model file: driftless check FILE.toml (docs/models.md says what is in one)");
  if (!names_a_file(*request.model))
    for (const auto& row : catalog::problem_table())
      if (row.name == *request.model)
        throw InputError(fmt::format(
            "'{0}' is a problem of the catalog, and check reads model files; driftless run {0} tells "
            "what there is to know about it",
            *request.model));
  return open_model(*request.model, set, robot_options_of(request.robot, *request.model));
}

}  // namespace

namespace {

int check_model_of(const CheckRequest& request) {
  CheckReport report;
  report.parameters = parameters_of(request.set);
  const io::Model model = model_of(request, report.parameters);
  const RunWords words = words_of(model.run);
  report.method = method_of(model, words);
  const bool usable = report.method.refusal.empty();
  RunWords usual = words;
  if (!usable) usual = {};
  report.check = io::check_model(model, motion_by(usual));
  if (const std::string moved = request.set.empty() ? "" : io::moved_by_set(model); !moved.empty())
    report.check.findings.push_back({io::Finding::Severity::note, "set", "parameters", moved});
  if (const std::string end = end_advice(model); !end.empty())
    report.check.findings.push_back({io::Finding::Severity::note, "end", "run", end});
  if (const std::string step = step_advice(model.run.step, model.run.t_end.value_or(usual_end));
      !step.empty()) {
    report.check.findings.push_back({io::Finding::Severity::warning, "step", "run", step});
    std::stable_sort(report.check.findings.begin(), report.check.findings.end(),
                     [](const io::Finding& a, const io::Finding& b) { return a.severity < b.severity; });
  }
  for (io::Finding& finding : report.check.findings) finding.text = with_flags(finding.text);
  report.check.motion.end_message = with_flags(report.check.motion.end_message);
  for (const std::string& note : model.notes)
    report.check.findings.push_back(
        {io::Finding::Severity::note, "robot file", model.file.filename().string(), with_flags(note)});
  if (!usable)
    report.check.findings.insert(report.check.findings.begin(),
                                 {io::Finding::Severity::error, "method", "run",
                                  "the method of [run] is refused: " + report.method.refusal});
  fmt::print("{}", request.json ? check_json(report) : check_text(report));
  return report.check.has_errors() ? 1 : 0;
}

}  // namespace

int check_command(const CheckRequest& request) try {
  return check_model_of(request);
} catch (const io::ModelError& error) {
  if (!request.json) throw;
  fmt::print("{}", faults_json(*request.model, error));
  return 2;
}

}  // namespace driftless::app
