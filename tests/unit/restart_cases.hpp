// What tests of restarts share: the cases, and when two states are the same.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/problems.hpp"

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

}  // namespace driftless::tests
