// What stabilizers leave behind where it is known: Examples 2 to 4 of Ascher, Chin, Reich (1992), with values by theory or by an
// independent program; multistep methods see the states that a stabilizer has moved.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

// ---- Example 2 of the paper: the midpoint rule drifts by d = -h^3/4 a step ----

std::vector<double> example2(const std::string& stabilizer, double z0, double t_end) {
  const auto instance = catalog::make_problem("001-example2", {{"z0", std::to_string(z0)}});
  const Solution s =
      solve(*instance.problem, instance.start, {.integrator = "explicit-midpoint", .stabilizer = stabilizer},
            {.t_end = t_end, .step = 0.1});
  std::vector<double> drift;
  for (const State& state : s.states) drift.push_back(state.z(0) - std::pow(state.t, 3));
  return drift;
}

std::string keeping_h(const std::string& scheme, double alpha) {
  return scheme + ":F=full,invariants=h,alpha=" + std::to_string(alpha);
}

TEST(Example2, DriftAddsUpWithoutAndIsOneStepsWithStabilization) {
  const double d = -0.001 / 4;
  const auto none = example2("none", 0, 4), forward = example2(keeping_h("forward", 1), 0, 4),
             from_five = example2(keeping_h("forward", 1), 5, 4), post = example2(keeping_h("post", 1), 5, 4);
  ASSERT_EQ(none.size(), 41u);
  EXPECT_EQ(from_five[0], 5);
  for (std::size_t n = 1; n <= 40; ++n) {
    EXPECT_NEAR(none[n], static_cast<double>(n) * d, 3e-14);
    EXPECT_NEAR(forward[n], d, 3e-14);
    EXPECT_NEAR(from_five[n], d, 3e-14);  // from the first step on
    EXPECT_NEAR(post[n], 0, 3e-14);
  }
}

TEST(Example2, SteadyStates) {
  const double d = -0.001 / 4;
  for (const double alpha : {0.25, 0.5, 1.0, 1.5, 1.9}) {
    EXPECT_NEAR(example2(keeping_h("forward", alpha), 0, 40).back(), d / alpha, 1e-10) << alpha;
    EXPECT_NEAR(example2(keeping_h("post", alpha), 0, 40).back(), (1 - alpha) * d / alpha, 1e-10) << alpha;
  }
  for (const double alpha : {0.25, 1.0, 10.0})
    EXPECT_NEAR(example2(keeping_h("backward", alpha), 5, 40).back(), d / alpha, 1e-10) << alpha;
  // One row: F = transpose over the largest eigenvalue is F = full.
  EXPECT_NEAR(example2("forward:F=transpose,invariants=h,alpha=0.5", 0, 40).back(), 2 * d, 1e-10);
  EXPECT_NEAR(example2("post:F=position,invariants=h", 5, 40).back(), 0, 1e-10);
}

// ---- Example 3, Table 3.1: Kepler's problem, p2 after one and two periods ----

struct KeplerRow {
  const char *integrator, *stabilizer;
  double steps_per_pi;
  double one, two;  // by an independent program
};

TEST(KeplerTable, AfterOneAndTwoPeriods) {
  const char *full = "post:F=full,invariants=energy", *velocity = "post:F=velocity,invariants=energy";
  const KeplerRow rows[] = {{"forward-euler", "none", 1000, -.63041, -.91527},
                            {"forward-euler", full, 1000, .4839e-4, .9727e-4},
                            {"forward-euler", velocity, 1000, .1266e-3, .2422e-3},
                            {"forward-euler", "none", 2000, -.35601, -.88787},
                            {"forward-euler", full, 2000, .1206e-4, .2418e-4},
                            {"forward-euler", velocity, 2000, .3238e-4, .6333e-4},
                            {"explicit-midpoint", "none", 1000, .4797e-3, .9458e-3},
                            {"explicit-midpoint", full, 1000, -.3421e-4, -.6842e-4},
                            {"explicit-midpoint", velocity, 1000, -.4824e-4, -.9648e-4},
                            {"implicit-midpoint:tolerance=1e-14", "none", 1000, .5623e-3, 1.1246e-3},
                            {"implicit-midpoint:tolerance=1e-14", full, 1000, .4159e-4, .8317e-4},
                            {"implicit-midpoint:tolerance=1e-14", velocity, 1000, .2755e-4, .5511e-4}};
  const auto instance = catalog::make_problem("001-kepler", {{"order", "2"}});
  const double pi = std::numbers::pi;
  for (const KeplerRow& row : rows) {
    const Solution s =
        solve(*instance.problem, instance.start, {.integrator = row.integrator, .stabilizer = row.stabilizer},
              {.t_end = 4 * pi,
               .step = pi / row.steps_per_pi,
               .output = {.kind = Output::Kind::at, .times = {2 * pi, 4 * pi}}});
    ASSERT_EQ(s.states.size(), 2u);
    EXPECT_NEAR(s.states[0].q()(1), row.one, 6e-4 * std::abs(row.one)) << row.integrator << row.stabilizer;
    EXPECT_NEAR(s.states[1].q()(1), row.two, 6e-4 * std::abs(row.two)) << row.integrator << row.stabilizer;
  }
}

