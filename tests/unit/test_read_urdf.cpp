// URDF files: what becomes of links, joints and mimics; loops beside them; what is refused and what is told.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include <driftless/io/model_outputs.hpp>
#include <driftless/io/robot_file.hpp>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

using io::Model;
using io::RobotText;

const std::filesystem::path robots = std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "tests/robots";

Model model_of(const std::string& text, const std::string& loops = "") {
  const RobotText made = io::robot_model_text_of(text, "robot.urdf", {}, loops);
  return io::read_model_text(made.text, "robot.toml");
}

Solution run(const Model& model, double t_end) {
  const Solution s = solve(*model.mechanism.problem(), model.mechanism.assembled(model.closing), {},
                           {.t_end = t_end, .rtol = 1e-9, .atol = 1e-9});
  EXPECT_TRUE(s.complete()) << s.end_message;
  return s;
}

double value(const Model& model, const State& state, const std::string& column) {
  io::ModelOutputs outputs(model, {column});
  return outputs.row(state).front();
}

std::string faults_of(const std::string& text, const std::string& loops = "") {
  try {
    model_of(text, loops);
  } catch (const io::ModelError& error) {
    return error.what();
  }
  return "";
}

const std::string inertial =
    R"(<inertial><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.3"/></inertial>)";
std::string robot(const std::string& inside) {
  return "<robot name=\"r\">\n<link name=\"a\">" + inertial + "</link>\n<link name=\"b\">" + inertial +
         "</link>\n" + inside + "\n</robot>\n";
}
const std::string hinge =
    R"(<joint name="h" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>)";
// From link a.
std::string joint(const std::string& name, const std::string& type, const std::string& child,
                  const std::string& inside) {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"a\"/><child link=\"" + child +
         "\"/>" + inside + "</joint>";
}

bool told(const std::vector<std::string>& notes, const std::string& piece) {
  for (const std::string& note : notes)
    if (contains(note, piece)) return true;
  return false;
}

// Roll, pitch and yaw are turns about fixed axes; inertias stand along the axes of <inertial>'s own origin.
TEST(ReadUrdf, PlacesAndInertias) {
  const Model model = model_of(R"(<robot name="r">
<link name="a"><inertial><origin xyz="0.1 0.2 0.3" rpy="0 0 1.5707963267948966"/><mass value="2"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.3"/></inertial></link>
<link name="w"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="j" type="revolute"><parent link="w"/><child link="a"/><origin xyz="1 2 3" rpy="1.5707963267948966 0 1.5707963267948966"/><axis xyz="0 0 2"/></joint>
</robot>)");
  const State start = model.mechanism.assembled(model.closing);
  EXPECT_NEAR(value(model, start, "a.x"), 1, 1e-15);
  EXPECT_NEAR(value(model, start, "a.z"), 3, 1e-15);
  // Rz(90) Rx(90): x to y, y to z, z to x; the quaternion of a third of a turn about (1, 1, 1).
  for (const char* entry : {"a.p0", "a.p1", "a.p2", "a.p3"})
    EXPECT_NEAR(value(model, start, entry), 0.5, 1e-15) << entry;
  // A quarter of a turn about z exchanges the first two moments.
  const auto bodies = model.mechanism.finished().bodies;
  EXPECT_NEAR(bodies[1].inertia.x.x, 0.2, 1e-15);
  EXPECT_NEAR(bodies[1].inertia.y.y, 0.1, 1e-15);
  EXPECT_NEAR(bodies[1].inertia.z.z, 0.3, 1e-15);
  EXPECT_NEAR(model.bodies[0].center.y, 0.2, 1e-15);
}

// Small swings of a pendulum have a period that everybody knows.
TEST(ReadUrdf, PendulumHasItsPeriod) {
  const Model model = model_of(R"(<robot name="p"><link name="base"/>
<link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="1.2"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.001"/></inertial></link>
<joint name="pivot" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint></robot>)",
                               "[start]\npositions = {\"pivot.angle\" = 1e-4}\n");
  const double period = 2 * std::numbers::pi * std::sqrt((0.1 + 1.2 * 0.25) / (1.2 * 9.81 * 0.5));
  // A quarter of it later it hangs straight down.
  EXPECT_NEAR(value(model, run(model, period / 4).final, "pivot.angle"), 0, 1e-8);
}

