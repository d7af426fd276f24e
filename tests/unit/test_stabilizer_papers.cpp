// What stabilizers leave behind where it is known: Examples 2 and 3 of Ascher, Chin, Reich (1992), by theory (the papers'
// numbers: `driftless reproduce 001`); multistep methods see the states that a stabilizer has moved.
#include <gtest/gtest.h>

#include <cmath>

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

// ---- Example 3: Kepler's problem ----

// As a system of order 1 F = full does the same, and there are no velocities to correct alone.
TEST(KeplerTable, OrderOneIsTheSame) {
  const auto first = catalog::make_problem("001-kepler"),
             second = catalog::make_problem("001-kepler", {{"order", "2"}});
  const Method method{.integrator = "rk4", .stabilizer = "post:F=full,invariants=all"},
      as_first_order{.integrator = "rk4", .stabilizer = "post:F=full,invariants=all,time=model"};
  const Options options{.t_end = 5, .step = 0.05};
  const Vector a = solve(*first.problem, first.start, method, options).final.z,
               b = solve(*second.problem, second.start, as_first_order, options).final.z;
  EXPECT_LT((a - b).norm(), 1e-12);
  EXPECT_NE(complaint([&] {
              solve(*first.problem, first.start, {.stabilizer = "post:F=velocity,invariants=energy"},
                    options);
            }).find("a problem of order 1 has none"),
            std::string::npos);
}

// ---- multistep methods ----

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
