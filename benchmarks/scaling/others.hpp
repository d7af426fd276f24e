// Driftless against the others, all in one run: the time that each takes for the same error.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "programs.hpp"

namespace driftless::benchmarks::scaling {

// A program at all tolerances, the loosest first. It ends with the first run that is too slow: beyond the limit, or hopeless beside others.
struct Scan {
  std::string program;
  bool own = false;
  std::vector<Outcome> runs;
  std::string ended_early = {};  // why, if it did

  // The cheapest of the runs that reach the error, among those from which on all tighter ones that are completed reach it.
  std::optional<Outcome> at_error(double error) const;
  const Outcome* at_tolerance(double tolerance) const;  // null: not tried
};

struct Comparison {
  Mechanism mechanism;
  int N = 0;
  double t_end = 0;
  std::vector<double> errors;  // that are asked for
  std::vector<Scan> scans;

  const Scan& of(const std::string& program) const;
  // The best of Driftless at that error; null: none reaches it.
  const Scan* best_own(double error) const;
};

// A number that was aimed at. A program that fails, or whose scan ended early, gives no ratio, and that is not counted as one that was met.
struct Verdict {
  std::string what;
  double value = NAN;
  double target = 0;
  bool at_least = true;  // or at most
  bool bound =
      false;  // the value is not less than that: the other's scan ended early, before it reached the error
  std::string note = {};
  // Where there is no value: why. Driftless itself not getting there is a miss.
  enum class Without { own_fails, other_fails, not_measured } without = Without::own_fails;

  std::string word() const;  // "met", "missed", "no ratio" (the other fails), "not measured"
};

struct Others {
  std::vector<Comparison> comparisons;
  std::vector<Outcome> long_runs;  // n-four-bar at the tolerance long_run_tolerance
  std::vector<Verdict> verdicts;
};

constexpr double long_run_tolerance = 1e-9;

constexpr double hopeless_ratio = 100;   // to the fastest at the same tolerance
constexpr double hopeless_seconds = 10;  // at least; what is shorter does no harm

struct OthersSize {
  std::vector<int> four_bars = {20, 40, 100, 1000};
  std::vector<int> long_four_bars = {200, 1000};
  int chain = 200;
  int halves_from = 6, halves_to = 20, halves_step = 1;  // tolerances 10^(-k/2)
};
Others measure_others(const OthersSize& size, const Effort& effort);

}  // namespace driftless::benchmarks::scaling
