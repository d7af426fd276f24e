#include "others.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "progress.hpp"

namespace driftless::benchmarks::scaling {

namespace {

// Of those that have been measured.
double fastest(const Comparison& comparison, double tolerance) {
  double seconds = HUGE_VAL;
  for (const Scan& scan : comparison.scans)
    if (const Outcome* run = scan.at_tolerance(tolerance); run && run->completed)
      seconds = std::min(seconds, run->seconds);
  return seconds;
}

Scan scanned(const Program& program, const Comparison& task, const OthersSize& size, const Effort& effort) {
  Scan scan{program.name, program.own, {}};
  for (int k = size.halves_from; k <= size.halves_to; k += size.halves_step) {
    const double tolerance = std::pow(10, -k / 2.0);
    show_progress(fmt::format("others: {}, N = {}, {}, tolerance {:.1e}", name(task.mechanism), task.N,
                              program.name, tolerance));
    const Measured run = measured(program, task.mechanism, task.N, tolerance, task.t_end, effort);
    scan.runs.push_back(run.outcome);
    if (run.timed_out) scan.ended_early = run.outcome.failure;
    const double ratio = run.outcome.seconds / fastest(task, tolerance);
    if (ratio > hopeless_ratio && run.outcome.seconds > hopeless_seconds)
      scan.ended_early = fmt::format("{:.0f} times as long as the fastest at that tolerance", ratio);
    if (!scan.ended_early.empty()) break;
  }
  return scan;
}

Comparison compared(Mechanism mechanism, int N, std::vector<double> errors, const OthersSize& size,
                    const Effort& effort) {
  Comparison comparison{mechanism, N, usual_end(mechanism), std::move(errors), {}};
  for (const Program& program : programs())
    comparison.scans.push_back(scanned(program, comparison, size, effort));
  return comparison;
}

bool same(double a, double b) {
  return std::abs(a - b) < 1e-6 * b;
}

// How many times as long another program takes for the error.
Verdict faster_than(const Comparison& comparison, const Program& other, double error, double target) {
  Verdict verdict{.what = fmt::format("{}, N = {}, error {:.0e}: time of {} over that of Driftless",
                                      name(comparison.mechanism), comparison.N, error, other.name),
                  .target = target};
  const Scan* own = comparison.best_own(error);
  if (!own) {
    verdict.note = "Driftless does not reach the error";
    return verdict;
  }
  const Outcome ours = *own->at_error(error);
  const Scan& scan = comparison.of(other.name);
  const auto theirs = scan.at_error(error);
  const double cut_off = scan.ended_early.empty() || scan.runs.empty() ? 0 : scan.runs.back().seconds;
  if (theirs) {
    verdict.value = theirs->seconds / ours.seconds;
    verdict.note = fmt::format("{:.3g} s against {:.3g} s, {} at {:.0e}", theirs->seconds, ours.seconds,
                               own->program, ours.tolerance);
  } else if (cut_off > 0) {
    verdict.value = cut_off / ours.seconds;
    verdict.bound = true;
    verdict.note = fmt::format("more than {:.3g} s against {:.3g} s", cut_off, ours.seconds);
  } else {
    verdict.without =
        scan.ended_early.empty() ? Verdict::Without::other_fails : Verdict::Without::not_measured;
    verdict.note = fmt::format("{} {}; Driftless takes {:.3g} s", other.name,
                               scan.ended_early.empty() ? "does not reach the error at any tolerance"
                                                        : "could not be measured: " + scan.ended_early,
                               ours.seconds);
  }
  return verdict;
}

const Program& the(bool (*kind)(const Program&)) {
  return *std::find_if(programs().begin(), programs().end(), kind);
}

// Seconds per simulated second at one tolerance for all, as far as each gets within the limit.
Verdict at_equal_tolerance(const Comparison& comparison, const Program& other, double tolerance,
                           double target) {
  Verdict verdict{.what = fmt::format(
                      "{}, N = {}, tolerance {:.0e}: time per simulated second of {} over that of Driftless",
                      name(comparison.mechanism), comparison.N, tolerance, other.name),
                  .target = target};
  const auto rate = [](const Outcome* run) { return run && run->t > 0 ? run->seconds / run->t : NAN; };
  double ours = NAN;
  std::string who;
  for (const Scan& scan : comparison.scans) {
    const Outcome* run = scan.at_tolerance(tolerance);
    if (!scan.own || !run || !run->completed || rate(run) >= ours) continue;
    ours = rate(run);
    who = scan.program;
  }
  const double theirs = rate(comparison.of(other.name).at_tolerance(tolerance));
  if (std::isnan(ours)) {
    verdict.note = "Driftless does not reach the end";
  } else if (std::isnan(theirs)) {
    verdict.without = Verdict::Without::not_measured;
    verdict.note = fmt::format("no run of {} at that tolerance", other.name);
  } else {
    verdict.value = theirs / ours;
    verdict.note = fmt::format("{:.3g} s against {:.3g} s, {}", theirs, ours, who);
  }
  return verdict;
}

std::vector<Verdict> verdicts_of(const Comparison& comparison) {
  std::vector<Verdict> verdicts;
  const bool four_bars = comparison.mechanism == Mechanism::n_four_bar;
  if (four_bars && comparison.N == 40) {
    verdicts.push_back(at_equal_tolerance(comparison, the(is_simbody), 1e-6, 50));
    verdicts.push_back(faster_than(comparison, the(is_simbody), 1e-5, 50));
    return verdicts;
  }
  for (const double error : comparison.errors) {
    verdicts.push_back(faster_than(comparison, the(is_ida), error, 3));
    if (!four_bars) verdicts.push_back(faster_than(comparison, the(is_simbody), error, 3));
  }
  return verdicts;
}

Verdict branch_verdict(const std::vector<Outcome>& runs, int N) {
  constexpr double target = 1e-5;
  Verdict verdict{.what = fmt::format("n-four-bar, N = {}, tolerance {:.0e}: error of B_0 after 10 s", N,
                                      long_run_tolerance),
                  .target = target,
                  .at_least = false};
  for (const Outcome& run : runs)
    if (run.N == N && run.completed && run.name.starts_with("Driftless") && !(run.error >= verdict.value)) {
      verdict.value = run.error;
      verdict.note = run.name;
    }
  return verdict;
}

}  // namespace

std::optional<Outcome> Scan::at_error(double error) const {
  std::optional<Outcome> best;
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    if (!run->completed) continue;
    if (!(run->error <= error)) break;
    if (!best || run->seconds < best->seconds) best = *run;
  }
  return best;
}

