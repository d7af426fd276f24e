// The problems of the comparison, how long they run, and what their error is.
#pragma once

#include <string>
#include <vector>

#include <driftless/driftless.hpp>

namespace driftless::benchmarks {

constexpr long max_steps = 50'000;  // of any run

struct PeerProblem {
  std::string name;           // here and in file names
  std::string title, source;  // for people
  ProblemInstance instance;   // with the interval and the reference of the comparison
  bool relative = false;      // errors entry by entry relative to the reference; else absolute
};

std::vector<std::string> peer_problem_names();

PeerProblem peer_problem(const std::string& name);

// The largest error of an entry of q, v or lambda that the reference knows; NaN where it knows none.
struct Errors {
  double q, v, lambda;
};
Errors errors(const PeerProblem& problem, const State& final);

}  // namespace driftless::benchmarks
