// Runs of stiff problems for tests that count their steps.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "support/reference_error.hpp"

namespace driftless::tests {

using Set = std::vector<std::pair<std::string, std::string>>;

struct Outcome {
  long steps = 0;
  double q = 0, v = 0;  // errors, where a reference is known
  bool complete = false;
};

inline Outcome outcome(const std::string& problem, const Set& set, const Method& method, double t_end,
                       double tolerance = 1e-6, long max_steps = 10000) {
  const ProblemInstance instance = catalog::make_problem(problem, set);
  const Solution s = solve(*instance.problem, instance.start, method,
                           {.t_end = t_end, .rtol = tolerance, .atol = tolerance, .max_steps = max_steps});
  Outcome result{.steps = s.work.steps, .complete = s.complete()};
  const auto exact = result.complete && instance.reference.at ? instance.reference.at(t_end) : std::nullopt;
  if (!exact) return result;
  result.q = largest_error(s.final.q(), exact->q(), INFINITY);
  if (s.final.layout.order > 1) result.v = largest_error(s.final.v(), exact->v(), INFINITY);
  return result;
}

inline Outcome stiff_pendulum(const std::string& k, const Method& method, Set more = {}) {
  more.emplace_back("k", k);
  return outcome("stiff-pendulum", more, method, 2);
}

}  // namespace driftless::tests
