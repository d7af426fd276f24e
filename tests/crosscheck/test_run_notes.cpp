// What a run says of itself where it is far from its tolerances, and only there.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <driftless/catalog/catalog.hpp>

#include "support/model_runs.hpp"

namespace driftless::tests {
namespace {

// Positions drift with index2, and where a constraint turns fast that makes velocities wrong; with a stabilizer they do not.
TEST(RunNotes, WhatDriftDoesToAMotion) {
  const ProblemInstance instance = catalog::make_problem("000-example4");
  const Options options{.t_end = instance.t_end, .rtol = 1e-6, .atol = 1e-6};
  const State exact = *instance.reference.at(instance.t_end);
  for (const char* stabilizer : {"none", "post:F=position"}) {
    const Solution run =
        solve(*instance.problem, instance.start,
              {.formulation = "index2", .integrator = "bdf", .stabilizer = stabilizer}, options);
    ASSERT_TRUE(run.complete()) << run.end_message;
    const bool drifts = std::string(stabilizer) == "none";
    EXPECT_EQ(has_note(run, "make the motion wrong"), drifts) << stabilizer;
    const double error = (run.final.z - exact.z).lpNorm<Eigen::Infinity>();
    if (drifts)
      EXPECT_GT(error, 1e-3);
    else
      EXPECT_LT(error, 1e-3);
  }
}

// A block on a spring of 1e10 N/m that carries 1e6 N: within the tolerance of places, 1e-6 m, it holds an energy of 1 J; the block has a millijoule.
TEST(RunNotes, EnergyThatStiffSpringsHide) {
  const auto block = [](double stiffness) {
    return io::read_model_text(fmt::format(R"(
title = "test"
dimensions = 2
gravity = [0, 0]
[body.block]
at = [0, 0]
mass = 100
inertia = 1
velocity = [0.01, 0]
[joint.guide]
type = "prismatic"
between = ["ground", "block"]
at = [0, 0]
axis = [1, 0]
[force.spring]
type = "spring-damper"
on = "guide.position"
stiffness = {}
)",
                                           stiffness),
                               "block.toml");
  };
  const Solution stiff = run_model(block(1e10), Way::whole, {.t_end = 0.1, .rtol = 1e-4});
  ASSERT_TRUE(stiff.complete()) << stiff.end_message;
  ASSERT_GT(std::abs(stiff.energy->balance), 0.1 * stiff.energy->start);
  EXPECT_TRUE(has_note(stiff, "energy balance"));
  const Solution soft = run_model(block(100), Way::whole, {.t_end = 1, .rtol = 1e-6});
  EXPECT_FALSE(has_note(soft, "energy balance"));
}

}  // namespace
}  // namespace driftless::tests
