// Newton's method inside the implicit integrators: how often Jacobians are computed, what is left of the error,
// what a failure says, and that nothing is allocated.
#include <gtest/gtest.h>

#include <cmath>

#include "implicit_stepper.hpp"
#include "support/allocation_counter.hpp"
#include "support/problems.hpp"

namespace driftless::tests {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

TEST(ImplicitNewton, KeptAndFreshJacobiansAgree) {
  const auto pendulum = catalog::make_problem("pendulum");
  for (const auto& name : implicit_methods)
    for (const char* formulation : {"index1", "baumgarte:gamma=2"}) {
      const auto run = [&](const std::string& options) {
        return solve(*pendulum.problem, pendulum.start,
                     {.formulation = formulation, .integrator = name + options}, {.t_end = 5, .step = 0.05});
      };
      const Solution kept = run(":tolerance=1e-13"), fresh = run(":tolerance=1e-13,jacobian=fresh");
      ASSERT_TRUE(kept.complete() && fresh.complete());
      EXPECT_LT((kept.final.z - fresh.final.z).cwiseAbs().maxCoeff(), 1e-10) << name;
      EXPECT_EQ(fresh.work.jacobians, fresh.work.newton) << "one for every iteration";
      EXPECT_EQ(fresh.work.factorizations, fresh.work.newton);
      EXPECT_LT(kept.work.jacobians, fresh.work.jacobians / 10) << name;
      EXPECT_GT(kept.work.jacobians, 1) << "the pendulum has moved on";
      EXPECT_EQ(kept.work.factorizations, kept.work.jacobians) << "the step is always the same";
      EXPECT_LT(kept.work.newton, 8 * kept.work.steps);
      EXPECT_LT(fresh.work.newton, 5 * fresh.work.steps);
    }
}

TEST(ImplicitNewton, LeavesNoMoreThanItsTolerance) {
  const ShapeCase& c = shape_case("mechanical");
  const std::vector<double> start(c.start.z.begin(), c.start.z.end());
  for (const auto& name : implicit_methods)
    for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
      Stepper exact(*c.problem, start, name + ":tolerance=1e-15,jacobian=fresh");
      Stepper s(*c.problem, start, name + ":tolerance=" + std::to_string(tolerance * 1e9) + "e-9");
      const double scale = name == "backward-euler" ? 1 : 2;  // the midpoint's error counts twice at the end
      for (int i = 0; i < 20; ++i) {
        const Vector expected = exact.attempt(0.1);
        const Step step = s.integrator->attempt(0.1);
        ASSERT_EQ(step.status, Status::ok);
        const Vector error = ((step.state->z - expected).array() / (1 + expected.array().abs())).matrix();
        EXPECT_LT(error.cwiseAbs().maxCoeff(), 3 * scale * tolerance)  // a rate by two ratios is an estimate
            << name << " " << i;
        // Both go on from the same state, so that errors of earlier steps do not count.
        State& exact_state = *exact.integrator->attempt(0.1).state;
        step.state->z = exact_state.z;
        ASSERT_EQ(s.integrator->accept(*step.state, nullptr), Status::ok);
        ASSERT_EQ(exact.integrator->accept(exact_state, nullptr), Status::ok);
      }
    }
}

TEST(ImplicitNewton, AnotherStepSizeNeedsAFactorizationOnly) {
  const ShapeCase& c = shape_case("mechanical");
  for (const auto& name : implicit_methods) {
    Stepper s(*c.problem, {c.start.z.begin(), c.start.z.end()}, name);
    s.advance(0.01);
    const Work before = s.system->work();
    s.attempt(0.005);
    EXPECT_EQ(s.system->work().jacobians, before.jacobians);
    EXPECT_EQ(s.system->work().factorizations, before.factorizations + 1);
  }
}

// A failed or a much larger attempt in between leaves no trace in the result.
TEST(ImplicitNewton, RetriesWithAnotherStep) {
  const ShapeCase& c = shape_case("mechanical");
  for (const auto& name : implicit_methods) {
    Stepper s(*c.problem, {c.start.z.begin(), c.start.z.end()}, name);
    const Vector first = s.attempt(0.01);
    for (const double other : {0.3, 1e6, nan_value, 1e-9}) {
      s.integrator->attempt(other);
      EXPECT_EQ(s.attempt(0.01), first) << name << " after " << other;
    }
    for (int i = 0; i < 10; ++i) s.advance(0.01);
    const Vector later = s.attempt(0.01);
    s.integrator->attempt(1e6);
    EXPECT_LT((s.attempt(0.01) - later).cwiseAbs().maxCoeff(), 1e-9) << name;
  }
}

