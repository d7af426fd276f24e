// What tests of restarts share: the cases, and when two states are the same.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {

inline bool same_bits(const State& a, const State& b) {
  return a.t == b.t && a.z == b.z && a.lambda == b.lambda && a.kappa == b.kappa;
}

template <class Check>
void for_every_case(const std::vector<std::string>& formulations, Check check) {
  for (const ShapeCase& c : shape_cases())
    for (const std::string& formulation : formulations) {
      if (c.problem->shape().order == 1 && formulation == "index3") continue;  // refused
      SCOPED_TRACE(c.name + " " + formulation);
      check(c, formulation);
    }
}

// The run, interrupted after every attempt of its first half (also after those that were rejected and are about to be repeated) and taken up
// again; not near the end, where a run that is taken up returns to before the step that was cut.
inline Solution interrupted_run(const Problem& problem, const State& start, const Method& method,
                                Options options, long steps_of_whole) {
  Solution part;
  long attempts = 0;
  do {
    int asked = 0;
    part = solve(problem, start, method, options, {},
                 [&] { return ++asked > 1 && attempts < steps_of_whole / 2; });
    options.resume = part.checkpoint;
  } while (part.end == EndReason::interrupted && ++attempts < 1000);
  return part;
}

}  // namespace driftless::tests
