#include "own.hpp"

#include <driftless/observers/drift_monitor.hpp>

namespace driftless::benchmarks {

Outcome run_own(const Task& task, const Method& method) {
  const Problem& problem = *task.instance.problem;
  const double t_end = task.instance.t_end;
  const Options options{.t_end = t_end,
                        .rtol = task.tolerance,
                        .atol = task.tolerance,
                        .max_steps = task.max_steps,
                        .output = {.kind = Output::Kind::at, .times = {t_end}}};
  Outcome outcome;
  try {
    Pipeline pipeline = assemble(problem, method, options);
    observers::DriftMonitor drift;
    std::vector<Observer*> watching;
    if (task.observed) watching.push_back(&drift);
    Solution solution;
    outcome.seconds = counted([&] { solution = solve(problem, pipeline, task.start, options, watching); });
    outcome.failure = solution.end_message;
    outcome.final = solution.final;
    outcome.steps = solution.work.steps;
    outcome.rhs = solution.work.rhs;
    outcome.factorizations = solution.work.factorizations;
    outcome.drift = solution.drift.value_or(Drift{});
  } catch (const InputError& error) {
    outcome.failure = error.what();
  }
  return outcome;
}

}  // namespace driftless::benchmarks
