// Runs of bdf in every formulation, and a unit pendulum under any force.
#pragma once

#include <gtest/gtest.h>

#include "support/compare.hpp"

namespace driftless::tests {

inline const std::vector<std::string>& bdf_formulations() {
  static const std::vector<std::string> names = {
      "index1", "baumgarte", "invariant-stabilized", "stabilized-index1", "index2", "index2-baumgarte",
      "index3", "ggl",       "projected-invariants", "state-space"};
  return names;
}

inline Solution run_bdf(const Problem& problem, const State& start, const std::string& formulation,
                        Options options, double tolerance = 1e-6,
                        const std::vector<Observer*>& observers = {}) {
  options.rtol = options.atol = tolerance;
  return solve(problem, start, {.formulation = formulation, .integrator = "bdf"}, options, observers);
}

struct UnitRod {
  static constexpr int nq = 2, ng = 1;
  void constraint(auto, auto q, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0; }
};

}  // namespace driftless::tests