const Outcome* Scan::at_tolerance(double tolerance) const {
  const auto run =
      std::find_if(runs.begin(), runs.end(), [&](const Outcome& o) { return same(o.tolerance, tolerance); });
  return run == runs.end() ? nullptr : &*run;
}

const Scan& Comparison::of(const std::string& program) const {
  for (const Scan& scan : scans)
    if (scan.program == program) return scan;
  throw std::runtime_error("there is no program '" + program + "' in this comparison");
}

const Scan* Comparison::best_own(double error) const {
  const Scan* best = nullptr;
  double seconds = HUGE_VAL;
  for (const Scan& scan : scans) {
    const auto run = scan.at_error(error);
    if (!scan.own || !run || run->seconds >= seconds) continue;
    best = &scan;
    seconds = run->seconds;
  }
  return best;
}

std::string Verdict::word() const {
  if (std::isnan(value))
    return without == Without::own_fails     ? "missed"
           : without == Without::other_fails ? "no ratio"
                                             : "not measured";
  if (bound && value < target) return "not measured";
  return (at_least ? value >= target : value <= target) ? "met" : "missed";
}

Others measure_others(const OthersSize& size, const Effort& effort) {
  Others others;
  for (const int N : size.four_bars)
    others.comparisons.push_back(compared(Mechanism::n_four_bar, N, {1e-3, 1e-5, 1e-7}, size, effort));
  others.comparisons.push_back(compared(Mechanism::chain_loop, size.chain, {1e-5, 1e-7}, size, effort));
  for (const Comparison& comparison : others.comparisons)
    for (Verdict& verdict : verdicts_of(comparison)) others.verdicts.push_back(std::move(verdict));
  for (const int N : size.long_four_bars) {
    for (const Program& program : programs()) {
      show_progress(fmt::format("others: n-four-bar, N = {}, {}, tolerance {:.0e}", N, program.name,
                                long_run_tolerance));
      others.long_runs.push_back(
          measured(program, Mechanism::n_four_bar, N, long_run_tolerance, 10, effort).outcome);
    }
    others.verdicts.push_back(branch_verdict(others.long_runs, N));
  }
  return others;
}

}  // namespace driftless::benchmarks::scaling
