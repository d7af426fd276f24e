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

inline double largest(const Matrix& A) {
  return A.size() == 0 ? 0 : A.cwiseAbs().maxCoeff();
}

inline void same(const char* what, const Matrix& ours, const Matrix& expected, double tolerance) {
  ASSERT_EQ(ours.rows(), expected.rows()) << what;
  ASSERT_EQ(ours.cols(), expected.cols()) << what;
  EXPECT_LE(largest(ours - expected), tolerance * (1 + largest(expected))) << what;
}

// Acceleration and multipliers of a problem at a state; by_default: as problems without a way of their own compute them.
struct Motion {
  Motion(const Problem& problem, const State& at, bool by_default = false)
      : a(Vector::Zero(problem.shape().nv)), multipliers(Vector::Zero(problem.shape().multipliers())) {
    Workspace work;
    const Vector r = Vector::Zero(multipliers.size());
    const Status status = by_default ? problem.Problem::acceleration(at.t, at.z, r, a, multipliers, work)
                                     : problem.acceleration(at.t, at.z, r, a, multipliers, work);
    EXPECT_EQ(status, Status::ok);
  }
  Vector a, multipliers;
};

}  // namespace driftless::tests
