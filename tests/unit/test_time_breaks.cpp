// Times at which a problem is not smooth: steps end there, or just before where something jumps; velocities that are prescribed to jump take
// the others along as an impact does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <driftless/core/time_breaks.hpp>
#include <driftless/mechanics/mechanism.hpp>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

using namespace mechanics;

// A slider that is driven along x, and what hangs on it.
Mechanism driven(const Setting& motion, const JumpHandling& jumps = {}, bool pendulum = false) {
  Mechanism m;
  const BodyId slider = m.body(PlanarBody{.name = "slider", .mass = 3, .inertia = 1});
  const JointId guide = m.joint("prismatic", "guide", m.ground(), slider, {.axis = {1, 0, 0}});
  m.drive("motor", guide, "position", motion, jumps);
  if (pendulum) {
    const BodyId bob = m.body(PlanarBody{.name = "bob", .mass = 2, .inertia = 0.5, .at = {0, -1, 0}});
    m.joint("revolute", "pin", slider, bob, {.at = {0, 0, 0}});
  }
  return m;
}

Solution run(const Mechanism& m, Options options, const Method& method = {}) {
  options.output = {.kind = Output::Kind::steps};
  return solve(*m.problem(), m.start(), method, options);
}

bool ends_at(const Solution& s, double t) {
  return std::any_of(s.states.begin(), s.states.end(), [&](const State& state) { return state.t == t; });
}

const Table bump({0, 0.5, 0.52, 0.55, 0.6, 0.65, 0.68, 0.7, 3}, {0, 0, 0.01, 0.035, 0.05, 0.035, 0.01, 0, 0});

// What is told is what the formulas give: the joint follows the table, to the tolerance, at every step.
TEST(TimeBreaks, StepsEndAtThePointsOfATable) {
  const Motion exact(bump);
  for (const char* integrator : {"dopri5", "bdf", "ab3"})
    for (const bool fixed : {false, true}) {
      if (!fixed && std::string(integrator) == "ab3") continue;
      Options options{.t_end = 1};
      if (fixed) options.step = 1e-3;
      if (fixed && std::string(integrator) == "bdf") continue;
      const Method method{.formulation = std::string(integrator) == "bdf" ? "ggl" : "index1",
                          .integrator = integrator};
      const Solution solution = run(driven(bump), options, method);
      ASSERT_EQ(solution.end, EndReason::reached_end) << solution.end_message;
      for (const double t : {0.5, 0.52, 0.55, 0.6, 0.65, 0.68, 0.7}) EXPECT_TRUE(ends_at(solution, t)) << t;
      for (const State& s : solution.states) {
        EXPECT_NEAR(s.q()(0), exact.value(s.t), 2e-6) << integrator << " " << s.t;
        EXPECT_LE(s.q()(0), 0.05 + 2e-6);
      }
      EXPECT_TRUE(solution.notes.empty() || !contains(solution.notes.front(), "motor"));
    }
}

// A fixed step that reaches across leads back to its multiples.
TEST(TimeBreaks, FixedStepsComeBackToTheirMultiples) {
  const Solution solution = run(driven(bump), {.t_end = 1, .step = 0.03});
  for (int i = 1; i <= 33; ++i)
    EXPECT_TRUE(std::any_of(solution.states.begin(), solution.states.end(), [&](const State& s) {
      return std::abs(s.t - 0.03 * i) < 1e-12;
    })) << i;
  EXPECT_EQ(solution.final.t, 1);
}

const Table corner({0, 1, 2}, {0, 0, 2}, {.interpolation = Interpolation::linear});

// A pendulum of mass m, inertia J and length L hangs at rest when its pivot begins to move with V. The impulse P at the pivot gives
// m v = P and J w = P L, and v + w L = V: P = V/(1/m + L^2/J).
TEST(TimeBreaks, ARateThatJumpsIsAnImpact) {
  const Mechanism m = driven(corner, {.blend = false}, true);
  const Solution solution = run(m, {.t_end = 1.0});
  ASSERT_EQ(solution.end, EndReason::reached_end) << solution.end_message;
  ASSERT_EQ(solution.events.size(), 1u);
  EXPECT_EQ(solution.events[0].name, "drive motor");
  EXPECT_EQ(solution.events[0].t, 1);
  const double P = 2 / (1 / 2.0 + 1 / 0.5);
  const auto v = solution.final.v();
  EXPECT_NEAR(v(0), 2, 1e-12);
  EXPECT_NEAR(v(3), P / 2, 1e-12);
  EXPECT_NEAR(std::abs(v(5)), P / 0.5, 1e-12);
  // And on: the place follows the table with every method.
  for (const char* formulation : {"index1", "ggl"}) {
    const Solution on = run(m, {.t_end = 1.5}, {.formulation = formulation});
    ASSERT_EQ(on.end, EndReason::reached_end) << on.end_message;
    EXPECT_NEAR(on.final.q()(0), 1, 1e-6);
    EXPECT_TRUE(std::any_of(on.notes.begin(), on.notes.end(), [](const std::string& note) {
      return contains(note, "drive motor: its rate jumps by 2 at t = 1 (from 0 to 2)");
    }));
  }
}

