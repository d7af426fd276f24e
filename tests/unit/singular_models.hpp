// What tests of augmented-lagrangian and of the regularized formulations share, beside the problems 003-*.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "support/run.hpp"

namespace driftless::tests {

// A pendulum of unit mass and length whose constraint is written twice, the second time `factor` times as large.
struct TwinPendulum {
  static constexpr int nq = 2, ng = 2;
  double factor = 1, gravity = 1;
  void force(auto, auto, auto, auto f) const { f[1] = -gravity; }
  void constraint(auto, auto q, auto g) const {
    g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0;
    g[1] = factor * g[0];
  }
};

// The right-hand side of a formulation, and the multipliers of that evaluation.
struct Evaluated {
  Vector rate;
  State at;
};

inline Evaluated evaluate(const Problem& problem, const std::string& formulation, double t,
                          const State& state) {
  const auto system = build_system(problem, formulation);
  Evaluated result{Vector::Zero(system->size()), state};
  EXPECT_EQ(system->ode()->rhs(t, state.z, result.rate, &result.at), Status::ok) << formulation;
  return result;
}

}  // namespace driftless::tests
