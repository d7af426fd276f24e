// What tests of restarts share: the cases, and when two states are the same.
#pragma once

#include <algorithm>
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

// With steps chosen by the error and with fixed ones.
inline void expect_same_bits_after_interruptions(const ShapeCase& c, const Method& method) {
  for (const bool fixed : {false, true}) {
    SCOPED_TRACE(method.integrator + " " + method.stabilizer + (fixed ? " fixed" : ""));
    Options options{.t_end = c.t_end};
    if (fixed)
      options.step = c.t_end / 30;
    else
      options.rtol = options.atol = 1e-4;
    const Solution whole = solve(*c.problem, c.start, method, options);
    ASSERT_TRUE(whole.complete()) << whole.end_message;
    const Solution part =
        interrupted_run(*c.problem, c.start, method, options, std::min(whole.work.steps, 40L));
    EXPECT_TRUE(same_bits(whole.final, part.final)) << (whole.final.z - part.final.z).norm();
  }
}

}  // namespace driftless::tests
