#include "convergence/error_over_tolerance.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>
#include <map>
#include <optional>
#include <thread>

namespace driftless::tests {

namespace {

std::optional<State> reference_at_end(const ProblemInstance& instance) {
  return instance.reference.at ? instance.reference.at(instance.t_end) : std::nullopt;
}

// In the units that judge steps, over the entries that are known.
double error_size(const Vector& value, const Vector& exact, double tolerance) {
  double sum = 0;
  int known = 0;
  for (Eigen::Index i = 0; i < exact.size(); ++i) {
    if (!std::isfinite(exact(i))) continue;
    sum += std::pow((value(i) - exact(i)) / (tolerance * (1 + std::abs(exact(i)))), 2);
    ++known;
  }
  return known > 0 ? std::sqrt(sum / known) : 0;
}

double seconds_of_this_thread() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void carry_out(ToleranceRun& run, const MostWork& most) {
  using Outcome = ToleranceRun::Outcome;
  const double begin = seconds_of_this_thread();
  try {
    const ProblemInstance instance = catalog::make_problem(run.problem);
    const Solution solution = solve(*instance.problem, instance.start,
                                    {.formulation = run.formulation, .integrator = run.integrator},
                                    {.t_end = instance.t_end,
                                     .rtol = run.tolerance,
                                     .atol = run.tolerance,
                                     .max_steps = most.steps,
                                     .output = {.kind = Output::Kind::at},
                                     .start_as_given = instance.start_as_given},
                                    {}, [&] { return seconds_of_this_thread() - begin > most.seconds; });
    run.notes = static_cast<int>(solution.notes.size());
    run.end = solution.end_message;
    run.outcome = solution.complete() ? Outcome::done
                  : solution.end == EndReason::max_steps || solution.end == EndReason::interrupted
                      ? Outcome::given_up
                      : Outcome::ended;
    if (run.outcome == Outcome::done)
      run.error = error_size(solution.final.z, reference_at_end(instance)->z, run.tolerance);
  } catch (const InputError& error) {
    run.end = error.what();
  }
}

}  // namespace

std::vector<std::string> problems_with_references() {
  std::vector<std::string> names;
  for (const auto& problem : catalog::problem_table())
    if (reference_at_end(catalog::make_problem(problem.name))) names.push_back(problem.name);
  return names;
}

double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(part * static_cast<double>(values.size())))];
}

std::vector<ToleranceRun> measure_tolerances(const std::vector<std::string>& problems,
                                             const std::vector<double>& tolerances, const MostWork& most) {
  std::vector<ToleranceRun> runs;
  for (const auto& formulation : catalog::formulation_table())
    for (const auto& integrator : catalog::integrator_table())
      for (const std::string& problem : problems)
        for (const double tolerance : tolerances)
          if (integrator.entry.traits.error_estimate)
            runs.push_back({.formulation = formulation.name,
                            .integrator = integrator.name,
                            .problem = problem,
                            .tolerance = tolerance});

  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < runs.size(); i = next++) carry_out(runs[i], most);
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();

  // What does not fit at all has no row.
  std::map<std::pair<std::string, std::string>, bool> fits;
  std::map<std::pair<std::string, double>, std::vector<double>> errors;
  std::map<std::pair<std::string, double>, int> notes;  // that every method has there
  for (const ToleranceRun& run : runs) {
    if (run.outcome != ToleranceRun::Outcome::refused) fits[{run.formulation, run.integrator}] = true;
    if (run.outcome != ToleranceRun::Outcome::done) continue;
    const std::pair at{run.problem, run.tolerance};
    errors[at].push_back(run.error);
    const auto known = notes.emplace(at, run.notes).first;
    known->second = std::min(known->second, run.notes);
  }
  std::erase_if(runs, [&](const ToleranceRun& r) { return !fits.contains({r.formulation, r.integrator}); });
  for (ToleranceRun& run : runs) {
    if (run.outcome != ToleranceRun::Outcome::done) continue;
    const std::pair at{run.problem, run.tolerance};
    run.error_by_growth = run.error / std::max(1.0, quantile(errors.at(at), 0.5));
    run.notes -= notes.at(at);
  }
  return runs;
}

}  // namespace driftless::tests
