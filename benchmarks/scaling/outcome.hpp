// What a run of any program on a mechanism of size N leaves behind.
#pragma once

#include <cmath>
#include <optional>
#include <string>

#include <Eigen/Core>

namespace driftless::benchmarks::scaling {

struct Outcome {
  std::string name{};  // of the program and its method
  int N = 0;
  double tolerance = 0;  // rtol = atol, or what the program has in their place
  bool completed = false;
  double t = 0;        // reached
  double error = NAN;  // at the end, of completed runs only: see RunWatch::error
  // End of the first bar, B_0 of n-four-bar: programs agree on it or solve different problems.
  Eigen::Vector2d tip{NAN, NAN};
  double seconds = 0;  // inside the solver's calls: without set-up and without looking at states
  long steps = 0;      // accepted
  long rhs = 0;        // evaluations of the right-hand side or residual
  std::optional<long> factorizations{};  // of the program's largest matrix, if it counts them
  long memory = 0;        // kB by which the largest resident size of the process grew; of its first run only
  std::string failure{};  // one sentence, empty where the run was completed

  double seconds_per_step() const { return seconds / static_cast<double>(steps); }
  double seconds_per_rhs() const { return seconds / static_cast<double>(rhs); }
};

}  // namespace driftless::benchmarks::scaling
