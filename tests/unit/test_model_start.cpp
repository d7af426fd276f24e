// How starts are closed, what is said of those that cannot be, and of parameters that make another mechanism instead of another start.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "model_checks.hpp"

namespace driftless {
namespace {

using namespace model_checks;
using std::numbers::pi;

// A four-bar of 1, 2.5, 2.5 over 2, given far from closed: the way to a closed place leads twice round.
const std::string rough_four_bar =
    "title = \"x\"\ndimensions = 2\n[body.crank]\nat = [0, 0]\nmass = 1\ninertia = 1\n"
    "[body.coupler]\nat = [0, 1]\nmass = 1\ninertia = 1\n"
    "[body.rocker]\nat = [2, 0]\nangle = 1.5\nmass = 1\ninertia = 1\n"
    "[joint.A]\ntype = \"revolute\"\nbetween = [\"ground\", \"crank\"]\nat = [0, 0]\n"
    "[joint.B]\ntype = \"revolute\"\nbetween = [\"crank\", \"coupler\"]\na = {at = [1, 0]}\nb = {at = [0, "
    "0]}\n"
    "[joint.C]\ntype = \"revolute\"\nbetween = [\"coupler\", \"rocker\"]\na = {at = [2.5, 0]}\nb = {at = "
    "[2.5, 0]}\n"
    "[joint.D]\ntype = \"revolute\"\nbetween = [\"ground\", \"rocker\"]\nat = [2, 0]\n";

double angle_of(const io::Model& model, const State& state, std::size_t body) {
  return model.mechanism.results().pose(state, model.bodies[body].id).angle;
}

TEST(ModelStart, ClosingAddsNoWholeTurns) {
  const io::Model model =
      io::read_model_text(rough_four_bar + "[drive.motor]\non = \"A.angle\"\nmotion = \"t\"\n", "test.toml");
  const State given = model.mechanism.start(), closed = model.mechanism.assembled(model.closing);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_LE(std::abs(angle_of(model, closed, i) - angle_of(model, given, i)), pi) << model.bodies[i].name;
  // By the triangle of the diagonal from (1, 0) to (2, 0) and two sides of 2.5: a place that is closed.
  const double theta = angle_of(model, closed, 1);
  EXPECT_NEAR(std::cos(theta), 1 / (2 * 2.5), 1e-9);
}

// What is driven or placed farther round stays there.
TEST(ModelStart, TurnsThatAreAskedForStay) {
  const std::string two_turns = "[start]\npositions = {\"A.angle\" = 13}\n";
  const io::Model model = io::read_model_text(rough_four_bar + two_turns, "test.toml");
  EXPECT_NEAR(angle_of(model, model.mechanism.assembled(model.closing), 0), 13, 1e-12);
  const io::Model driven = io::read_model_text(
      rough_four_bar + "[drive.motor]\non = \"A.angle\"\nmotion = \"13 + t\"\n", "test.toml");
  EXPECT_NEAR(angle_of(driven, driven.mechanism.assembled(driven.closing), 0), 13, 1e-12);
}

// With a ratio of 2 one wheel goes round twice as far, however far the other is to go.
TEST(ModelStart, GearsKeepTheirTurns) {
  const std::string gears =
      "title = \"x\"\ndimensions = 2\n[body.small]\nat = [0, 0]\nmass = 1\ninertia = 1\n"
      "[body.large]\nat = [3, 0]\nmass = 1\ninertia = 1\n" +
      pin("A", "ground", "small", "[0, 0]") + pin("B", "ground", "large", "[3, 0]") +
      "[joint.mesh]\ntype = \"gear\"\njoints = [\"A\", \"B\"]\nratio = -2\n[start]\npositions = "
      "{\"A.angle\" = 20}\n";
  const io::Model model = io::read_model_text(gears, "test.toml");
  const State closed = model.mechanism.assembled(model.closing);
  EXPECT_NEAR(angle_of(model, closed, 0), 20, 1e-12);
  EXPECT_NEAR(std::abs(angle_of(model, closed, 1)), 40, 1e-9);
}

// A rod of 0.3 m on a crank of 0.1 m leans by at most asin(1/3) = 0.3398.
TEST(ModelStart, AnUnreachableStartSaysWhatCanBeReached) {
  const ModelCheck check = checked(
      "title = \"x\"\ndimensions = 2\n" + bar("crank", "[0, 0]", "[0.1, 0]", true) +
      bar("rod", "[0.1, 0]", "[0.4, 0]", true) + "[body.piston]\nat = [0.4, 0]\nmass = 1\ninertia = 1e-3\n" +
      pin("shaft", "ground", "crank", "[0, 0]") + pin("pin", "crank", "rod", "[0.1, 0]") +
      pin("wrist", "rod", "piston", "[0.4, 0]") +
      "[joint.cylinder]\ntype = \"prismatic\"\nbetween = [\"ground\", \"piston\"]\nat = [0.4, 0]\n"
      "axis = [1, 0]\n[start]\npositions = {\"wrist.angle\" = 2}\n");
  const Finding* start = found(check, "start");
  ASSERT_TRUE(start) << told(check);
  EXPECT_EQ(start->severity, Severity::error);
  EXPECT_EQ(start->subject, "start of wrist.angle");
  EXPECT_NE(start->text.find("wrist.angle = 2 rad"), std::string::npos) << start->text;
  EXPECT_NE(start->text.find("can be reached is 0.339"), std::string::npos) << start->text;
  EXPECT_EQ(start->text.find("residual"), std::string::npos) << start->text;
  for (const char* joint : {"shaft", "pin", "cylinder"})
    EXPECT_NE(start->text.find(joint), std::string::npos) << start->text;
}

// A bar of 1 m that hangs at the origin reaches no farther than that.
TEST(ModelStart, AnUnreachableStartOfABody) {
  const ModelCheck check = checked(
      "title = \"x\"\ndimensions = 2\n[units]\nlength = \"mm\"\n[body.bob]\nat = "
      "[600, 800]\nmass = 1\ninertia = 1\n" +
      pin("A", "ground", "bob", "[0, 0]") + "[start]\npositions = {\"bob.x\" = 1200}\n");
  const Finding* start = found(check, "start");
  ASSERT_TRUE(start) << told(check);
  EXPECT_NE(start->text.find("bob.x = 1200 mm"), std::string::npos) << start->text;
  EXPECT_NE(start->text.find("can be reached is 1000 mm: there A is in the way"), std::string::npos)
      << start->text;
}

TEST(ModelStart, WhatIsHeldAgainstADriveIsTold) {
  const ModelCheck check = checked(four_bar(true) + "[drive.motor]\non = \"A.angle\"\nmotion = \"0.3\"\n" +
                                   "[start]\nhold = [\"A.angle\"]\n");
  const Finding* start = found(check, "start");
  ASSERT_TRUE(start) << told(check);
  EXPECT_NE(start->text.find("[start] holds A.angle at 0 rad"), std::string::npos) << start->text;
  EXPECT_NE(start->text.find("0.3 rad: there drive motor is in the way"), std::string::npos) << start->text;
}

// Of a parallelogram both cranks turn alike.
TEST(ModelStart, ARateThatCannotBeHadIsTold) {
  const ModelCheck check =
      checked("title = \"x\"\ndimensions = 2\n" + bar("left", "[0, 0]", "[0.4, 1]", true) +
              bar("top", "[0.4, 1]", "[2.4, 1]", true) + bar("right", "[2, 0]", "[2.4, 1]", true) +
              pin("A", "ground", "left", "[0, 0]") + pin("B", "left", "top", "[0.4, 1]") +
              pin("C", "top", "right", "[2.4, 1]") + pin("D", "ground", "right", "[2, 0]") +
              "[start]\nrates = {\"A.angle\" = 3, \"D.angle\" = 5}\n");
  const Finding* start = found(check, "start");
  ASSERT_TRUE(start) << told(check);
  EXPECT_EQ(start->subject, "start of D.angle");
  EXPECT_NE(start->text.find("a rate of D.angle of 5 rad/s"), std::string::npos) << start->text;
  EXPECT_NE(start->text.find("leave is 3 rad/s"), std::string::npos) << start->text;
  EXPECT_EQ(start->text.find("residual"), std::string::npos) << start->text;
}

class SetParameter : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "driftless-set-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  // Two bars, the second hung at a place of the world, or at the end of the first.
  std::string told_of(const std::string& place, const std::string& set) const {
    const std::filesystem::path file = folder_ / "m.toml";
    std::ofstream(file)
        << "title = \"x\"\ndimensions = 2\n[parameters]\nphi = 0\nm = 1\n[body.crank]\nangle = \"phi\"\n"
           "mass = \"m\"\ninertia = 1\n[body.rod]\nat = [0.1, 0]\nmass = 1\ninertia = 1\n" +
               pin("A", "ground", "crank", "[0, 0]") +
               "[joint.B]\ntype = \"revolute\"\nbetween = [\"crank\", \"rod\"]\n" + place;
    return io::moved_by_set(io::read_model(file, {{set, "0.5"}}));
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(SetParameter, ThatMovesABodyAwayFromAJointIsTold) {
  const std::string text = told_of("at = [0.1, 0]\n", "phi");
  EXPECT_NE(text.find("moves crank"), std::string::npos) << text;
  EXPECT_NE(text.find("joint B"), std::string::npos) << text;
  EXPECT_NE(text.find("another mechanism"), std::string::npos) << text;
}

TEST_F(SetParameter, ThatMovesAJointAlongIsNot) {
  EXPECT_EQ(told_of("at = [\"0.1*cos(phi)\", \"0.1*sin(phi)\"]\n", "phi"), "");
  EXPECT_EQ(told_of("a = {at = [0.1, 0]}\nb = {at = [0, 0]}\n", "phi"), "");
  EXPECT_EQ(told_of("at = [0.1, 0]\n", "m"), "") << "a mass moves nothing";
}

}  // namespace
}  // namespace driftless