TEST(ReadUrdf, MimicsAreCouplings) {
  const Model model = io::read_robot(robots / "gripper.urdf");
  const Solution s = run(model, 1);
  const auto at_end = [&](const std::string& column) { return value(model, s.final, column); };
  EXPECT_GT(std::abs(at_end("slide.position")), 0.1);
  EXPECT_GT(std::abs(at_end("left_hinge.angle")), 0.01);
  EXPECT_NEAR(at_end("right_hinge.angle"), 0.1 - at_end("left_hinge.angle"), 1e-8);
  EXPECT_NEAR(at_end("thumb_hinge.angle"), 3 * at_end("slide.position"), 1e-8);
  bool friction = false, limits = false;
  for (const std::string& note : model.notes) {
    friction = friction || note.find("dry friction") != std::string::npos;
    limits = limits || note.find("limits of joints") != std::string::npos;
  }
  EXPECT_TRUE(friction);
  EXPECT_TRUE(limits);
}

// Leaders before their followers, in whatever order the file has them: jb = 2 ja + 0.5, jc = 3 jb + 0.1.
TEST(ReadUrdf, MimicsOfMimicsStartTogether) {
  const Model model =
      model_of(robot("<link name=\"c\">" + inertial + "</link><link name=\"d\">" + inertial + "</link>" +
                     joint("jc", "prismatic", "d", "<mimic joint=\"jb\" multiplier=\"3\" offset=\"0.1\"/>") +
                     joint("jb", "revolute", "c", "<mimic joint=\"ja\" multiplier=\"2\" offset=\"0.5\"/>") +
                     joint("ja", "revolute", "b", "")));
  const State start = model.mechanism.assembled(model.closing);
  EXPECT_NEAR(value(model, start, "ja.angle"), 0, 1e-12);
  EXPECT_NEAR(value(model, start, "jb.angle"), 0.5, 1e-12);
  EXPECT_NEAR(value(model, start, "jc.position"), 1.6, 1e-12);
}

// Of any length; about z by a quarter of a turn.
TEST(ReadUrdf, OriginsWithQuaternions) {
  const Model model =
      model_of(robot(joint("j", "revolute", "b", R"(<origin xyz="1 2 3" quat_xyzw="0 0 1.5 1.5"/>)")));
  const State start = model.mechanism.assembled(model.closing);
  EXPECT_NEAR(value(model, start, "b.y"), 2, 1e-15);
  EXPECT_NEAR(value(model, start, "b.p0"), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(value(model, start, "b.p1"), 0, 1e-15);
  EXPECT_NEAR(value(model, start, "b.p2"), 0, 1e-15);
  EXPECT_NEAR(value(model, start, "b.p3"), std::sqrt(0.5), 1e-15);
}

// A body of m = 2 kg falls with the drag c v:  z = -(m g/c) (t - m/c (1 - exp(-c t/m))).
TEST(ReadUrdf, DampingOfFloatingJoints) {
  const Model model = model_of(robot(joint("j", "floating", "b", "<dynamics damping=\"5\"/>")));
  const double m = 2, c = 5;
  EXPECT_NEAR(value(model, run(model, 1).final, "b.z"),
              -(m * 9.81 / c) * (1 - m / c * (1 - std::exp(-c / m))), 1e-7);
  const RobotText fixed =
      io::robot_model_text_of(robot(joint("j", "fixed", "b", "<dynamics damping=\"5\"/>")), "robot.urdf");
  EXPECT_FALSE(contains(fixed.text, "[force")) << fixed.text;
}

TEST(ReadUrdf, VisualsAreDrawnOrTold) {
  const auto visual = [](const std::string& inside) {
    return "<visual><geometry>" + inside + "</geometry></visual>";
  };
  const RobotText made = io::robot_model_text_of(
      "<robot name=\"r\"><link name=\"a\"/><link name=\"b\">" + inertial + "\n" +
          visual("<capsule radius=\"0.1\" length=\"0.5\"/>") + visual("<box size=\"1 2 3\"/>") + "\n" +
          visual("<box size=\"1 0 3\"/>") + visual("<sphere radius=\"-1\"/>") +
          visual("<cylinder radius=\"1\" length=\"0\"/>") + visual("<capsule radius=\"1\"/>") + "\n" +
          visual("<mesh filename=\"m.stl\"/>") + visual("<ellipsoid radii=\"1 2 3\"/>") + visual("") +
          "</link>" + hinge + "</robot>",
      "robot.urdf");
  EXPECT_TRUE(contains(made.text, "{type = \"capsule\", radius = 0.1, length = 0.5}")) << made.text;
  EXPECT_TRUE(contains(made.text, "{type = \"box\", size = [1, 2, 3]}")) << made.text;
  for (const char* never : {"\"sphere\"", "\"cylinder\"", "[1, 0, 3]"})
    EXPECT_FALSE(contains(made.text, never)) << never;
  for (const char* piece :
       {"shapes without size (robot.urdf:3 and 3 more): these parts are not drawn",
        "meshes of visuals (robot.urdf:4): these", "<ellipsoid> of visuals (robot.urdf:4): these",
        "visuals without a shape (robot.urdf:4): these"})
    EXPECT_TRUE(told(made.notes, piece)) << piece;
  EXPECT_FALSE(told(made.notes, "not known here"));
}

// A = B = 1, C = 50: as they stand in the file; and of a turned one the principal moments 1, 1 -+ 2.
TEST(ReadUrdf, InertiasThatNoBodyHas) {
  const auto with = [](const std::string& type, const std::string& inertia, const char* mass = "1") {
    return robot("<link name=\"c\"><inertial><mass value=\"" + std::string(mass) + "\"/><inertia " + inertia +
                 "/></inertial></link>\n" + hinge + joint("k", type, "c", ""));
  };
  const std::string slim = R"(ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="50")",
                    negative = R"(ixx="1" ixy="2" ixz="0" iyy="1" iyz="0" izz="1")",
                    none = R"(ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0")";
  for (const char* type : {"revolute", "fixed"}) {
    EXPECT_TRUE(told(io::robot_model_text_of(with(type, slim), "robot.urdf").notes,
                     "link 'c': no body has moments of inertia 1, 1 and 50 (two of them together are never "
                     "less than the third); they are used as they are"));
    const std::string refused = faults_of(with(type, negative));
    EXPECT_TRUE(contains(refused, "robot.urdf:4")) << refused;
    EXPECT_TRUE(contains(refused,
                         "'c'>: its principal moments of inertia are -1, 1 and 3 (none may be "
                         "negative); correct them"))
        << refused;
  }
  EXPECT_TRUE(contains(faults_of(with("revolute", none)), "its inertia is not positive"));
  EXPECT_EQ(faults_of(with("fixed", none)), "");
  EXPECT_EQ(faults_of(with("fixed", negative, "0")), "");
  EXPECT_FALSE(told(io::robot_model_text_of(robot(hinge), "robot.urdf").notes, "no body has"));
}

