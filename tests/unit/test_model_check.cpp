// check_model(): freedoms, redundancies, singular starts and starts that cannot be closed, of mechanisms whose theory is known.
#include <gtest/gtest.h>

#include <cmath>

#include "model_checks.hpp"

namespace driftless {
namespace {

using namespace model_checks;

ModelCheck checked_file(const std::string& name,
                        const std::vector<std::pair<std::string, std::string>>& set = {}) {
  return io::check_model(io::read_model(std::string(DRIFTLESS_SOURCE_DIR "/models") + "/" + name, set),
                         by_default);
}

const std::string drive_crank = "[drive.motor]\non = \"A.angle\"\nmotion = \"3*t\"\n";

TEST(ModelCheck, PlanarFourBarHasOneFreedom) {
  const ModelCheck check = checked(four_bar(true));
  EXPECT_EQ(check.counts.velocities, 9);
  EXPECT_EQ(check.counts.rows(), 8);
  EXPECT_EQ(check.freedom.rank, 8);
  EXPECT_EQ(check.freedom.freedoms, 1);
  EXPECT_EQ(check.freedom.configuration, 1);
  EXPECT_TRUE(check.redundant.empty());
  EXPECT_FALSE(check.singular);
  EXPECT_TRUE(check.start.closed);
  EXPECT_FALSE(check.start.moved);
  ASSERT_EQ(check.free.size(), 1u);
  EXPECT_EQ(check.free[0].freedoms, 1);
  EXPECT_EQ(check.free[0].bodies, (Names{"crank", "coupler", "rocker"}));
  EXPECT_TRUE(check.motion.made);
  EXPECT_GE(check.motion.states, 20);
  EXPECT_EQ(check.motion.least_rank, 8);
  EXPECT_EQ(check.motion.largest_rank, 8);
  EXPECT_TRUE(check.findings.empty()) << told(check);
}

// Parallel axes: of each loop the sum of displacements along z and of turns about x and y closes by itself. Whose rows are left out is a matter
// of the order of elimination.
TEST(ModelCheck, FourBarInSpaceHasThreeRedundantRows) {
  const ModelCheck check = checked(four_bar(false));
  EXPECT_EQ(check.counts.rows(), 20);
  EXPECT_EQ(check.freedom.rank, 17);
  EXPECT_EQ(check.freedom.freedoms, 1);
  ASSERT_EQ(check.redundant.size(), 1u);
  EXPECT_EQ(check.redundant[0].owner, "C");
  EXPECT_EQ(check.redundant[0].of, 5);
  EXPECT_EQ(check.redundant[0].rows, (Names{"C, z", "C, tilt about y", "C, tilt about x"}));
  EXPECT_EQ(check.redundant[0].on, (Names{"A", "B", "D"}));
  EXPECT_EQ(check.redundant_rows(), 3);
  EXPECT_FALSE(check.singular);
  EXPECT_EQ(check.motion.least_rank, 17);
  EXPECT_EQ(check.motion.largest_rank, 17);
  EXPECT_FALSE(check.has_errors()) << told(check);
}

TEST(ModelCheck, RedundantRowsAreThoseThatARunNames) {
  const io::Model model = io::read_model_text(four_bar(false), "test.toml");
  const ModelCheck check = io::check_model(model, by_default);
  const auto problem = model.mechanism.problem();
  const Solution run = solve(*problem, model.mechanism.assembled(), Method{}, {.t_end = 0.01});
  ASSERT_EQ(run.notes.size(), 1u);
  EXPECT_TRUE(run.notes[0].starts_with("3 of 20 constraints are redundant")) << run.notes[0];
  for (const std::string& row : check.redundant.at(0).rows)
    EXPECT_NE(run.notes[0].find(row + " depends on"), std::string::npos) << run.notes[0];
}

TEST(ModelCheck, DrivesTakeFreedoms) {
  const ModelCheck check = checked(four_bar(true) + drive_crank);
  EXPECT_EQ(check.freedom.joint_freedoms, 1);
  EXPECT_EQ(check.freedom.driven, 1);
  EXPECT_EQ(check.freedom.freedoms, 0);
  EXPECT_EQ(check.drives, Names{"motor"});
  EXPECT_TRUE(check.free.empty());
  EXPECT_EQ(check.driven, (Names{"crank", "coupler", "rocker"}));
  EXPECT_TRUE(check.locked.empty());
}

// Two drives for one freedom, which agree because both keep still.
TEST(ModelCheck, DrivesThatRepeatEachOtherAreNamed) {
  const std::string second = "[drive.second]\non = \"A.angle\"\nmotion = \"3*t\"\n";
  const ModelCheck check = checked(four_bar(true) + drive_crank + second);
  EXPECT_EQ(check.freedom.driven, 1);
  ASSERT_EQ(check.redundant.size(), 1u);
  EXPECT_EQ(check.redundant[0].owner, "second");
  EXPECT_TRUE(check.redundant[0].drive);
  EXPECT_EQ(check.redundant[0].on, Names{"motor"});
  const Finding* over = found(check, "over-driven");
  ASSERT_TRUE(over);
  EXPECT_EQ(over->severity, Severity::warning);
  EXPECT_EQ(over->subject, "drive second");
  EXPECT_FALSE(check.has_errors()) << told(check);
}

TEST(ModelCheck, DrivesThatContradictEachOtherAreAnError) {
  const std::string second = "[drive.second]\non = \"A.angle\"\nmotion = \"0.2 + 3*t\"\n";
  const ModelCheck check = checked(four_bar(true) + drive_crank + second);
  EXPECT_FALSE(check.start.closed);
  EXPECT_FALSE(check.motion.made);
  const Finding* drives = found(check, "drives");
  ASSERT_TRUE(drives) << told(check);
  EXPECT_EQ(drives->severity, Severity::error);
  EXPECT_NE(drives->text.find("drive motor is in the way"), std::string::npos) << drives->text;
  EXPECT_NE(drives->subject.find("second"), std::string::npos) << drives->subject;
  EXPECT_NE(drives->text.find("0.2 rad"), std::string::npos) << drives->text;  // what it asks for
}

TEST(ModelCheck, DrivesThatContradictEachOtherLaterEndTheMotion) {
  const std::string second = "[drive.second]\non = \"A.angle\"\nmotion = \"3*t + t^2\"\n";
  const ModelCheck check = checked(four_bar(true) + drive_crank + second);
  EXPECT_TRUE(check.has_errors());
}

// A pendulum on a driven crank: 2 freedoms, 1 driven.
TEST(ModelCheck, WhatDrivesLeaveIsTold) {
  const ModelCheck check =
      checked("title = \"x\"\ndimensions = 2\ngravity = [0, -9.81]\n" +
              bar("crank", "[0, 0]", "[1, 0]", true) + bar("pendulum", "[1, 0]", "[1, -1]", true) +
              pin("A", "ground", "crank", "[0, 0]") + pin("B", "crank", "pendulum", "[1, 0]") + drive_crank);
  EXPECT_EQ(check.freedom.joint_freedoms, 2);
  EXPECT_EQ(check.freedom.driven, 1);
  EXPECT_EQ(check.freedom.freedoms, 1);
  ASSERT_EQ(check.free.size(), 1u);
  EXPECT_EQ(check.free[0].bodies, Names{"pendulum"});
  EXPECT_EQ(check.driven, Names{"crank"});
  ASSERT_TRUE(found(check, "under-driven"));
  EXPECT_EQ(found(check, "under-driven")->severity, Severity::note);
}

TEST(ModelCheck, PartsThatDoNotKnowEachOtherAreCountedApart) {
  const ModelCheck check =
      checked("title = \"x\"\ndimensions = 2\n" + bar("left", "[0, 0]", "[1, 0]", true) +
              bar("right", "[5, 0]", "[6, 0]", true) + bar("last", "[6, 0]", "[7, 1]", true) +
              pin("A", "ground", "left", "[0, 0]") + pin("B", "ground", "right", "[5, 0]") +
              pin("C", "right", "last", "[6, 0]"));
  ASSERT_EQ(check.free.size(), 2u);
  EXPECT_EQ(check.free[0].freedoms, 1);
  EXPECT_EQ(check.free[0].bodies, Names{"left"});
  EXPECT_EQ(check.free[1].freedoms, 2);
  EXPECT_EQ(check.free[1].bodies, (Names{"right", "last"}));
}

// A parallelogram with all bars on one line: two motions meet there, rank 7 of 8 rows; 8 beside it.
std::string flat_parallelogram(const std::string& rest) {
  return "title = \"x\"\ndimensions = 2\n" + bar("crank", "[0, 0]", "[1, 0]", true) +
         bar("coupler", "[1, 0]", "[3, 0]", true) + bar("rocker", "[2, 0]", "[3, 0]", true) +
         pin("A", "ground", "crank", "[0, 0]") + pin("B", "crank", "coupler", "[1, 0]") +
         pin("C", "coupler", "rocker", "[3, 0]") + pin("D", "ground", "rocker", "[2, 0]") + rest;
}

TEST(ModelCheck, SingularStartIsToldThoughItIsAtRest) {
  const ModelCheck check = checked(flat_parallelogram(""));
  ASSERT_TRUE(check.singular);
  EXPECT_EQ(check.singular->rank, 7);
  EXPECT_EQ(check.singular->nearby, 8);
  EXPECT_EQ(check.freedom.freedoms, 2);
  EXPECT_TRUE(check.redundant.empty());
  ASSERT_EQ(check.singular->rows.size(), 1u);
  EXPECT_EQ(check.singular->rows[0].owner, "D");
  EXPECT_EQ(check.singular->rows[0].on, (Names{"A", "B", "C"}));
  ASSERT_EQ(check.free.size(), 1u);
  EXPECT_EQ(check.free[0].freedoms, 1);
  ASSERT_TRUE(found(check, "singular-start"));
  EXPECT_EQ(found(check, "singular-start")->severity, Severity::warning);
}

TEST(ModelCheck, SingularStartIsToldThatAMotionLeaves) {
  const ModelCheck check =
      checked(flat_parallelogram("[start]\nrates = {\"A.angle\" = 2, \"D.angle\" = 2}\n"));
  ASSERT_TRUE(check.singular) << told(check);
  EXPECT_EQ(check.singular->rank, 7);
  EXPECT_EQ(check.singular->nearby, 8);
  EXPECT_EQ(check.motion.least_rank, 7);
  EXPECT_EQ(check.motion.largest_rank, 8);
}

// Of three equal bars on a parallelogram each one repeats what the others say.
std::string three_bars() {
  return "title = \"x\"\ndimensions = 2\ngravity = [0, -9.81]\n" + bar("left", "[0, 0]", "[0.4, 1]", true) +
         bar("middle", "[1, 0]", "[1.4, 1]", true) + bar("right", "[2, 0]", "[2.4, 1]", true) +
         bar("top", "[0.4, 1]", "[2.4, 1]", true) + pin("A", "ground", "left", "[0, 0]") +
         pin("B", "ground", "middle", "[1, 0]") + pin("C", "ground", "right", "[2, 0]") +
         pin("D", "left", "top", "[0.4, 1]") + pin("E", "middle", "top", "[1.4, 1]") +
         pin("F", "right", "top", "[2.4, 1]");
}

TEST(ModelCheck, ThirdBarOfAParallelogramIsRedundantEverywhere) {
  const ModelCheck check = checked(three_bars());
  EXPECT_EQ(check.counts.rows(), 12);
  EXPECT_EQ(check.freedom.freedoms, 1);
  EXPECT_EQ(check.redundant_rows(), 1);
  EXPECT_EQ(check.redundant.at(0).owner, "F");
  EXPECT_FALSE(check.singular);
  EXPECT_EQ(check.motion.least_rank, 11);
  EXPECT_EQ(check.motion.largest_rank, 11);
}

// A triangle of two bars and the ground.
TEST(ModelCheck, LockedMechanism) {
  const ModelCheck check = checked("title = \"x\"\ndimensions = 2\n" + bar("a", "[0, 0]", "[1, 1]", true) +
                                   bar("b", "[2, 0]", "[1, 1]", true) + pin("A", "ground", "a", "[0, 0]") +
                                   pin("B", "a", "b", "[1, 1]") + pin("C", "ground", "b", "[2, 0]"));
  EXPECT_EQ(check.freedom.freedoms, 0);
  EXPECT_EQ(check.freedom.driven, 0);
  EXPECT_EQ(check.locked, (Names{"a", "b"}));
  ASSERT_TRUE(found(check, "locked"));
  EXPECT_EQ(found(check, "locked")->severity, Severity::warning);
  EXPECT_FALSE(check.has_errors()) << told(check);
}

// At a dead point the slider stands still, and is not locked.
TEST(ModelCheck, DeadPointLocksNothing) {
  const ModelCheck check = checked(
      "title = \"x\"\ndimensions = 2\n" + bar("crank", "[0, 0]", "[1, 0]", true) +
      bar("rod", "[1, 0]", "[3, 0]", true) + "[body.slider]\nat = [3, 0]\nmass = 1\ninertia = 0.1\n" +
      pin("A", "ground", "crank", "[0, 0]") + pin("B", "crank", "rod", "[1, 0]") +
      pin("C", "rod", "slider", "[3, 0]") +
      "[joint.guide]\ntype = \"prismatic\"\nbetween = [\"ground\", \"slider\"]\nat = [3, 0]\naxis = [1, 0]\n"
      "x = [0, 1]\n");
  EXPECT_EQ(check.freedom.freedoms, 1);
  EXPECT_TRUE(check.locked.empty());
  EXPECT_EQ(check.free.at(0).bodies, (Names{"crank", "rod", "slider"}));
}

// A disc that rolls: 6 velocities, the contact and two rows without slip; 3 freedoms, 5 of configuration.
TEST(ModelCheck, RollingDisc) {
  const ModelCheck check = checked(
      "title = \"x\"\ngravity = [0, 0, -9.81]\n[body.disc]\nmass = 2\ninertia = [0.25, 0.25, 0.5]\nat = [0, "
      "0, 1]\n"
      "axes = {x = [1, 0, 0], y = [0, 0, 1]}\n[joint.floor]\ntype = \"rolling\"\nbetween = [\"ground\", "
      "\"disc\"]\n"
      "a = {at = [0, 0, 0]}\nb = {at = [0, 0, 0]}\nradius = 1\n[start]\nhold = [\"disc.z\"]\n");
  EXPECT_EQ(check.counts.position_rows, 1);
  EXPECT_EQ(check.counts.velocity_rows, 2);
  EXPECT_EQ(check.freedom.freedoms, 3);
  EXPECT_EQ(check.freedom.configuration, 5);
  EXPECT_EQ(check.start.held, Names{"disc.z"});
  EXPECT_FALSE(check.has_errors()) << told(check);
}

TEST(ModelCheck, NoJointsNoGravity) {
  const ModelCheck check = checked("title = \"x\"\n[body.stone]\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n");
  EXPECT_EQ(check.freedom.freedoms, 6);
  EXPECT_EQ(check.counts.rows(), 0);
  const Finding* alone = found(check, "disconnected");
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->severity, Severity::note);
  EXPECT_EQ(alone->subject, "body stone");
}

TEST(ModelCheck, PlanarAndSpatialBodiesTogether) {
  const ModelCheck check = checked(
      "title = \"x\"\n[body.flat]\ndimensions = 2\nmass = 1\ninertia = 0.1\n[body.round]\nmass = 1\n"
      "inertia = [0.1, 0.1, 0.1]\nat = [2, 0, 0]\n" +
      pin("A", "ground", "flat", "[1, 0]") + pin("B", "ground", "round", "[2, 1, 0]", "spherical"));
  EXPECT_EQ(check.counts.velocities, 9);
  EXPECT_EQ(check.freedom.freedoms, 1 + 3);
  EXPECT_EQ(check.free.size(), 2u);
}

TEST(ModelCheck, RoughStartIsClosedAndTold) {
  // The rocker's end is 0.1 m off the coupler's.
  const ModelCheck check =
      checked("title = \"x\"\ndimensions = 2\n" + bar("crank", "[0, 0]", "[0, 1]", true) +
              bar("rocker", "[2, 0]", "[2, 1.5]", true) + pin("A", "ground", "crank", "[0, 0]") +
              pin("D", "ground", "rocker", "[2, 0]") +
              "[joint.bar]\ntype = \"distance\"\nbetween = [\"crank\", \"rocker\"]\na = {at = [0.5, 0]}\nb = "
              "{at = [0.75, 0]}\n"
              "length = 2\n[start]\nhold = [\"A.angle\"]\n");
  EXPECT_TRUE(check.start.closed);
  EXPECT_TRUE(check.start.moved);
  EXPECT_EQ(check.start.held, Names{"A.angle"});
  EXPECT_EQ(check.start.gap.of, "bar, length");
  // d - length with d^2 = 4.25
  EXPECT_NEAR(check.start.gap.value, std::sqrt(4.25) - 2, 1e-12);
  EXPECT_EQ(check.start.turn.of, "rocker");  // the crank is held
  EXPECT_GT(check.start.turn.value, 0.01);
  EXPECT_EQ(check.freedom.freedoms, 1);
}

// Bars of 1 m and 1 m cannot reach over 3 m.
TEST(ModelCheck, ImpossibleAssemblyNamesItsJoints) {
  const ModelCheck check =
      checked("title = \"x\"\ndimensions = 2\n" + bar("left", "[0, 0]", "[1, 0]", true) +
              bar("right", "[2, 0]", "[3, 0]", true) + pin("A", "ground", "left", "[0, 0]") +
              pin("C", "ground", "right", "[3, 0]") +
              "[joint.B]\ntype = \"revolute\"\nbetween = [\"left\", \"right\"]\na = {at = [0.5, 0]}\nb = {at "
              "= [-0.5, 0]}\n");
  EXPECT_FALSE(check.start.closed);
  EXPECT_FALSE(check.motion.made);
  const Finding* open = found(check, "assembly");
  ASSERT_TRUE(open) << told(check);
  EXPECT_EQ(open->severity, Severity::error);
  for (const char* joint : {"A", "B", "C"})
    EXPECT_NE(open->subject.find(joint), std::string::npos) << open->subject;
  // 1 m too short, shared by three joints
  EXPECT_NE(open->text.find("0.3333 m"), std::string::npos) << open->text;
}

TEST(ModelCheck, WhatStartAsksForMayBeImpossible) {
  const ModelCheck check =
      checked(four_bar(true) + "[start]\nhold = [\"A.angle\"]\npositions = {\"D.angle\" = 2}\n");
  EXPECT_FALSE(check.start.closed);
  ASSERT_TRUE(found(check, "start")) << told(check);
  EXPECT_EQ(found(check, "start")->severity, Severity::error);
  EXPECT_EQ(check.freedom.freedoms, 1);  // of the mechanism without it
}

TEST(ModelCheck, FormulaWithoutAValueIsNamed) {
  const ModelCheck check = checked(
      four_bar(true) + "[force.thrust]\ntype = \"actuator\"\non = \"A.angle\"\nforce = \"sqrt(-1 - t)\"\n");
  const Finding* formula = found(check, "formula");
  ASSERT_TRUE(formula) << told(check);
  EXPECT_EQ(formula->severity, Severity::error);
  EXPECT_EQ(formula->subject, "force thrust");
  EXPECT_EQ(check.freedom.freedoms, 1);
}

TEST(ModelCheck, MotionThatEndsEarlyIsAnError) {
  const ModelCheck check = checked(
      four_bar(true) + "[force.thrust]\ntype = \"actuator\"\non = \"A.angle\"\nforce = \"sqrt(0.1 - t)\"\n");
  const Finding* motion = found(check, "motion");
  ASSERT_TRUE(motion) << told(check);
  EXPECT_EQ(motion->severity, Severity::error);
  EXPECT_NE(motion->text.find("force thrust"), std::string::npos) << motion->text;
  EXPECT_FALSE(check.motion.complete);
}

TEST(ModelCheck, MethodThatNeedsIndependentRows) {
  const auto by_state_space = [](const Problem& problem, const State& start, const Options& options) {
    return solve(problem, start, Method{.formulation = "state-space"}, options);
  };
  // A body more: where there are as many rows as velocities state-space refuses before it looks at them.
  const ModelCheck check =
      checked(three_bars() + bar("free", "[9, 0]", "[9, 1]", true) + pin("G", "ground", "free", "[9, 1]"),
              by_state_space);
  EXPECT_TRUE(check.motion.rank_refused) << told(check);
  ASSERT_TRUE(found(check, "method"));
  EXPECT_EQ(found(check, "method")->severity, Severity::error);
  EXPECT_EQ(check.redundant_rows(), 1);
}

TEST(ModelCheck, WithoutAMakerNoMotionIsLookedAt) {
  const ModelCheck check = checked(four_bar(true), {});
  EXPECT_FALSE(check.motion.made);
  EXPECT_EQ(check.freedom.freedoms, 1);
}

TEST(ModelCheck, TwoHundredBodies) {
  std::string text = "title = \"chain\"\ndimensions = 2\ngravity = [0, -9.81]\n";
  for (int i = 0; i < 200; ++i)
    text += bar(fmt::format("b{}", i), fmt::format("[{}, {}]", i, i % 2),
                fmt::format("[{}, {}]", i + 1, (i + 1) % 2), true) +
            pin(fmt::format("j{}", i), i == 0 ? "ground" : fmt::format("b{}", i - 1), fmt::format("b{}", i),
                fmt::format("[{}, {}]", i, i % 2));
  const ModelCheck check = checked(text, {});
  EXPECT_EQ(check.freedom.freedoms, 200);
  EXPECT_EQ(check.free.size(), 1u);
}

TEST(ModelCheck, PublishedModels) {
  const ModelCheck bars = checked_file("four-bar-in-space.toml");
  EXPECT_EQ(bars.freedom.freedoms, 1);
  EXPECT_EQ(bars.redundant_rows(), 3);
  EXPECT_EQ(bars.redundant.at(0).owner, "C");
  EXPECT_EQ(bars.redundant.at(0).on, (Names{"A", "B", "D"}));

  EXPECT_EQ(checked_file("stewart-platform.toml").freedom.joint_freedoms, 6);

  const ModelCheck leg = checked_file("jansen.toml");
  EXPECT_EQ(leg.freedom.joint_freedoms, 1);
  EXPECT_EQ(leg.freedom.driven, 1);
  EXPECT_EQ(leg.freedom.freedoms, 0);

  const ModelCheck lift = checked_file("scissor-lift.toml");
  EXPECT_EQ(lift.freedom.joint_freedoms, 1);
  EXPECT_GT(lift.redundant_rows(), 0);
  EXPECT_FALSE(lift.has_errors()) << told(lift);
}

}  // namespace
}  // namespace driftless