TEST(TimeBreaks, ACornerIsBlendedAndTold) {
  const Solution solution = run(driven(corner), {.t_end = 1.5});
  ASSERT_EQ(solution.end, EndReason::reached_end) << solution.end_message;
  EXPECT_TRUE(solution.events.empty());
  EXPECT_TRUE(ends_at(solution, 0.975) && ends_at(solution, 1.025));
  ASSERT_FALSE(solution.notes.empty());
  EXPECT_EQ(solution.notes[0],
            "drive motor: its rate jumps by 2 at t = 1 (from 0 to 2); it is blended from t = 0.975 to 1.025, "
            "which leads away from the points by up to 0.009375");  // 3/16 of 0.05
  EXPECT_NEAR(solution.final.v()(0), 2, 1e-9);
}

// m y'' = k (target - y) with a target whose rate jumps: what follows from there is known, y = 2 (s - sin(w s)/w).
TEST(TimeBreaks, AForceThatJumpsStartsAnew) {
  Mechanism m;
  const BodyId mass = m.body(PlanarBody{.name = "mass", .mass = 1, .inertia = 1});
  const JointId guide = m.joint("prismatic", "guide", m.ground(), mass, {.axis = {1, 0, 0}});
  m.force("pd-actuator", "servo", guide, "position",
          {{"proportional", 9}, {"derivative", 0}, {"target", corner}});
  const Solution solution = run(m, {.t_end = 1.7, .rtol = 1e-9, .atol = 1e-9});
  ASSERT_EQ(solution.end, EndReason::reached_end) << solution.end_message;
  const double s = 0.7;
  EXPECT_NEAR(solution.final.q()(0), 2 * (s - std::sin(3 * s) / 3), 1e-7);
  EXPECT_LT(solution.work.rejected, 5);
}

TEST(TableRange, IsToldOncePerTableWithTheValue) {
  Mechanism m = driven(Table({0, 1}, {0, 0.1}));
  m.force("spring-damper", "bumper", JointId{0}, "position",
          {{"curve", Table({-1, 0.04}, {-1, 0.04})}, {"rest", 0}});
  const Solution solution = run(m, {.t_end = 2});
  ASSERT_EQ(solution.end, EndReason::reached_end) << solution.end_message;
  EXPECT_NEAR(solution.final.q()(0), 0.1, 1e-9);
  const auto told = [&](const std::string& text) {
    return std::count_if(solution.notes.begin(), solution.notes.end(),
                         [&](const std::string& note) { return contains(note, text); });
  };
  EXPECT_EQ(
      told("drive motor: its table was asked for a value at 2, beyond its points (0 to 1); the end value is "
           "held there"),
      1);
  EXPECT_EQ(told("force bumper: its curve was asked for a value at "), 1);
  EXPECT_EQ(told("beyond its points (-1 to 0.04), first at t = "), 1);
}

TEST(TableRange, EndsTheRunWhereThatIsAsked) {
  const Solution by_time = run(driven(Table({0, 1}, {0, 0.1}, {.outside = Outside::error})), {.t_end = 2});
  EXPECT_EQ(by_time.end, EndReason::not_finite);
  EXPECT_NEAR(by_time.final.t, 1, 1e-6);
  EXPECT_TRUE(contains(by_time.end_message, "drive motor: the table was asked for a value at 1"))
      << by_time.end_message;
  EXPECT_TRUE(contains(by_time.end_message, "beyond its points (0 to 1), and its `outside` is \"error\""));

  Mechanism m = driven("0.1*t");
  m.force("spring-damper", "bumper", JointId{0}, "position",
          {{"curve", Table({-1, 0.04}, {-1, 0.04}, {.outside = Outside::error})}, {"rest", 0}});
  const Solution by_place = run(m, {.t_end = 2});
  EXPECT_EQ(by_place.end, EndReason::not_finite);
  EXPECT_NEAR(by_place.final.t, 0.4, 1e-6);
  EXPECT_TRUE(
      contains(by_place.end_message, "force bumper: in its curve, the table was asked for a value at 0.04"))
      << by_place.end_message;
  // Up to the very end of its points a table has values.
  EXPECT_EQ(run(driven(Table({0, 1}, {0, 0.1}, {.outside = Outside::error})), {.t_end = 1}).end,
            EndReason::reached_end);
}

}  // namespace
}  // namespace driftless::tests
