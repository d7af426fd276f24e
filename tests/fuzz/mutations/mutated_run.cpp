#include "mutated_run.hpp"

#include <ctime>
#include <memory>
#include <optional>

#include <driftless/catalog/method.hpp>
#include <driftless/io/model_check.hpp>
#include <driftless/io/model_file.hpp>
#include <driftless/io/model_outputs.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

namespace driftless::fuzz {

namespace {

constexpr long most_steps = 300;

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Words that are not given stay those of the default method.
Method method_of(const io::ModelRun& run) {
  Method method;
  if (!run.formulation.empty()) method.formulation = run.formulation;
  if (!run.integrator.empty()) method.integrator = run.integrator;
  if (!run.stabilizer.empty()) method.stabilizer = run.stabilizer;
  return method;
}

Options options_of(const io::ModelRun& run) {
  Options options{.t_end = run.t_end.value_or(1), .max_steps = most_steps};
  options.step = run.step;
  if (!run.step) {
    options.rtol = run.rtol;
    options.atol = run.atol;
    options.hmax = run.hmax;
  }
  return options;
}

bool is_finite(const State& state) {
  return state.z.allFinite() && state.lambda.allFinite() && state.kappa.allFinite();
}

MutatedRun run(const io::Model& model, double seconds_limit) {
  using Ending = MutatedRun::Ending;
  const double begin = processor_seconds();
  const io::ModelOutputs outputs(model);
  for (const io::Finding& finding : io::quick_findings(model))
    if (finding.severity == io::Finding::Severity::error)
      return {Ending::refused, finding.subject + ": " + finding.text};
  const State start = model.mechanism.assembled(model.closing);
  std::optional<mechanics::RelativeCoordinates> relative;
  if (model.run.coordinates == "relative")
    relative.emplace(model.mechanism.finished(), model.mechanism.joints(), start);
  const std::shared_ptr<const Problem> problem = relative ? relative->problem() : model.mechanism.problem();
  const Solution solution =
      solve(*problem, relative ? relative->start() : start, method_of(model.run), options_of(model.run), {},
            [&] { return processor_seconds() - begin > seconds_limit; });
  bool finite = is_finite(solution.final);
  for (const State& state : solution.states) finite = finite && is_finite(state);
  if (!finite) return {Ending::not_finite, solution.end_message};
  if (solution.complete()) return {Ending::completed, ""};
  const bool cut = solution.end == EndReason::interrupted || solution.end == EndReason::max_steps;
  return {cut ? Ending::unfinished : Ending::ended, solution.end_message};
}

}  // namespace

const char* name_of(MutatedRun::Ending ending) {
  using Ending = MutatedRun::Ending;
  switch (ending) {
    case Ending::refused:
      return "refused";
    case Ending::completed:
      return "completed";
    case Ending::ended:
      return "ended";
    case Ending::unfinished:
      return "unfinished";
    case Ending::not_finite:
      return "not-finite";
    case Ending::failed:
      return "failed";
  }
  return "";
}

MutatedRun run_mutated(const std::string& text, const std::filesystem::path& file, double seconds_limit) {
  try {
    return run(io::read_model_text(text, file), seconds_limit);
  } catch (const InputError& error) {
    return {MutatedRun::Ending::refused, error.what()};
  } catch (const std::exception& error) {
    return {MutatedRun::Ending::failed, error.what()};
  }
}

}  // namespace driftless::fuzz
