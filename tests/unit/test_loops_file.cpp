// What stands beside a robot file, and what names robots have in model files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <driftless/io/model_outputs.hpp>
#include <driftless/io/robot_file.hpp>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

using io::Model;
using io::robot_model_text_of;

const std::string inertial =
    "<inertial><origin xyz='0.5 0 0'/><mass value='2'/><inertia ixx='0.1' iyy='0.2' izz='0.2' ixy='0' "
    "ixz='0' iyz='0'/></inertial>";

std::string link(const std::string& name) {
  return "<link name='" + name + "'>" + inertial + "</link>";
}
std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& type = "continuous", const std::string& more = "<axis xyz='0 1 0'/>") {
  return fmt::format(
      "<joint name='{}' type='{}'><parent link='{}'/><child link='{}'/><origin xyz='1 0 0'/>{}</joint>", name,
      type, parent, child, more);
}
std::string robot(const std::string& inside) {
  return "<robot name='r'><link name='base'/>" + inside + "</robot>";
}

Model model_of(const std::string& text, const std::string& loops = "", const std::string& file = "x.urdf") {
  return io::read_model_text(robot_model_text_of(text, file, {}, loops).text, file);
}
double at_start(const Model& model, const std::string& column) {
  const State start = model.mechanism.assembled(model.closing);
  io::ModelOutputs outputs(model, {column});
  return outputs.row(start)[0];
}

const std::string two = robot(link("a") + link("b") + joint("s", "base", "a") + joint("e", "a", "b"));

// Joints of a tree begin where they are said to, and the others stay as they are.
TEST(LoopsFile, PlacesJointsOfATree) {
  const Model model = model_of(two, "[start]\npositions = {\"s.angle\" = 1}\nrates = {\"e.angle\" = 2}\n");
  EXPECT_NEAR(at_start(model, "s.angle"), 1, 1e-12);
  EXPECT_NEAR(at_start(model, "e.angle"), 0, 1e-10);
  EXPECT_NEAR(at_start(model, "b.x"), 1 + std::cos(1), 1e-12);
  EXPECT_NEAR(at_start(model, "b.z"), -std::sin(1), 1e-12);
  EXPECT_NEAR(at_start(model, "s.angle'"), 0, 1e-10);
  EXPECT_NEAR(at_start(model, "e.angle'"), 2, 1e-10);
}

TEST(LoopsFile, SaysWhetherTheBaseIsFixed) {
  const std::string sdf =
      "<sdf version='1.9'><model name='m'><pose>1 2 3 0 0 0</pose><link name='l'/></model></sdf>";
  EXPECT_EQ(model_of(sdf, "", "x.sdf").joints.size(), 0u);
  EXPECT_EQ(model_of(sdf, "base = \"free\"", "x.sdf").joints.size(), 0u);
  const Model fixed = model_of(sdf, "base = \"fixed\"", "x.sdf");
  ASSERT_EQ(fixed.joints.size(), 1u);
  EXPECT_EQ(fixed.joints[0].type, "fixed");
  EXPECT_NEAR(at_start(fixed, "l.y"), 2, 1e-12);
  const std::string mjcf = "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>";
  EXPECT_TRUE(contains(complaint([&] { model_of(mjcf, "\nbase = \"free\"", "x.xml"); }),
                       "x.loops.toml:2:1: base: MJCF says"));
}

