// radau5 as an integrator: what it solves exactly, its dense output, what it keeps and renews, its options, events, and how it fails.
#include <gtest/gtest.h>

#include <cmath>

#include "support/compare.hpp"
#include "support/models.hpp"
#include "unit/bdf_runs.hpp"
#include "unit/implicit_stepper.hpp"

namespace driftless::tests {
namespace {

Solution run(const std::string& problem, const Method& method, double tolerance, double t_end = 0) {
  const auto instance = catalog::make_problem(problem);
  return solve(*instance.problem, instance.start, method,
               {.t_end = t_end > 0 ? t_end : instance.t_end,
                .rtol = tolerance,
                .atol = tolerance,
                .output = {.kind = Output::Kind::at, .times = {}}});
}

// x' = 5 t^4 has x = t^5: the quadrature is exact to degree 4. Between the ends the cubic is exact for x = t^3.
TEST(Radau5, IntegratesPolynomials) {
  for (int degree = 1; degree <= 5; ++degree) {
    const auto problem = make_problem(Power{degree});
    Stepper stepper(*problem, {0}, "radau5");
    stepper.advance(0.7);
    EXPECT_NEAR(stepper.state.z(0), std::pow(0.7, degree), 1e-15) << degree;
    State between = stepper.state;
    stepper.integrator->interpolate(0.2, between);
    if (degree <= 3) {
      EXPECT_NEAR(between.z(0), std::pow(0.2, degree), 1e-15) << degree;
    }
  }
  const auto problem = make_problem(Power{6});
  Stepper stepper(*problem, {0}, "radau5");
  EXPECT_GT(std::abs(stepper.attempt(0.7)(0) - std::pow(0.7, 6)), 1e-6);
}

// The estimate vanishes for cubics. For x' = 4 t^3, h u' is the parabola that meets 4 h t^3 at the c_i, and at 0 has 4 h^4 c_1 c_2 c_3 = 4 h^4/10; the
// estimate is that, divided by gamma.
TEST(Radau5, EstimatesTheErrorOfOrderThree) {
  for (int degree = 1; degree <= 3; ++degree) {
    const auto problem = make_problem(Power{degree});
    Stepper stepper(*problem, {0}, "radau5");
    EXPECT_LT(stepper.integrator->attempt(0.5).error->norm(), 1e-15) << degree;
  }
  const auto problem = make_problem(Power{4});
  Stepper stepper(*problem, {0}, "radau5");
  const Step step = stepper.integrator->attempt(0.5);
  EXPECT_NEAR(std::abs((*step.error)(0)), 0.4 * std::pow(0.5, 4) / 3.6378342527444957, 1e-15);
  EXPECT_EQ(step.error_order, 3);
}

// A stabilizer that moved the end moved the interpolant's end, too.
TEST(Radau5, InterpolatesToAMovedEnd) {
  const auto instance = catalog::make_problem("pendulum");
  Stepper stepper(*instance.problem, {1, 0, 0, 0}, "radau5", "index1");
  const Step step = stepper.integrator->attempt(0.1);
  State moved = *step.state;
  const Vector move = vector({1e-3, 2e-3, -1e-3, 0});
  moved.z += move;
  ASSERT_EQ(stepper.integrator->accept(moved, &move), Status::ok);
  State between = moved;
  for (const double t : {0.0, 0.1}) {
    stepper.integrator->interpolate(t, between);
    EXPECT_LT(distance(between.z, t == 0 ? vector({1, 0, 0, 0}) : moved.z), 1e-15);
  }
}

// A linear problem needs one Jacobian for ever; another step size only new factors.
TEST(Radau5, KeepsWhatServes) {
  const auto problem = make_problem(Oscillators{});
  const State start = state_of(*problem, {1, 0.5, 0, 0});
  const auto work = [&](const char* integrator) {
    return solve(*problem, start, {.integrator = integrator}, {.t_end = 10, .step = 0.1}).work;
  };
  const Work kept = work("radau5");
  EXPECT_EQ(kept.jacobians, 1);
  EXPECT_EQ(kept.factorizations, 2) << "one real, one complex";
  EXPECT_EQ(work("radau5:jacobian=step").jacobians, 100);
  const Work adaptive = solve(*problem, start, {.integrator = "radau5"}, {.t_end = 100}).work;
  EXPECT_EQ(adaptive.jacobians, 1);
  EXPECT_GT(adaptive.factorizations, 2);
}

// On a mechanism a Jacobian serves as long as Newton's method converges fast with it.
TEST(Radau5, JacobiansOnAndrews) {
  const Work often =
                 run("andrews", {.formulation = "index2", .integrator = "radau5:jacobian=step"}, 1e-6).work,
             kept = run("andrews", {.formulation = "index2", .integrator = "radau5:keep=0.1"}, 1e-6).work;
  EXPECT_GE(often.jacobians, often.steps);
  EXPECT_LT(kept.jacobians, often.jacobians / 2);
  EXPECT_GT(kept.newton, often.newton);
}

// lambda is an unknown, but has no influence on where a step begins: z is the same whichever is shown, up to what Newton's method leaves.
TEST(Radau5, MultipliersDoNotSteer) {
  const auto instance = catalog::make_problem("andrews");
  for (const char* formulation : {"index2", "index3", "ggl"}) {
    const auto final = [&](const char* integrator) {
      return solve(*instance.problem, instance.start, {.formulation = formulation, .integrator = integrator},
                   {.t_end = 0.001, .step = 1e-5})
          .final;
    };
    const State by_state = final("radau5:tolerance=1e-13"), own = final("radau5:tolerance=1e-13,lambda=own");
    EXPECT_LT(distance(by_state.q(), own.q()), 1e-10) << formulation;
    EXPECT_GT(distance(by_state.lambda, own.lambda), 0) << formulation;
    const Motion exact(*instance.problem, by_state);
    EXPECT_LT(distance(by_state.lambda, exact.multipliers), 1e-12 * exact.multipliers.norm()) << formulation;
  }
}

// The motion of a pendulum does not depend on its mass, and lambda is proportional to it: where lambda counts, an absolute tolerance makes
// steps depend on the unit of forces, and where it does not, it cannot.
TEST(Radau5, OwnMultipliersCountInBothTests) {
  const auto steps = [](const char* mass, const char* integrator) {
    const auto instance = catalog::make_problem("pendulum", {{"m", mass}});
    return solve(*instance.problem, instance.start, {.formulation = "ggl", .integrator = integrator},
                 {.t_end = 8, .rtol = 1e-12, .atol = 1e-5})
        .work.steps;
  };
  EXPECT_EQ(steps("1", "radau5"), steps("1048576", "radau5"));
  EXPECT_GT(steps("1048576", "radau5:lambda=own"), 2 * steps("1", "radau5:lambda=own"));
}

// In index3 velocities carry what Newton's method leaves of them to the next step: errors must fall with the step. Order 3 of v is a factor of
// 27 for a third of the step.
TEST(Radau5, VelocitiesOfIndex3FallWithTheStep) {
  const auto instance = catalog::make_problem("andrews");
  const auto errors = [&](double h) {
    const Solution s = solve(*instance.problem, instance.start,
                             {.formulation = "index3", .integrator = "radau5"}, {.t_end = 0.03, .step = h});
    EXPECT_TRUE(s.complete()) << s.end_message;
    const State exact = *instance.reference.at(0.03);
    return std::pair{distance(s.final.q(), exact.q()), distance(s.final.v(), exact.v())};
  };
  const auto coarse = errors(3e-5), fine = errors(1e-5);
  EXPECT_LT(coarse.first, 1e-7);
  EXPECT_LT(fine.first, 1e-7);
  EXPECT_LT(fine.second, coarse.second / 10);
}

// Steps that Newton's method cannot solve any better must not be accepted with velocities that mean nothing.
TEST(Radau5, TightIndex3IsAccurate) {
  for (const char* problem : {"jerk-sphere", "arevalo", "car-axis"}) {
    const auto instance = catalog::make_problem(problem);
    for (const double tolerance : {1e-10, 1e-13}) {
      const Solution s = run(problem, {.formulation = "index3", .integrator = "radau5"}, tolerance);
      ASSERT_TRUE(s.complete()) << s.end_message;
      EXPECT_LT(distance(s.final.q(), instance.reference.at(instance.t_end)->q()), 1e-11 + 10 * tolerance)
          << problem << tolerance;
    }
  }
}

TEST(Radau5, ConstraintsHoldAtTheLastStage) {
  const Solution ggl = run("andrews", {.formulation = "ggl", .integrator = "radau5"}, 1e-6),
                 index3 = run("andrews", {.formulation = "index3", .integrator = "radau5"}, 1e-6);
  EXPECT_LT(ggl.drift->position, 1e-9);
  EXPECT_LT(ggl.drift->velocity, 1e-6);
  EXPECT_LT(index3.drift->position, 1e-8);
}

TEST(Radau5, DefaultsAndRefusals) {
  EXPECT_EQ(with_defaults({.integrator = "radau5"}, {}).controller, "predictive");
  EXPECT_EQ(with_defaults({.integrator = "radau5"}, {.step = 0.1}).controller, "fixed");
  const auto pendulum = catalog::make_problem("pendulum");
  const auto says = [&](const Method& method) {
    return complaint([&] { solve(*pendulum.problem, pendulum.start, method, {.t_end = 0.1}); });
  };
  EXPECT_TRUE(contains(says({.integrator = "radau5:tolerance=1e-9"}), "belongs to fixed steps"));
  EXPECT_TRUE(contains(says({.integrator = "radau5:jacobian=step,keep=0.1"}), "leave one out"));
  EXPECT_TRUE(contains(says({.integrator = "radau5:lambda=own"}), "no unknown of this formulation"));
  EXPECT_TRUE(contains(says({.integrator = "radau5", .controller = "bdf-order"}), "has only one"));
}

// Errors follow the tolerance over nine decades; without constraints, and at the tightest ones, too.
TEST(Radau5, TightTolerances) {
  const auto instance = catalog::make_problem("pendulum");
  for (const std::string& formulation : bdf_formulations())
    for (const double tolerance : {1e-4, 1e-8, 1e-12, 1e-13}) {
      const Solution s =
          solve(*instance.problem, instance.start, {.formulation = formulation, .integrator = "radau5"},
                {.t_end = 1, .rtol = tolerance, .atol = tolerance, .max_steps = 2000});
      ASSERT_TRUE(s.complete()) << formulation << ": " << s.end_message;
      const double factor = formulation == "index3" ? 1000 : 100;
      EXPECT_LT(distance(s.final.q(), instance.reference.at(1)->q()), factor * tolerance + 1e-12)
          << formulation;
      EXPECT_LT(s.work.rejected, 10) << formulation << " " << tolerance;
    }
  const auto free = make_problem(Oscillators{});
  const State start = state_of(*free, {1, 0.5, 0, 0});
  const Solution exact = solve(*free, start, {.integrator = "dop853"}, tight(10));
  for (const char* formulation : {"index1", "index2", "index3", "ggl", "stabilized-index1"}) {
    const Solution s = solve(*free, start, {.formulation = formulation, .integrator = "radau5"}, tight(10));
    ASSERT_TRUE(s.complete()) << s.end_message;
    EXPECT_LT(distance(s.final.z, exact.final.z), 1e-9) << formulation;
  }
}

// Events are found on the cubic, whose error within a step is up to ten times the tolerance.
TEST(Radau5, FindsEvents) {
  const auto instance = catalog::make_problem("pendulum");
  const Event bottom{.name = "bottom", .value = [](const State& s) { return s.q()(0); }};
  for (const char* formulation : {"index1", "index3", "ggl", "state-space"}) {
    const Solution s =
        solve(*instance.problem, instance.start, {.formulation = formulation, .integrator = "radau5"},
              {.t_end = 8, .rtol = 1e-8, .atol = 1e-8, .events = {bottom}});
    ASSERT_TRUE(s.complete()) << s.end_message;
    ASSERT_GE(s.events.size(), 1u);
    for (const auto& event : s.events)
      EXPECT_NEAR(instance.reference.at(event.t)->q()(0), 0, 1e-7) << formulation << " " << event.t;
  }
}

// A constraint that turns by ten radians within a step: derivatives of one point say nothing about the stages. The equations are linear, and
// solved for all stages at once a fixed step does what its order promises.
TEST(Radau5, SolvesForAllStagesAtOnce) {
  const auto instance = catalog::make_problem("000-example1", {{"nu", "100"}});
  const Solution s = solve(*instance.problem, instance.start,
                           {.formulation = "index2", .integrator = "radau5"}, {.t_end = 1, .step = 0.1});
  ASSERT_TRUE(s.complete()) << s.end_message;
  EXPECT_LT(distance(s.final.q(), instance.reference.at(1)->q()), 1e-4);
}

struct BreaksDown : UnitRod {
  void force(auto t, auto, auto, auto f) const {
    f[0] = 0.0;
    f[1] = t > 0.5 ? std::numeric_limits<double>::quiet_NaN() : -1.0;
  }
};

TEST(Radau5, NotANumberNamesTimeAndComponent) {
  const auto problem = make_problem(BreaksDown{});
  const State start = state_of(*problem, {1, 0, 0, 1});
  for (const std::string& formulation : bdf_formulations()) {
    const Solution s = solve(*problem, start, {.formulation = formulation, .integrator = "radau5"},
                             {.t_end = 1, .rtol = 1e-6, .atol = 1e-6});
    EXPECT_EQ(s.end, EndReason::not_finite) << formulation;
    EXPECT_TRUE(contains(s.end_message, "force f[1] = nan at t = 0.5"))
        << formulation << ": " << s.end_message;
    EXPECT_NEAR(s.final.t, 0.5, 1e-9) << formulation;
  }
}

TEST(Radau5, AFixedStepThatIsTooLargeSaysSo) {
  const auto instance = catalog::make_problem("andrews");
  const Solution s = solve(*instance.problem, instance.start,
                           {.formulation = "index3", .integrator = "radau5"}, {.t_end = 0.03, .step = 0.01});
  EXPECT_EQ(s.end, EndReason::no_convergence);
  EXPECT_TRUE(contains(s.end_message, "Newton's method did not converge at t = ")) << s.end_message;
  EXPECT_TRUE(contains(s.end_message, "use a smaller `step`")) << s.end_message;
}

}  // namespace
}  // namespace driftless::tests