// x' = x^2, so that y = y_0 + h y^2 has no solution once 4 h y_0 > 1.
struct BlowUp {
  static constexpr int order = 1, nq = 1;
  void force(auto, auto x, auto f) const { f[0] = x[0] * x[0]; }
};

TEST(ImplicitNewton, FailureEndsTheRunAndSaysWhatToDo) {
  const auto problem = make_problem(BlowUp{});
  const double h = 0.01;
  double y = 1;
  int steps = 0;
  for (; 4 * h * y < 1; ++steps) y = (1 - std::sqrt(1 - 4 * h * y)) / (2 * h);
  for (const char* options : {":tolerance=1e-14", ":tolerance=1e-14,jacobian=fresh"}) {
    const Solution s =
        solve(*problem, state_of(*problem, {1}), {.integrator = std::string("backward-euler") + options},
              {.t_end = 2, .step = h});
    EXPECT_EQ(s.end, EndReason::no_convergence);
    EXPECT_EQ(s.work.steps, steps);
    EXPECT_NEAR(s.final.z(0), y, 1e-9);
    char expected[200];
    std::snprintf(
        expected, sizeof expected,
        "Newton's method did not converge at t = %.10g with step 1.00e-02; use a smaller `step`, or "
        "raise the integrator's option iterations (or tolerance, where it has one)",
        (steps + 1) * h);
    EXPECT_EQ(s.end_message, expected);
  }
}

TEST(ImplicitNewton, IterationsAreLimited) {
  const auto pendulum = catalog::make_problem("pendulum");
  const Solution s = solve(*pendulum.problem, pendulum.start, {.integrator = "backward-euler:iterations=1"},
                           {.t_end = 1, .step = 0.1});
  EXPECT_EQ(s.end, EndReason::no_convergence);
  EXPECT_EQ(s.work.newton, 2) << "one iteration cannot know whether it converged; two ways are tried";
  EXPECT_TRUE(contains(s.end_message, "iterations")) << s.end_message;
}

struct Breaking {
  static constexpr int nq = 2, ng = 1;
  void force(auto t, auto, auto, auto f) const {
    f[0] = 0.0;
    f[1] = t > 0.5 ? nan_value : -1.0;
  }
  void constraint(auto, auto q, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0; }
};

TEST(ImplicitNewton, NotANumberNamesTimeAndComponent) {
  const auto problem = make_problem(Breaking{});
  for (const auto& name : implicit_methods)
    for (const char* options : {"", ":jacobian=fresh"}) {
      const Solution s = solve(*problem, state_of(*problem, {1, 0, 0, 1}), {.integrator = name + options},
                               {.t_end = 1, .step = 0.01});
      EXPECT_EQ(s.end, EndReason::not_finite);
      EXPECT_TRUE(contains(s.end_message, "force f[1] = nan at t = 0.5")) << s.end_message;
      EXPECT_GT(s.final.t, 0.48);
      EXPECT_TRUE(s.final.z.allFinite());
    }
}

// Decay that is not defined below -1/2. The first step takes x from 1 to nearly 0; continued, it would lead to
// -1, so that the second one has to start from the old state.
struct Walled {
  static constexpr int order = 1, nq = 1;
  void force(auto, auto x, auto f) const {
    f[0] = -100.0 * x[0];
    if (x[0] < -0.5) f[0] = nan_value;
  }
};

TEST(ImplicitNewton, PredictorOutsideOfTheModelIsReplaced) {
  const auto problem = make_problem(Walled{});
  Stepper s(*problem, {1}, "backward-euler");
  s.advance(1);
  s.advance(1);
  EXPECT_NEAR(s.state.z(0), 1 / (101.0 * 101), 1e-15);
}

TEST(ImplicitNewton, AllocatesNothingPerStep) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "a sanitizer owns malloc";
  for (const auto& c : shape_cases())
    for (const auto& name : implicit_methods)
      for (const char* formulation : {"index1", "baumgarte:gamma=3"})
        for (const char* options : {":jacobian=kept", ":jacobian=fresh"}) {
          Stepper s(*c.problem, {c.start.z.begin(), c.start.z.end()}, name + options, formulation);
          double h = 1e-3;
          const auto step = [&] {
            s.integrator->attempt(h);
            const Step result = s.integrator->attempt(h / 2);
            s.integrator->accept(*result.state, nullptr);
            s.integrator->interpolate(result.state->t - h / 4, s.state);
            h *= 1.1;
          };
          step();  // scratch memory grows here
          EXPECT_EQ(allocation_counter::during([&] {
                      for (int i = 0; i < 10; ++i) step();
                    }),
                    0)
              << c.name << " " << name << options << " " << formulation;
        }
}

}  // namespace
}  // namespace driftless::tests
