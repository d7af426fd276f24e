// Which rows count: the same for a mechanism whatever its size, masses, and the way its rows are kept, and right beside singular configurations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <driftless/io/model_check.hpp>

#include "support/model_runs.hpp"

namespace driftless::tests {
namespace {

constexpr Way ways[] = {Way::whole, Way::sparse, Way::relative};

// A compound pendulum and its twin of size L under gravity 9.81 L move alike.
io::Model pendulum(double L) {
  return io::read_model_text(fmt::format(R"(
title = "test"
dimensions = 2
gravity = [0, {}]
[body.rod]
at = [{}, {}]
mass = 1
inertia = {}
[joint.pivot]
type = "revolute"
between = ["ground", "rod"]
at = [0, 0]
)",
                                         -9.81 * L, L, L, L * L),
                             "pendulum.toml");
}

TEST(RankDecisions, AMechanismOfEverySizeMovesAlike) {
  const Options options{.t_end = 2, .rtol = 1e-9, .atol = 1e-9};
  const double angle = run_model(pendulum(1), Way::relative, options).final.q()(2);
  for (const double L : {1e-4, 1e-2, 1e3, 1e5, 1e7, 1e9})
    for (const Way way : ways) {
      Options own = options;
      own.atol = 1e-9 * std::min(1.0, L);
      const Solution run = run_model(pendulum(L), way, own);
      ASSERT_TRUE(run.complete()) << L << ", " << name_of(way) << ": " << run.end_message;
      EXPECT_NEAR(run.final.q()(2), angle, 1e-7) << L << ", " << name_of(way);
      EXPECT_NEAR(run.final.q().head(2).norm() / L, std::sqrt(2.0), 1e-7) << L << ", " << name_of(way);
      EXPECT_FALSE(has_note(run, "redundant")) << L << ", " << name_of(way);
    }
}

// Light bodies between heavy ones: with the mass matrix as a metric rows come within 1e-5 of each other that are far from dependent.
TEST(RankDecisions, MassesHaveNoPartInThem) {
  const io::Model model = io::read_model(test_model("wide-masses"));
  const Options options{.t_end = 1, .rtol = 1e-8, .atol = 1e-8};
  const Solution relative = run_model(model, Way::relative, options);
  for (const Way way : {Way::whole, Way::sparse}) {
    const Solution run = run_model(model, way, options);
    ASSERT_TRUE(run.complete()) << name_of(way) << ": " << run.end_message;
    // A hundred tolerances; where a row was taken for dependent it was 3e-2.
    EXPECT_LT(std::abs(run.energy->balance), 1e-6 * std::abs(run.energy->start)) << name_of(way);
    EXPECT_LT((run.final.q() - relative.final.q()).lpNorm<Eigen::Infinity>(), 1e-5) << name_of(way);
  }
}

// Two bars in line but for a sag s, between two pins: they cannot move, whatever s is.
io::Model arch(double s, const std::string& gravity = "[0, -9.81]", const char* beside = "") {
  return io::read_model_text(fmt::format(R"(
title = "test"
dimensions = 2
gravity = {1}
{2}
[body.a]
from = [0, 0]
to = [1, {0}]
mass = 1
inertia = 0.0833
[body.c]
from = [1, {0}]
to = [2, 0]
mass = 1
inertia = 0.0833
[joint.A]
type = "revolute"
between = ["ground", "a"]
at = [0, 0]
[joint.B]
type = "revolute"
between = ["a", "c"]
at = [1, {0}]
[joint.C]
type = "revolute"
between = ["ground", "c"]
at = [2, 0]
)",
                                         s, gravity, beside),
                             "arch.toml");
}

// A parallelogram folded flat: a change point, from which it may go on as a parallelogram or crossed. The cranks
// turn at the rates given.
io::Model flat_parallelogram(double left = 0, double right = 0) {
  return io::read_model_text(
      fmt::format(R"(
title = "test"
dimensions = 2
gravity = [0, -9.81]
[body.left]
from = [0, 0]
to = [1, 0]
mass = 1
inertia = 0.1
velocity = [0, {0}]
spin = {1}
[body.coupler]
from = [1, 0]
to = [3, 0]
mass = 1
inertia = 0.1
velocity = [0, {2}]
spin = {3}
[body.right]
from = [2, 0]
to = [3, 0]
mass = 1
inertia = 0.1
velocity = [0, {4}]
spin = {5}
[joint.A]
type = "revolute"
between = ["ground", "left"]
at = [0, 0]
[joint.B]
type = "revolute"
between = ["left", "coupler"]
at = [1, 0]
[joint.C]
type = "revolute"
between = ["coupler", "right"]
at = [3, 0]
[joint.D]
type = "revolute"
between = ["ground", "right"]
at = [2, 0]
)",
                  left / 2, left, (left + right) / 2, (right - left) / 2, right / 2, right),
      "parallelogram.toml");
}

