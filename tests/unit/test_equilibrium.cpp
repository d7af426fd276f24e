// Where mechanisms rest, against positions known by hand; and what is said where there is no rest.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <driftless/analysis/equilibrium.hpp>
#include <driftless/catalog/catalog.hpp>
#include <driftless/core/auto_problem.hpp>

namespace driftless::tests {
namespace {

using analysis::Equilibrium;
using analysis::equilibrium;
using Search = analysis::EquilibriumOptions::Search;
using Set = std::vector<std::pair<std::string, std::string>>;

Equilibrium rest_of(const std::string& name, const Set& set = {}, Search search = Search::downhill) {
  const ProblemInstance instance = catalog::make_problem(name, set);
  return equilibrium(*instance.problem, instance.start, {.search = search});
}

bool says(const Equilibrium& found, const std::string& part) {
  return found.report.find(part) != std::string::npos;
}

// From the horizontal start the reduced stiffness is zero: Newton's method has nowhere to go, downhill has.
TEST(Equilibrium, PendulumHangs) {
  const Equilibrium found = rest_of("pendulum");
  ASSERT_TRUE(found.found) << found.report;
  EXPECT_NEAR(found.state.q()(0), 0, 1e-14);
  EXPECT_NEAR(found.state.q()(1), -1, 1e-14);
  EXPECT_NEAR(found.state.lambda(0), 1, 1e-14);
  EXPECT_EQ(found.state.v().norm(), 0);
  EXPECT_FALSE(found.time_frozen);
  EXPECT_FALSE(rest_of("pendulum", {}, Search::newton).found);
}

TEST(Equilibrium, NewtonGoesToTheNearestAndDownhillDown) {
  const Set nearly_up = {{"phi1", "3"}, {"phi2", "3.2"}};
  const Equilibrium up = rest_of("double-pendulum", nearly_up, Search::newton),
                    down = rest_of("double-pendulum", nearly_up);
  ASSERT_TRUE(up.found && down.found) << up.report << down.report;
  EXPECT_NEAR(up.state.q()(3), 2, 1e-13);
  EXPECT_NEAR(down.state.q()(3), -2, 1e-13);
  EXPECT_NEAR(down.state.lambda(0), 2 * 9.81, 1e-12);
  EXPECT_NEAR(up.state.lambda(1), -9.81, 1e-12);
}

// The rod's centre is lowest where sin theta = -1; sin psi = -r/l there. The driving torque sin t is frozen at 0.
TEST(Equilibrium, SliderCrankAtRest) {
  const Equilibrium found = rest_of("001-slider-crank");
  ASSERT_TRUE(found.found) << found.report;
  EXPECT_NEAR(found.state.q()(0), -std::numbers::pi / 2, 1e-12);
  EXPECT_NEAR(found.state.q()(3), -std::asin(1.0 / 3), 1e-12);
  EXPECT_TRUE(found.time_frozen);
}

TEST(Equilibrium, EveryStartThatRestsIsLeftAlone) {
  const Equilibrium up =
      rest_of("double-pendulum", {{"phi1", "3.141592653589793"}, {"phi2", "3.141592653589793"}});
  EXPECT_TRUE(up.found);
  EXPECT_EQ(up.iterations, 0);
  EXPECT_TRUE(says(up, "the start is an equilibrium"));
}

// As many constraints as coordinates: where they hold is the only place to rest.
TEST(Equilibrium, NothingLeftToMove) {
  const Equilibrium found = rest_of("001-drift-model");
  EXPECT_TRUE(found.found) << found.report;
}

// Two masses on a line and a spring between them: the centre of mass may be anywhere and stays where it is.
struct FreePair {
  static constexpr int nq = 2;
  void mass(auto, auto, auto M) const { M(0, 0) = 1, M(1, 1) = 3; }
  void force(auto, auto q, auto, auto f) const {
    const auto pull = 5.0 * (q[1] - q[0] - 2.0);
    f[0] = pull;
    f[1] = -pull;
  }
};

TEST(Equilibrium, NotIsolatedTheNearestIsTaken) {
  const auto problem = make_problem(FreePair{});
  for (const Search search : {Search::downhill, Search::newton}) {
    const Equilibrium found =
        equilibrium(*problem, make_state(*problem, {{0, 2.5}, {1, 1}}), {.search = search});
    ASSERT_TRUE(found.found) << found.report;
    EXPECT_NEAR(found.state.q()(1) - found.state.q()(0), 2, 1e-14);
    EXPECT_LT(std::abs(found.state.q()(0)), 0.5);
  }
}

struct Falling {
  static constexpr int nq = 2;
  static constexpr std::array<const char*, 2> coordinate_names{"x", "y"}, velocity_names{"vx", "vy"};
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
};

TEST(Equilibrium, AFreeFallHasNone) {
  const auto problem = make_problem(Falling{});
  const Equilibrium found = equilibrium(*problem, make_state(*problem, {{0, 0}, {0, 0}}));
  EXPECT_FALSE(found.found);
  EXPECT_TRUE(
      says(found, "no equilibrium was found: the system runs away; the unbalanced force is -9.81 at vy"))
      << found.report;
  EXPECT_FALSE(rest_of("001-kepler").found);
}

struct Belt {  // a mass on a conveyor belt that runs at speed 0.5
  static constexpr int nq = 2, nk = 1;
  static constexpr bool moving = true;
  void force(auto, auto, auto, auto) const {}
  void velocity_constraint(auto, auto, auto v, auto w) const { w[0] = v[0] - 0.5; }
};

TEST(Equilibrium, ADrivenConstraintHasNoRest) {
  const auto problem = make_problem(Belt{});
  const Equilibrium found = equilibrium(*problem, make_state(*problem, {{0, 0}, {0, 0}}));
  EXPECT_FALSE(found.found);
  EXPECT_TRUE(says(found, "w[0] is -0.5 at rest (must vanish)")) << found.report;
}

struct TwiceHeld {  // the same constraint twice
  static constexpr int nq = 3, ng = 2;
  void force(auto, auto, auto, auto f) const { f[2] = -1; }
  void constraint(auto, auto q, auto g) const {
    g[0] = q[0] + q[2];
    g[1] = 2.0 * (q[0] + q[2]);
  }
};

TEST(Equilibrium, RedundantConstraintsAreWelcome) {
  const auto problem = make_problem(TwiceHeld{});
  EXPECT_TRUE(equilibrium(*problem, make_state(*problem, {{0, 0, 0}, {0, 0, 0}})).state.z.allFinite());
}

// Order 1: predator and prey rest at (c/d, a/b) = (1.5, 2).
struct Lotka {
  static constexpr int order = 1, nq = 2;
  void force(auto, auto x, auto f) const {
    f[0] = x[0] * (4.0 - 2.0 * x[1]);
    f[1] = x[1] * (2.0 * x[0] - 3.0);
  }
};

TEST(Equilibrium, FirstOrder) {
  const auto problem = make_problem(Lotka{});
  const Equilibrium found = equilibrium(*problem, make_state(*problem, {{1.2, 2.3}}));
  ASSERT_TRUE(found.found) << found.report;
  EXPECT_NEAR(found.state.z(0), 1.5, 1e-14);
  EXPECT_NEAR(found.state.z(1), 2, 1e-14);
}

}  // namespace
}  // namespace driftless::tests