TEST(ReadUrdf, MacrosHaveToBeExpanded) {
  const auto expect = [](const std::string& text, const std::string& where, const std::string& words) {
    try {
      model_of(text);
      ADD_FAILURE() << text;
    } catch (const io::ModelError& error) {
      EXPECT_EQ(error.faults().size(), 1u) << error.what();
      EXPECT_TRUE(contains(error.what(), where)) << error.what();
      EXPECT_TRUE(contains(error.what(), "this file has macros of xacro (" + words +
                                             "): expand them first: xacro robot.urdf > NEW.urdf"))
          << error.what();
    }
  };
  expect(robot(hinge + "\n<xacro:include filename=\"x.xacro\"/>\n<xacro:wheel/>"), "robot.urdf:5",
         "<xacro:include> in line 5");
  expect(robot("<material name=\"m\"><color rgba=\"${red} 0 0 1\"/></material>\n" +
               joint("j", "revolute", "b", "\n<origin xyz=\"0 0 ${h}\"/>")),
         "robot.urdf:4", "rgba=\"${red} 0 0 1\" in line 4");
  expect(robot(hinge + "<link name=\"c\"><visual><geometry><mesh filename=\"$(find p)/m.stl\"/></geometry>"
                       "</visual></link>"),
         "robot.urdf:4", "filename=\"$(find p)/m.stl\" in line 4");
  // What xacro leaves in the files that it makes, and a $ that means nothing.
  EXPECT_EQ(faults_of("<robot name=\"$r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\"><link name=\"a\"/>"
                      "<link name=\"b\">" +
                      inertial + "</link>" + joint("cost_$", "revolute", "b", "") + "</robot>"),
            "");
}

// Three degrees of freedom, drift and energy as of native models; where the tool is, by geometry.
TEST(ReadUrdf, DeltaRobotKeepsItsLoops) {
  const Model model = io::read_robot(robots / "delta.urdf");
  const State start = model.mechanism.assembled(model.closing);
  EXPECT_NEAR(value(model, start, "tool.x"), 0, 1e-12);
  EXPECT_NEAR(value(model, start, "tool.y"), 0, 1e-12);
  EXPECT_NEAR(value(model, start, "tool.z"), -0.5002136075588738 - 0.02, 1e-12);
  const Solution s = run(model, 0.5);
  ASSERT_TRUE(s.energy.has_value());
  EXPECT_NEAR(s.energy->end - s.energy->start, s.energy->work, 1e-6);
  EXPECT_LT(value(model, s.final, "drift.position"), 1e-9);
  EXPECT_LT(value(model, s.final, "tool.z"), -0.53);
  // The rods are 0.6 long: from where the arm ends to where the platform carries them.
  EXPECT_NEAR(value(model, s.final, "platform.p1"), 0, 0.05);
}