TEST(RankDecisions, AnArchThatIsNearlyStretchedStands) {
  for (const double s : {1e-2, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9})
    for (const Way way : {Way::whole, Way::sparse}) {
      const Solution run = run_model(arch(s), way, {.t_end = 1});
      ASSERT_TRUE(run.complete()) << s << ", " << name_of(way) << ": " << run.end_message;
      EXPECT_NEAR(run.final.q()(2), std::atan(s), 1e-5) << s << ", " << name_of(way);
    }
}

// Two bars stretched between two pins: displacements to first order, and no motion.
TEST(RankDecisions, AStretchedArchCannotMove) {
  for (const Way way : {Way::whole, Way::sparse}) {
    const Solution run = run_model(arch(0), way, {.t_end = 1});
    EXPECT_EQ(run.end, EndReason::lock_up) << name_of(way);
    EXPECT_NE(run.end_message.find("cannot move"), std::string::npos)
        << name_of(way) << ": " << run.end_message;
    EXPECT_EQ(run.work.steps, 0) << name_of(way);
  }
}

// What hangs on the ground beside the arch does not make it free; and where nothing pushes the arch, it rests.
TEST(RankDecisions, AStretchedArchBesideAPendulum) {
  const auto beside = [](const char* gravity) {
    return arch(0, gravity, R"(
[body.bob]
at = [5, 0.5]
mass = 1
inertia = 0.1
spin = 1
[joint.P]
type = "revolute"
between = ["ground", "bob"]
at = [5, 0]
)");
  };
  for (const Way way : {Way::whole, Way::sparse}) {
    const Solution loaded = run_model(beside("[0, -9.81]"), way, {.t_end = 1});
    EXPECT_TRUE(has_note(loaded, "a part of the mechanism can hardly move")) << name_of(way);
    const Solution free = run_model(beside("[0, 0]"), way, {.t_end = 1});
    ASSERT_TRUE(free.complete()) << name_of(way) << ": " << free.end_message;
    EXPECT_LT(std::abs(free.final.q()(4)) + std::abs(free.final.q()(7)), 1e-9) << name_of(way);
    EXPECT_TRUE(has_note(free, "move there")) << name_of(way);
  }
}

// Where constraints are dependent at the start alone, roundoff decides between motions, and the run says so.
TEST(RankDecisions, ASingularStartIsNamed) {
  for (const Way way : {Way::whole, Way::sparse}) {
    const Solution run = run_model(flat_parallelogram(), way, {.t_end = 1e-3});
    EXPECT_TRUE(has_note(run, "roundoff decides")) << name_of(way);
    EXPECT_FALSE(has_note(run, "redundant")) << name_of(way);
  }
}

// To second order the rates w1 and w2 of the cranks obey w1^2 - w2^2 = -(w2 - w1)^2 / 2 there: w2 = w1 of the
// parallelogram and w2 = -3 w1 of the crossed one. Others satisfy the constraints to first order only.
TEST(RankDecisions, VelocitiesAtASingularStartBelongToOneMotion) {
  for (const Way way : {Way::whole, Way::sparse}) {
    for (const double right : {1.0, -3.0}) {
      const Solution run = run_model(flat_parallelogram(1, right), way, {.t_end = 0.1, .rtol = 1e-8});
      ASSERT_TRUE(run.complete()) << name_of(way) << ", " << right << ": " << run.end_message;
      // Right at the place rows are dependent up to roundoff, which is left in the velocities as its square root.
      EXPECT_LT(std::abs(run.energy->balance), 1e-4 * std::abs(run.energy->start))
          << name_of(way) << ", " << right;
      const bool crossed = std::abs(run.final.q()(8) - run.final.q()(2)) > 1e-3;
      EXPECT_EQ(crossed, right < 0) << name_of(way);
    }
    for (const double right : {0.0, -1.0, 0.9}) try {
        run_model(flat_parallelogram(1, right), way, {.t_end = 0.1});
        ADD_FAILURE() << name_of(way) << ", " << right;
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("belong to none of them"), std::string::npos)
            << error.what();
      }
  }
}

// Bars of length 1 between pins 2 - 1e-4 apart, given in line: they close up or down, by the law of cosines.
TEST(RankDecisions, AnArchGivenInLineClosesToSecondOrder) {
  constexpr double gap = 1e-4;
  const io::Model model = io::read_model_text(fmt::format(R"(
title = "test"
dimensions = 2
[body.a]
at = [0.5, 0]
mass = 1
inertia = 0.0833
[body.c]
at = [1.5, 0]
mass = 1
inertia = 0.0833
[joint.A]
type = "revolute"
between = ["ground", "a"]
a = {{at = [0, 0]}}
b = {{at = [-0.5, 0]}}
[joint.B]
type = "revolute"
between = ["a", "c"]
a = {{at = [0.5, 0]}}
b = {{at = [-0.5, 0]}}
[joint.C]
type = "revolute"
between = ["ground", "c"]
a = {{at = [{}, 0]}}
b = {{at = [0.5, 0]}}
)",
                                                          2 - gap),
                                              "arch.toml");
  const double angle = std::acos((2 - gap) / 2);
  for (const Way way : {Way::whole, Way::sparse}) {
    const Solution run = run_model(model, way, {.t_end = 1});
    ASSERT_TRUE(run.complete()) << name_of(way) << ": " << run.end_message;
    EXPECT_NEAR(std::abs(run.final.q()(2)), angle, 1e-6) << name_of(way);
    EXPECT_NEAR(run.final.q()(2) + run.final.q()(5), 0, 1e-6) << name_of(way);
    const auto problem =
        mechanics::make_problem(model.mechanism.finished(), way == Way::sparse ? mechanics::Matrices::sparse
                                                                               : mechanics::Matrices::whole);
    const std::string choice = consistent_state(*problem, model.mechanism.start()).choice;
    EXPECT_NE(choice.find("closes in several ways"), std::string::npos) << name_of(way) << ": " << choice;
  }
  // Who reads the file with the program is told, too.
  const std::vector<io::Finding> findings = io::quick_findings(model);
  EXPECT_TRUE(std::any_of(findings.begin(), findings.end(),
                          [](const io::Finding& one) { return one.kind == "several-ways"; }));
}

