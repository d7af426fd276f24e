// Robot files at the command line: run, check, convert, and the flags that go with them.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "program.hpp"

namespace driftless::cli {
namespace {

const std::string robots = std::string(DRIFTLESS_SOURCE_DIR) + "/tests/robots/";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class RobotFiles : public Program {
 protected:
  std::string file(const std::string& name) {
    std::ifstream in(folder() / "work" / name);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
};

TEST_F(RobotFiles, WhatIsConvertedMovesAlike) {
  for (const std::string name : {"delta.urdf", "five_bar.sdf", "biped_leg.xml"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(run({"convert", robots + name, "-o", name + ".toml"}).status, 0);
    EXPECT_EQ(run({"run", name + ".toml", "--t-end", "0.2", "--out", "model_" + name}).status, 0);
    EXPECT_EQ(run({"run", robots + name, "--t-end", "0.2", "--out", "robot_" + name}).status, 0);
    const std::string moved = file("robot_" + name + "/trajectory.csv");
    EXPECT_FALSE(moved.empty());
    EXPECT_EQ(moved, file("model_" + name + "/trajectory.csv"));
  }
}

TEST_F(RobotFiles, WhatIsNotSimulatedIsToldByEveryCommand) {
  const std::string gripper = robots + "gripper.urdf";
  EXPECT_TRUE(contains(run({"run", gripper, "--t-end", "0.1"}).out, "dry friction of joints"));
  EXPECT_TRUE(contains(run({"check", gripper}).out, "dry friction of joints"));
  EXPECT_TRUE(contains(run({"convert", gripper}).out, "dry friction of joints"));
  for (const std::string command : {"run", "check", "convert"}) {
    const auto refused = run({command, gripper, "--strict"});
    EXPECT_EQ(refused.status, 2) << command;
    EXPECT_TRUE(contains(refused.err, "dry friction of joints")) << refused.err;
  }
}

TEST_F(RobotFiles, FlagsThatHaveNoMeaningAreRefused) {
  const auto refusal = [&](std::vector<std::string> words) {
    const auto result = run(std::move(words));
    EXPECT_EQ(result.status, 2);
    return result.err;
  };
  EXPECT_TRUE(contains(refusal({"run", "pendulum", "--strict"}), "--strict is for robot files"));
  EXPECT_TRUE(
      contains(refusal({"run", robots + "gripper.urdf", "--keyframe", "home"}), "--keyframe is of MJCF"));
  EXPECT_TRUE(contains(refusal({"run", robots + "biped_leg.xml", "--keyframe", "hom"}), "hom"));
  EXPECT_TRUE(contains(refusal({"convert", "model.toml"}), "no robot file"));
  EXPECT_TRUE(
      contains(refusal({"convert", robots + "delta.urdf", "--loops", "nowhere.toml"}), "cannot be read"));
}

TEST_F(RobotFiles, FilesAreNotWrittenOver) {
  EXPECT_EQ(run({"convert", robots + "gripper.urdf", "-o", "robot.toml"}).status, 0);
  const std::string before = file("robot.toml");
  const auto refused = run({"convert", robots + "delta.urdf", "-o", "robot.toml"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(contains(refused.err, "the file robot.toml is there already")) << refused.err;
  EXPECT_TRUE(contains(refused.err, "remove it, or name another one with -o")) << refused.err;
  EXPECT_EQ(file("robot.toml"), before);
}

TEST_F(RobotFiles, EndingsSayWhatAFileIs) {
  std::ofstream(folder() / "work" / "robot.txt") << "<robot name='r'/>";
  const auto refused = run({"run", "robot.txt"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(contains(refused.err, "the file robot.txt is not read, by its ending")) << refused.err;
  for (const char* ending : {".toml", ".urdf", ".sdf", ".world", ".xml", ".mjcf"})
    EXPECT_TRUE(contains(refused.err, ending)) << refused.err;
  EXPECT_FALSE(contains(refused.err, "four-bar")) << refused.err;
  EXPECT_TRUE(contains(run({"run", "nowhere.txt"}).err, "there is no problem 'nowhere.txt'"));
  // What is known by name is meant by it, whatever lies there.
  std::ofstream(folder() / "work" / "pendulum") << "";
  EXPECT_EQ(run({"run", "pendulum", "--t-end", "0.1"}).status, 0);
}

// With the keyframe and all that was said when it began; the same bits as of a run that never ended.
TEST_F(RobotFiles, GoOnWhereTheyEnded) {
  const std::string leg = robots + "biped_leg.xml";
  const auto end_of = [&](const Json& result) { return result["final"]["q"]; };
  const Json whole = json({"run", leg, "--keyframe", "crouch", "--t-end", "0.2", "--out", "whole"});
  EXPECT_EQ(run({"run", leg, "--keyframe", "crouch", "--t-end", "0.1", "--out", "first"}).status, 0);
  const Json second = json({"run", "--resume", "first", "--t-end", "0.2", "--out", "second"});
  EXPECT_EQ(end_of(second), end_of(whole));
  EXPECT_NE(end_of(second), end_of(json({"run", leg, "--t-end", "0.2", "--out", "other"})));
}

}  // namespace
}  // namespace driftless::cli