TEST(ReadUrdf, LightLinksBecomePoints) {
  const Model model = io::read_robot(robots / "delta.urdf");
  ASSERT_EQ(model.points.size(), 2u);
  EXPECT_EQ(model.points[0].name, "base");
  EXPECT_EQ(model.points[0].body.index, 0);  // part of the ground
  EXPECT_EQ(model.points[1].name, "tool");
  for (const io::ModelBody& body : model.bodies) EXPECT_NE(body.name, "base");
}

TEST(ReadUrdf, BaseIsFixedUnlessSetFree) {
  const Model fixed = model_of(robot(hinge)),
              free = model_of(robot(hinge), "base = \"free\"\ngravity = [0, 0, -1]\n");
  EXPECT_NEAR(value(fixed, run(fixed, 1).final, "a.z"), 0, 1e-9);
  EXPECT_NEAR(value(free, run(free, 1).final, "a.z"), -0.5, 1e-9);
}

TEST(ReadUrdf, FaultsHaveLinesAndWords) {
  const auto expect = [](const std::string& text, const std::string& where, const std::string& words) {
    const std::string told = faults_of(text);
    EXPECT_NE(told.find(where), std::string::npos) << told;
    EXPECT_NE(told.find(words), std::string::npos) << told;
  };
  expect("<robot name=\"r\">\n<link name=\"a\">\n", "robot.urdf:2", "not closed");
  expect("", "robot.urdf", "not XML");
  expect("<wrong/>", "robot.urdf:1", "<robot> in URDF");
  expect("<!DOCTYPE r [<!ENTITY a \"b\">]>\n<robot name=\"r\"/>", "robot.urdf:1", "entities");
  expect(robot("<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"c\"/></joint>"),
         "robot.urdf:4", "there is no link 'c'");
  expect(robot("<joint name=\"j\" type=\"hinge\"><parent link=\"a\"/><child link=\"b\"/></joint>"),
         "robot.urdf:4", "no joint type 'hinge'");
  expect(robot(hinge + "\n<joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>"),
         "robot.urdf:5", "circle");
  expect(robot(hinge + "\n<link name=\"c\">" + inertial +
               "</link><joint name=\"k\" type=\"fixed\"><parent link=\"c\"/><child link=\"b\"/></joint>"),
         "robot.urdf:5", "closes a loop");
  expect(robot("<link name=\"a\"/>"), "robot.urdf:4", "another link of this name");
  expect(robot("<link name=\"c\"/><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child "
               "link=\"c\"/></joint>" +
               hinge),
         "robot.urdf:4", "has no mass");
  expect(robot("<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 "
               "0\"/></joint>"),
         "robot.urdf:4", "no direction");
  expect(robot("<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><origin xyz=\"1 "
               "2\"/></joint>"),
         "robot.urdf:4", "3 are needed");
  expect(robot("<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><origin xyz=\"1 2 "
               "1e999\"/></joint>"),
         "robot.urdf:4", "range");
  expect(robot("<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><mimic "
               "joint=\"k\"/></joint>"),
         "robot.urdf:4", "there is no joint 'k'");
  expect(
      robot("<link name=\"c\">" + inertial + "</link>" + joint("j", "revolute", "b", "<mimic joint=\"k\"/>") +
            "\n" + joint("k", "revolute", "c", "<mimic joint=\"j\" multiplier=\"2\"/>")),
      "robot.urdf:4", "joints follow each other in a circle; let one of them move freely");
  expect(robot("<link name=\"c\">" + inertial + "</link>" + joint("k", "revolute", "c", "") +
               joint("j", "revolute", "b", "\n<mimic joint=\"k\"/>\n<mimic joint=\"k\" offset=\"1\"/>")),
         "robot.urdf:6", "there is a second <mimic>");
  expect(robot(joint("j", "revolute", "b", "<mimic joint=\"j\"/>")), "robot.urdf:4", "cannot follow itself");
  expect(robot(joint("j", "revolute", "b", "\n<origin quat_xyzw=\"0 0 0 0\"/>")), "robot.urdf:5",
         "all four numbers are 0, which turns nowhere");
  expect(robot(joint("j", "revolute", "b", "\n<origin rpy=\"0 0 1\" quat_xyzw=\"0 0 0 1\"/>")),
         "robot.urdf:5", "rpy and quat_xyzw both turn it");
  expect(robot(joint("j", "floating", "b", "\n<dynamics damping=\"-1\"/>")), "robot.urdf:5",
         "the damping is -1 (must not be negative)");
}