// The redundant row of a rigid triangle is no particular one: those that are watched may lose rank, the mechanism does not.
TEST(RankDecisions, ARigidTriangleLosesNoRank) {
  const io::Model model = io::read_model(test_model("rigid-triangle"));
  for (const Way way : ways) {
    const Solution run = run_model(model, way, {.t_end = 5, .rtol = 1e-8, .atol = 1e-8});
    ASSERT_TRUE(run.complete()) << name_of(way) << ": " << run.end_message;
    EXPECT_TRUE(run.singularities.empty()) << name_of(way);
    EXPECT_LT(std::abs(run.energy->balance), 1e-4) << name_of(way);
    EXPECT_TRUE(has_note(run, "redundant at the start")) << name_of(way);
  }
}

TEST(RankDecisions, RedundantRowsDoNotContradictEachOther) {
  const io::Model model = io::read_model(test_model("rigid-triangle-in-a-tree"));
  for (const double rtol : {1e-6, 1e-8}) {
    const Solution run = run_model(model, Way::sparse, {.t_end = 0.5, .rtol = rtol, .atol = rtol});
    ASSERT_TRUE(run.complete()) << rtol << ": " << run.end_message;
    EXPECT_LT(std::abs(run.energy->balance), 1e3 * rtol * std::abs(run.energy->start)) << rtol;
  }
}

// Rounded coordinates: rows that planar linkages with spatial joints have too many are off by what they round.
TEST(RankDecisions, RedundantRowsMayBeOffByRounding) {
  for (const char* miss : {"1e-10", "1e-8", "1e-6"})
    for (const Way way : ways) {
      const io::Model model = io::read_model(test_model("offset-four-bar"), {{"miss", miss}});
      const Solution run = run_model(model, way, {.t_end = 2});
      ASSERT_TRUE(run.complete()) << miss << ", " << name_of(way) << ": " << run.end_message;
      // Trees leave out rows that they meet to 1e-9 by themselves.
      const bool asked = way != Way::relative || std::stod(miss) > 1e-9;
      EXPECT_TRUE(!asked || has_note(run, "assembly tolerance")) << miss << ", " << name_of(way);
      EXPECT_LE(run.drift->position, 1.1 * std::stod(miss)) << name_of(way);
    }
  const io::Model apart = io::read_model(test_model("offset-four-bar"), {{"miss", "1e-4"}});
  EXPECT_TRUE(contains(complaint([&] { run_model(apart, Way::whole, {.t_end = 2}); }), "contradict"));
}

// One row of a ball joint is redundant, and which one that may be changes as the triangle tumbles: a row that is left out where it should count
// leaves the others nearly dependent, and their offset, 3e-9 of the size, was magnified into a contradiction.
TEST(RankDecisions, OffsetsAreNotMagnified) {
  const Options options{.t_end = 1.9};
  const io::Model model = io::read_model(test_model("rounded-triangle"));
  const Solution relative = run_model(model, Way::relative, options);
  for (const Way way : {Way::whole, Way::sparse}) {
    const Solution run = run_model(model, way, options);
    ASSERT_TRUE(run.complete()) << name_of(way) << ": " << run.end_message;
    EXPECT_LT((run.final.q() - relative.final.q()).lpNorm<Eigen::Infinity>(), 1e-3) << name_of(way);
    EXPECT_LT(run.drift->position, 1e-6) << name_of(way);
    EXPECT_TRUE(has_note(run, "do not quite meet")) << name_of(way);
  }
}

// Closing by hand: a bar between points that meet has no direction to push along.
TEST(RankDecisions, ABarOfNoLengthIsRefused) {
  const auto read = [](double gap) {
    return complaint([&] {
      io::read_model_text(fmt::format(R"(
title = "test"
dimensions = 2
[body.a]
at = [1, 0]
mass = 1
inertia = 1
[joint.bar]
type = "distance"
between = ["ground", "a"]
a = {{at = [0, 0]}}
b = {{at = [{}, 0]}}
)",
                                      -1 + gap),
                          "bar.toml");
    });
  };
  EXPECT_TRUE(contains(read(1e-12), "no direction")) << read(1e-12);
  EXPECT_EQ(read(1e-3), "(no complaint)");
}

}  // namespace
}  // namespace driftless::tests
