// bdf on models that break down or degenerate, on the shortest and longest runs, and on problems with one coordinate.
#include <cmath>
#include <limits>

#include "bdf_runs.hpp"

namespace driftless::tests {
namespace {

struct BreaksDown : UnitRod {
  void force(auto t, auto, auto, auto f) const {
    f[0] = 0.0;
    f[1] = t > 0.5 ? std::numeric_limits<double>::quiet_NaN() : -1.0;
  }
};
struct Damped : UnitRod {
  void force(auto, auto, auto v, auto f) const {
    f[0] = -0.5 * v[0];
    f[1] = -9.81 - 0.5 * v[1];
  }
};

TEST(BdfEnds, NotANumberNamesTimeAndComponent) {
  const auto problem = make_problem(BreaksDown{});
  const State start = state_of(*problem, {1, 0, 0, 1});
  for (const std::string& formulation : bdf_formulations()) {
    const Solution s = run_bdf(*problem, start, formulation, {.t_end = 1});
    EXPECT_EQ(s.end, EndReason::not_finite) << formulation;
    EXPECT_TRUE(contains(s.end_message, "force f[1] = nan at t = 0.5"))
        << formulation << ": " << s.end_message;
    EXPECT_NEAR(s.final.t, 0.5, 1e-9) << formulation;
    EXPECT_LT(s.work.steps, 200) << formulation;
  }
}

TEST(BdfEnds, ShortestAndLongest) {
  const auto problem = make_problem(Damped{});
  const State start = state_of(*problem, {1, 0, 0, 0});
  for (const std::string& formulation : bdf_formulations()) {
    const Solution brief = run_bdf(*problem, start, formulation, {.t_end = 1e-12});
    ASSERT_TRUE(brief.complete()) << formulation << ": " << brief.end_message;
    EXPECT_LT(brief.work.steps, 30);
    EXPECT_NEAR(brief.final.v()(1), -9.81e-12, 1e-17) << formulation;
    const Solution rest = run_bdf(*problem, start, formulation, {.t_end = 1e6});
    ASSERT_TRUE(rest.complete()) << formulation << ": " << rest.end_message;
    EXPECT_LT(rest.work.steps, 3000) << formulation;
    EXPECT_LT(distance(rest.final.z, vector({0, -1, 0, 0})), 1e-4) << formulation;
  }
}

// G = [[0, 1, 0], [r^3, 1, 0]] with r = 1 - t, later 0.
struct Merging {
  static constexpr int nq = 3, ng = 2;
  static constexpr bool moving = true;
  void force(auto, auto, auto, auto f) const { f[2] = 1.0; }
  void constraint(auto t, auto q, auto g) const {
    auto r = 1.0 - t;
    if (r < 0.0) r = 0.0 * t;
    g[0] = q[1];
    g[1] = r * r * r * q[0] + q[1];
  }
};
struct Twice : UnitRod {
  static constexpr int ng = 2;
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto t, auto q, auto g) const {
    UnitRod::constraint(t, q, g);
    g[1] = 2.0 * g[0];
  }
};

TEST(BdfEnds, RedundantConstraintsAreNamed) {
  const auto twice = make_problem(Twice{});
  for (const std::string& formulation : bdf_formulations()) {
    if (formulation == "state-space") continue;  // counts constraints first: none of the motions is free
    const Solution s = run_bdf(*twice, state_of(*twice, {1, 0, 0, 0}), formulation, {.t_end = 1});
    EXPECT_TRUE(s.complete()) << formulation << ": " << s.end_message;
    std::string says;
    for (const std::string& note : s.notes) says += note;
    EXPECT_TRUE(contains(says, "g[1] depends on g[0]")) << formulation << ": " << says;
  }
}

// x' = -1e6 (x - cos t) from far away; a mass on a spring; a point that its constraint holds.
struct Relaxing {
  static constexpr int order = 1, nq = 1;
  void force(auto t, auto x, auto f) const {
    using std::cos;
    f[0] = -1e6 * (x[0] - cos(t));
  }
};
struct Spring {
  static constexpr int nq = 1;
  void force(auto, auto q, auto, auto f) const { f[0] = -q[0]; }
};
struct Held {
  static constexpr int nq = 1, ng = 1;
  void force(auto, auto, auto, auto f) const { f[0] = -3.0; }
  void constraint(auto, auto q, auto g) const { g[0] = q[0] - 0.5; }
};

TEST(BdfEnds, OneCoordinate) {
  const auto relaxing = make_problem(Relaxing{});
  const auto spring = make_problem(Spring{});
  const auto held = make_problem(Held{});
  for (const std::string& formulation : bdf_formulations()) {
    if (formulation != "index3") {  // has no meaning for order 1
      const Solution a = run_bdf(*relaxing, state_of(*relaxing, {5}), formulation, {.t_end = 10});
      ASSERT_TRUE(a.complete()) << formulation << ": " << a.end_message;
      EXPECT_NEAR(a.final.z(0), std::cos(10.0), 1e-5);
      EXPECT_LT(a.work.steps, 500);
    }
    const Solution b = run_bdf(*spring, state_of(*spring, {1, 0}), formulation, {.t_end = 10});
    ASSERT_TRUE(b.complete()) << formulation << ": " << b.end_message;
    EXPECT_NEAR(b.final.z(0), std::cos(10.0), 2e-4) << formulation;
    if (formulation == "state-space") continue;  // no motion is left
    const Solution c = run_bdf(*held, state_of(*held, {0.5, 0}), formulation, {.t_end = 1});
    ASSERT_TRUE(c.complete()) << formulation << ": " << c.end_message;
    EXPECT_NEAR(c.final.lambda(0), -3, 1e-9) << formulation;
  }
}

// Rows that become one and agree there: the motion goes on.
TEST(BdfEnds, ConstraintsThatBecomeDependent) {
  const auto problem = make_problem(Merging{});
  for (const std::string& formulation : bdf_formulations()) {
    const Solution s = run_bdf(*problem, state_of(*problem, {0, 0, 0, 0, 0, 0}), formulation, {.t_end = 2});
    EXPECT_LT(s.work.rhs, 500) << formulation;
    EXPECT_NEAR(s.final.q()(2), s.final.t * s.final.t / 2, 1e-5) << formulation;
    EXPECT_TRUE(s.complete() || formulation == "state-space") << formulation << ": " << s.end_message;
  }
}

// A block with dry friction stays where it came to rest: the force changes its sign from step to step.
struct Block {
  static constexpr int nq = 1;
  void mass(auto, auto, auto M) const { M(0, 0) = 1; }
  void force(auto, auto, auto v, auto f) const { f[0] = v[0] > 0 ? -0.7 : 1.3; }
};

TEST(BdfEnds, APaceThatNeverArrives) {
  const auto problem = make_problem(Block{});
  const State start = make_state(*problem, {{0}, {1}});
  const Solution s = run_bdf(*problem, start, "index1",
                             {.t_end = 10, .output = {.kind = Output::Kind::at, .times = {}}}, 1e-7);
  EXPECT_EQ(s.end, EndReason::step_underflow);
  EXPECT_TRUE(contains(s.end_message, "at that pace the end would take")) << s.end_message;
  EXPECT_NEAR(s.final.t, 1 / 0.7, 0.1) << "where it came to rest";
  EXPECT_LT(s.work.steps, 100000);
  ASSERT_FALSE(s.notes.empty());
  EXPECT_TRUE(contains(s.notes.back(), "attempts at a step failed")) << s.notes.back();
}

}  // namespace
}  // namespace driftless::tests