TEST(ReadUrdf, UnknownThingsAreToldAndStrictRefusesThem) {
  const std::string text =
      robot(hinge +
            "<gadget size=\"3\"/><joint name=\"k\" type=\"fixed\" colour=\"red\"><parent link=\"b\"/><child "
            "link=\"c\"/></joint><link name=\"c\"/>");
  const RobotText made = io::robot_model_text_of(text, "robot.urdf");
  bool element = false, attribute = false;
  for (const std::string& note : made.notes) {
    element = element || note.find("<gadget> in <robot>") != std::string::npos;
    attribute = attribute || note.find("attribute colour of <joint>") != std::string::npos;
  }
  EXPECT_TRUE(element);
  EXPECT_TRUE(attribute);
  EXPECT_THROW(io::robot_model_text_of(text, "robot.urdf", {.strict = true}), io::ModelError);
}

// Faults of the loops file are told with its own lines.
TEST(ReadUrdf, FaultsOfTheLoopsFile) {
  const std::string told = faults_of(robot(hinge), "base = \"floating\"\n");
  EXPECT_NE(told.find("robot.loops.toml:1"), std::string::npos) << told;
  const std::string late = faults_of(robot(hinge), "# loops\nbase = \"fixed\"\nmass = 3\n");
  EXPECT_NE(late.find("robot.loops.toml:3"), std::string::npos) << late;
  const std::string twice = faults_of(robot(hinge), "[joint.h]\ntype = \"fixed\"\n[body]\nb = {mass = 1}\n");
  EXPECT_NE(twice.find("robot.loops.toml:1:1: joint.h: the robot has a joint of this name"),
            std::string::npos)
      << twice;
  EXPECT_NE(twice.find("robot.loops.toml:4:1: body.b"), std::string::npos) << twice;
}

TEST(ReadUrdf, NamesThatAreTakenOrHaveDots) {
  const RobotText made = io::robot_model_text_of("<robot name=\"r\"><link name=\"arm.1\">" + inertial +
                                                     "</link><link name=\"b\">" + inertial +
                                                     "</link><joint name=\"b\" type=\"revolute\"><parent "
                                                     "link=\"arm.1\"/><child link=\"b\"/></joint></robot>",
                                                 "robot.urdf");
  EXPECT_NE(made.text.find("[body.arm_1]"), std::string::npos) << made.text;
  EXPECT_NE(made.text.find("[joint.b_joint]"), std::string::npos) << made.text;
}

// Whatever characters a name has, what is made is a model file, on lines of its own making.
TEST(ReadUrdf, NamesOfAnyCharacters) {
  for (const std::string name :
       {"a&quot;b\\", "a&#10;[body.x]&#10;b", "a\nb", "a'b # c", "&#27;[31m", "\xc3\xa9"}) {
    const RobotText made = io::robot_model_text_of(
        "<robot name=\"" + name + "\"><link name=\"" + name + "\" odd=\"1\">" + inertial +
            "</link><link name=\"b\">" + inertial + "</link><joint name=\"" + name +
            "\" type=\"revolute\"><parent link=\"" + name + "\"/><child link=\"b\"/></joint></robot>",
        "robot.urdf");
    const io::Model model = io::read_model_text(made.text, "robot.toml");
    EXPECT_EQ(model.bodies.size(), 2u) << made.text;
    EXPECT_GE(io::ModelOutputs(model).names().size(), 5u) << made.text;
    EXPECT_EQ(made.text.find("\n[body.x]"), std::string::npos) << made.text;
    EXPECT_EQ(made.text.find('\x1b'), std::string::npos) << made.text;
  }
}

// They could not be told apart in files and messages. Halves of pairs are none either.
TEST(ReadUrdf, NamesThatAreNotUtf8AreToldWithLineAndColumn) {
  for (const std::string name : {"\xff\xfe", "\xed\xa0\x80", "\xc3"}) try {
      io::robot_model_text_of("<!-- \xff -->\n<robot name=\"r\">\n <link name=\"a" + name + "\"/></robot>",
                              "robot.urdf");
      ADD_FAILURE() << name;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 17), "robot.urdf:3:15: ") << error.what();
    }
}

}  // namespace
}  // namespace driftless::tests
