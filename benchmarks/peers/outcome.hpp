// What a run of any program leaves behind, and the one function inside which instructions are counted and time is taken.
#pragma once

#include <functional>
#include <string>

#include <driftless/driftless.hpp>

namespace driftless::benchmarks {

struct Outcome {
  std::string failure;  // empty: the end was reached
  State final;          // with multipliers
  long steps = 0, rhs = 0, factorizations = 0;
  Drift drift;         // if observed
  double seconds = 0;  // inside the solve call
};

// Everything but the solve call itself is set up before: memory, options, a consistent start.
struct Task {
  const ProblemInstance& instance;
  const State& start;  // consistent
  double tolerance;    // rtol = atol
  long max_steps;
  bool observed;  // the drift is measured after every step; such a run is not timed
};

// Runs the solve call and returns its seconds.
double counted(const std::function<void()>& solve_call);
extern const char* const counted_function;  // for callgrind

// Keeps the largest drift of the states shown to it.
class DriftWatch {
 public:
  explicit DriftWatch(const Problem& problem) : manifold_(problem) {}
  void see(const State& state);
  const Drift& drift() const { return drift_; }

 private:
  Manifold manifold_;
  Drift drift_;
};

}  // namespace driftless::benchmarks
