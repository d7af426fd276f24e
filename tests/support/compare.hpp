// Shorthands for tests that compare runs with values from outside.
#pragma once

#include <gtest/gtest.h>

#include "support/run.hpp"

namespace driftless::tests {

inline Options tight(double t_end) {
  return {.t_end = t_end, .rtol = 1e-12, .atol = 1e-12};
}

inline Solution tight_run(const ProblemInstance& instance, double t_end,
                          const std::vector<double>& times = {}) {
  Options options = tight(t_end);
  if (!times.empty()) options.output = {.kind = Output::Kind::at, .times = times};
  const Solution s = solve(*instance.problem, instance.start, {}, options);
  EXPECT_TRUE(s.complete()) << s.end_message;
  EXPECT_TRUE(s.notes.empty()) << s.notes[0];
  return s;
}

inline Vector vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

inline double distance(const Vector& a, const Vector& b) {
  EXPECT_EQ(a.size(), b.size());
  return (a - b).cwiseAbs().maxCoeff();
}

inline double relative(const Vector& a, const Vector& b) {
  EXPECT_EQ(a.size(), b.size());
  return (a - b).cwiseQuotient(b).cwiseAbs().maxCoeff();
}

// Acceleration and multipliers of a problem at a state.
struct Motion {
  Motion(const Problem& problem, const State& at)
      : a(problem.shape().nv), lambda(problem.shape().multipliers()) {
    Workspace work;
    EXPECT_EQ(problem.acceleration(at.t, at.z, Vector::Zero(lambda.size()), a, lambda, work), Status::ok);
  }
  Vector a, lambda;
};

}  // namespace driftless::tests