// As a system of order 1 F = full does the same, and there are no velocities to correct alone.
TEST(KeplerTable, OrderOneIsTheSame) {
  const auto first = catalog::make_problem("001-kepler"),
             second = catalog::make_problem("001-kepler", {{"order", "2"}});
  const Method method{.integrator = "rk4", .stabilizer = "post:F=full,invariants=all"};
  const Options options{.t_end = 5, .step = 0.05};
  const Vector a = solve(*first.problem, first.start, method, options).final.z,
               b = solve(*second.problem, second.start, method, options).final.z;
  EXPECT_LT((a - b).norm(), 1e-12);
  EXPECT_NE(complaint([&] {
              solve(*first.problem, first.start, {.stabilizer = "post:F=velocity,invariants=energy"},
                    options);
            }).find("a problem of order 1 has none"),
            std::string::npos);
}

// ---- multistep methods ----

// AB2 started by forward Euler's rule, f evaluated at the states that the stabilizer has moved; z(1) and the
// largest drifts to t = 100 by an independent program.
TEST(MultistepHistory, SeesTheMove) {
  const auto instance = catalog::make_problem("001-slider-crank");
  const auto run = [&](const char* stabilizer, double t_end) {
    return solve(*instance.problem, instance.start,
                 {.integrator = "ab2:start=forward-euler", .stabilizer = stabilizer},
                 {.t_end = t_end, .step = 0.1});
  };
  Vector split(8), none(8);
  split << -1.0660086619, 2.3966053131, -0.2917590796, -0.2960654178, -1.0785354275, -1.0499948293,
      -0.1739789613, -0.1818963094;
  none << -1.0624521376, 2.3997260832, -0.2942365117, -0.2985800773, -1.0748790052, -1.0540912590,
      -0.1754433619, -0.1837486413;
  EXPECT_LT((run("post:F=split", 1).final.z - split).cwiseAbs().maxCoeff(), 6e-11);
  EXPECT_LT((run("none", 1).final.z - none).cwiseAbs().maxCoeff(), 6e-11);
  const auto expect = [&](const char* stabilizer, double position, double velocity) {
    const Drift drift = *run(stabilizer, 100).drift;
    EXPECT_NEAR(drift.position, position, 1e-4 * position) << stabilizer;
    if (velocity > 0) {
      EXPECT_NEAR(drift.velocity, velocity, 1e-4 * velocity) << stabilizer;
    }
  };
  expect("post:F=split", 2.2181e-7, 7.4759e-4);
  expect("none", 7.3454e-2, 7.1141e-3);
  expect("post:F=velocity", 6.6121e-3, 0);
  expect("post:F=position", 2.3737e-7, 1.2858e-2);
  expect("post:F=full", 1.2458e-6, 6.9674e-7);
  expect("post:F=block", 2.2181e-7, 1.9864e-7);
}

// By hand, for every scheme: z_2 = z_1 + h (3/2 f(z_1) - 1/2 f(z_0)) with the moved z_1.
TEST(MultistepHistory, SecondStepByHand) {
  const auto instance = catalog::make_problem("001-slider-crank");
  const double h = 0.1;
  for (const char* name : {"forward", "backward", "post", "projection"}) {
    const std::string stabilizer = std::string(name) + ":F=full";
    const auto states = solve(*instance.problem, instance.start,
                              {.integrator = "ab2:start=forward-euler", .stabilizer = stabilizer},
                              {.t_end = 2 * h, .step = h})
                            .states;
    const auto system = build_system(*instance.problem, "index1");
    const auto f = [&](const State& s) {
      Vector rhs(8);
      EXPECT_EQ(system->ode()->rhs(s.t, s.z, rhs), Status::ok);
      return rhs;
    };
    State second = states[1];
    second.t = 2 * h;
    second.z += h * (1.5 * f(states[1]) - 0.5 * f(states[0]));
    Manifold manifold(*instance.problem);
    const auto again = make_stabilizer(stabilizer);
    again->start(manifold);
    again->apply(manifold, second, {states[1], h});
    EXPECT_LT((states[2].z - second.z).cwiseAbs().maxCoeff(), 1e-14) << name;
  }
}

}  // namespace
}  // namespace driftless::tests
