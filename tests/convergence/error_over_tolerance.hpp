// What a tolerance gives: runs with rtol = atol by every formulation with every integrator that chooses its steps, default stabilizers, on
// problems with references. Errors are those of z at the problem's end in the norm that judges steps (root mean square of e_i/(atol +
// rtol |z_i|), over the entries that are known): 1 is what a single step may do. Divided by the problem's own growth of errors, which is the
// median of all methods at that problem and tolerance, but at least 1, they say what the method adds. Serves a test and the program that writes
// docs/error-over-tolerance.md.
#pragma once

#include <string>
#include <vector>

#include "support/run.hpp"

namespace driftless::tests {

struct ToleranceRun {
  enum class Outcome { done, ended, given_up, refused };
  std::string formulation, integrator, problem;
  double tolerance = 0;
  Outcome outcome = Outcome::refused;
  std::string end = {};        // where it ended early
  int notes = 0;               // beside those that every method has on that problem
  double error = 0;            // over tolerance, of runs that are done
  double error_by_growth = 0;  // the same, by the growth
};

// All problems of the catalog with a reference at their end.
std::vector<std::string> problems_with_references();

struct MostWork {
  long steps = 200'000;
  double seconds = 1;  // of a processor
};

// In several threads; runs that take more than `most` are given up. Combinations that the program refuses for all of these problems are
// left out.
std::vector<ToleranceRun> measure_tolerances(const std::vector<std::string>& problems,
                                             const std::vector<double>& tolerances,
                                             const MostWork& most = {});

// The value below which a part of the values lies; of none: 0.
double quantile(std::vector<double> values, double part);

}  // namespace driftless::tests
