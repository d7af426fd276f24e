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

// Regularized multipliers that are held back leave constraints met only nearly: a parallelogram, flat again and again, is hundreds of
// tolerances off then. A pendulum's never need to be.
TEST(RunNotes, MultipliersThatWereHeldBack) {
  const std::pair<const char*, const char*> methods[] = {
      {"trust-region", "dop853"}, {"trust-region", "bdf"}, {"direct-regularization", "dop853"}};
  for (const auto& [formulation, integrator] : methods) {
    const auto solved = [&, f = formulation, i = integrator](const char* problem) {
      const ProblemInstance instance = catalog::make_problem(problem);
      return solve(*instance.problem, instance.start, {.formulation = f, .integrator = i},
                   {.t_end = 0.5, .rtol = 1e-4, .atol = 1e-4});
    };
    EXPECT_TRUE(has_note(solved("parallelogram"), "were held back")) << formulation << ", " << integrator;
    EXPECT_FALSE(has_note(solved("pendulum"), "were held back")) << formulation << ", " << integrator;
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

// What a formulation leaves of g between its steps is no offset of redundant rows, even where there are such rows.
TEST(RunNotes, DriftIsNotTakenForRedundantRowsThatPart) {
  const io::Model twice = io::read_model_text(R"(
title = "test"
gravity = [0, 0, -9.81]
[body.a]
at = [1, 0.3, 0.2]
mass = 1
inertia = [0.1, 0.2, 0.3]
[joint.p]
type = "revolute"
between = ["ground", "a"]
at = [0, 0, 0]
axis = [0.9, -0.3, 0.3]
[joint.again]
type = "revolute"
between = ["ground", "a"]
at = [0, 0, 0]
axis = [0.9, -0.3, 0.3]
)",
                                              "twice.toml");
  for (const Way way : {Way::whole, Way::sparse}) {
    const Solution run = run_model(twice, way, {.t_end = 1},
                                   {.formulation = "ggl", .integrator = "radau5", .stabilizer = "none"});
    ASSERT_TRUE(run.complete()) << name_of(way) << ": " << run.end_message;
    ASSERT_GT(run.drift->position, 1e-9) << name_of(way);
    EXPECT_FALSE(has_note(run, "on the way")) << name_of(way);
    EXPECT_TRUE(has_note(run, "redundant at the start")) << name_of(way);
  }
}

// A third bar on a parallelogram whose pin is off by 1e-7 m sideways: it meets where it was put together, and parts by as much on the way.
TEST(RunNotes, RedundantRowsThatPartOnTheWay) {
  const auto three_bars = [](double off) {
    return io::read_model_text(fmt::format(R"(
title = "test"
dimensions = 2
gravity = [0, -9.81]
[body.a]
from = [0, 0]
to = [0.5, 1]
mass = 1
inertia = 0.1
[body.b]
from = [1, 0]
to = [1.5, 1]
mass = 1
inertia = 0.1
[body.c]
from = [{0}, 0]
to = [2.5, 1]
mass = 1
inertia = 0.1
[body.table]
from = [0.5, 1]
to = [2.5, 1]
mass = 1
inertia = 0.1
[joint.A]
type = "revolute"
between = ["ground", "a"]
at = [0, 0]
[joint.B]
type = "revolute"
between = ["ground", "b"]
at = [1, 0]
[joint.C]
type = "revolute"
between = ["ground", "c"]
at = [{0}, 0]
[joint.At]
type = "revolute"
between = ["a", "table"]
at = [0.5, 1]
[joint.Bt]
type = "revolute"
between = ["b", "table"]
at = [1.5, 1]
[joint.Ct]
type = "revolute"
between = ["c", "table"]
at = [2.5, 1]
)",
                                           2 + off),
                               "bars.toml");
  };
  for (const Way way : {Way::whole, Way::sparse}) {
    const Solution run = run_model(three_bars(1e-7), way, {.t_end = 0.5});
    ASSERT_TRUE(run.complete()) << name_of(way) << ": " << run.end_message;
    EXPECT_GT(run.drift->position, 1e-8) << name_of(way);
    EXPECT_LT(run.drift->position, 5e-7) << name_of(way);
    EXPECT_TRUE(has_note(run, "on the way")) << name_of(way);
    EXPECT_FALSE(has_note(run_model(three_bars(0), way, {.t_end = 0.5}), "on the way")) << name_of(way);
  }
}

}  // namespace
}  // namespace driftless::tests