// Links without mass carry joints and forces by their own frames: base is part of the ground, tip of a, turned by Rz(0.3) Ry(1.2).
TEST(LoopsFile, NamesLinksThatBecamePoints) {
  const std::string text =
      robot(link("a") + "<link name='tip'/>" + joint("s", "base", "a") +
            "<joint name='f' type='fixed'><parent link='a'/><child link='tip'/><origin xyz='1 0 0' rpy='0 "
            "1.2 0.3'/></joint>");
  const auto spring = [](const std::string& between, const std::string& b) {
    return fmt::format(
        "[force.k]\ntype = \"spring-damper\"\nbetween = {}\na = {{at = [1, 0, 2]}}\nb = {{at = "
        "{}}}\nstiffness = "
        "10\nrest = 0.5\n[joint.plane]\ntype = \"in-plane\"\nbetween = [\"base\", \"tip\"]\na = {{at = [0, "
        "0, 0], axis = [0, 1, 0]}}\nb = {{at = [0, 0, 0]}}\n",
        between, b);
  };
  const Model by_links = model_of(text, spring("[\"base\", \"tip\"]", "[0.1, 0, 0]"));
  const Model by_bodies = model_of(
      text,
      spring("[\"ground\", \"a\"]", fmt::format("[{}, {}, {}]", 1 + 0.1 * std::cos(0.3) * std::cos(1.2),
                                                0.1 * std::sin(0.3) * std::cos(1.2), -0.1 * std::sin(1.2))));
  const Options options{.t_end = 0.5, .rtol = 1e-10, .atol = 1e-10};
  const auto end = [&](const Model& model) -> Vector {
    return solve(*model.mechanism.problem(), model.mechanism.assembled(model.closing), {}, options).final.q();
  };
  EXPECT_LE((end(by_links) - end(by_bodies)).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_EQ(by_links.joints.back().of, (std::vector<std::string>{"ground", "a"}));
  // And results know where they are.
  EXPECT_NEAR(at_start(by_links, "tip.x"), 2, 1e-12);
  EXPECT_EQ(at_start(by_links, "base.x"), 0);
}

TEST(LoopsFile, HasHeadersAndMayBeginWithAByteOrderMark) {
  EXPECT_TRUE(contains(complaint([&] { model_of(two, "base = \"fixed\"\nrun.t_end = 0.25\n"); }),
                       "x.loops.toml:2:1: run: the tables"));
  EXPECT_EQ(model_of(two, "\xef\xbb\xbf[run]\r\nt_end = 0.25\r\n").run.t_end, 0.25);
  EXPECT_EQ(model_of(two, "[run]\nt_end = 0.25\n[output]\ncolumns = [\"a.x\"]\n").columns,
            std::vector<std::string>{"a.x"});
}

// A name of the file is never given to something else.
TEST(RobotNames, StayWithWhatHasThem) {
  const std::string text = robot(link("arm") + link("b") + link("c") + joint("arm", "base", "arm") +
                                 joint("arm_joint", "arm", "b") + joint("c", "b", "c", "planar"));
  const auto made = robot_model_text_of(text, "x.urdf");
  const Model model = io::read_model_text(made.text, "x.urdf");
  std::map<std::string, std::vector<std::string>> of;
  for (const io::ModelJoint& j : model.joints) of[j.name] = j.of;
  EXPECT_EQ(of["arm_joint"], (std::vector<std::string>{"arm", "b"}));
  EXPECT_EQ(of["arm_joint2"], (std::vector<std::string>{"ground", "arm"}));
  EXPECT_EQ(of["c_joint"], (std::vector<std::string>{"b", "c"}));
  EXPECT_TRUE(std::any_of(made.notes.begin(), made.notes.end(), [](const std::string& note) {
    return note == "joint 'arm' is called 'arm_joint2' here";
  }));
}

TEST(RobotNames, ControlsAreCalledLikeTheirActuators) {
  const Model model = model_of(
      "<mujoco><worldbody><body name='waist'><joint name='waist'/><geom "
      "size='1'/></body></worldbody><actuator>"
      "<motor name='waist' joint='waist'/><motor name='ab:c' joint='waist' gear='2'/><motor name='ab_c' "
      "joint='waist' gear='3'/></actuator></mujoco>",
      "", "x.xml");
  std::vector<std::string> names;
  for (const auto& [name, value] : model.parameters) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"ctrl_waist", "ctrl_ab_c_2", "ctrl_ab_c"}));
}

// What changes no motion is told, and no error in strict reading.
TEST(RobotNotes, StrictReadingIsOfTheMotion) {
  const auto file = [](const std::string& more) {
    return "<mujoco><option timestep='0.01'/><visual/><asset/><worldbody><light/><body><camera/><joint "
           "dampng='1'/>" +
           std::string("<geom size='1'/></body></worldbody>") + more + "</mujoco>";
  };
  const auto notes = robot_model_text_of(file(""), "x.xml").notes;
  const auto told = [&](const std::string& piece) {
    return std::any_of(notes.begin(), notes.end(),
                       [&](const std::string& note) { return contains(note, piece); });
  };
  EXPECT_TRUE(told("left out: cameras and lights (x.xml:1 and 1 more)"));
  EXPECT_TRUE(told("left out: settings of the solver"));
  EXPECT_TRUE(told("not simulated: attribute dampng of <joint>"));
  EXPECT_TRUE(told("(did you mean damping?)"));
  const std::string refusal =
      complaint([&] { robot_model_text_of(file("<tendon/>"), "x.xml", {.strict = true}); });
  EXPECT_TRUE(contains(refusal, "tendons"));
  EXPECT_TRUE(contains(refusal, "dampng"));
  EXPECT_FALSE(contains(refusal, "cameras"));
}

TEST(RobotNotes, NothingThatMoves) {
  EXPECT_TRUE(contains(complaint([&] { model_of("<robot name='r'><link name='base'/></robot>"); }),
                       "x.urdf:1:1: nothing in it has a mass"));
}

}  // namespace
}  // namespace driftless::tests
