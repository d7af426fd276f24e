// Runs of a contestant, each in a process of its own (common/callgrind.hpp says why), and the figures they yield.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <driftless/driftless.hpp>

namespace driftless::benchmarks {

struct Figures {
  double tolerance = 0;
  double q = HUGE_VAL, v = HUGE_VAL,
         lambda = HUGE_VAL;  // errors; infinite where the end was not reached, NaN: unknown
  long steps = 0, rhs = 0, factorizations = 0;
  Drift drift;         // of observed runs
  double seconds = 0;  // median of many repeats, of timed runs; else of the one run
  std::string failure;
};

enum class Purpose { plain, observed, timed };

// The child: prints the figures of a run. `arguments` as run_arguments() makes them.
std::vector<std::string> run_arguments(const std::string& problem, std::size_t who, double tolerance,
                                       Purpose purpose);
bool is_run(const std::vector<std::string>& arguments);
void print_run(const std::vector<std::string>& arguments);

// The parent.
Figures figures(const std::string& problem, std::size_t who, double tolerance, Purpose purpose);
std::optional<double> million_instructions(const std::string& problem, std::size_t who, double tolerance);

// The loosest of 10^(-k/4), k = 8, .., 40, from which all tighter ones reach the error in q. A run that breaks off is no witness
// against looser ones: codes of variable order give up at tolerances near rounding.
struct Search {
  std::optional<double>
      tolerance;  // nothing: the tightest that reaches the end has a larger error, or none reaches it
  std::string why_not;
};
Search loosest_tolerance(const std::string& problem, std::size_t who, double error);

}  // namespace driftless::benchmarks
