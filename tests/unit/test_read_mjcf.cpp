// MJCF files: what becomes of bodies, geoms, joints and keyframes, against numbers by hand.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <driftless/io/model_outputs.hpp>
#include <driftless/io/robot_file.hpp>

#include "unit/mjcf_cases.hpp"

namespace driftless::tests {
namespace {

using mechanics::Mat3;
using mechanics::Vec3;
using mjcf_cases::expect_near;
using mjcf_cases::good;
using mjcf_cases::mujoco;
using mjcf_cases::Read;
using mjcf_cases::world;
using Type = io::RobotJoint::Type;
constexpr double pi = std::numbers::pi;

const std::filesystem::path robots = std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "tests/robots";

// --- bodies ----------------------------------------------------------------------------------------------------------------------

TEST(ReadMjcf, InertiaFromGeoms) {
  const Read r = good(world(R"(
<body name="box"><geom type="box" size="0.1 0.2 0.3" density="500"/></body>
<body name="ball"><geom size="0.1" mass="2"/></body>
<body name="rod"><geom type="cylinder" size="0.1 0.5" euler="90 0 0" mass="3"/></body>
<body name="pill"><geom type="capsule" fromto="0 0 0 1 0 0" size="0.1" mass="1.3333333333333333"/></body>
<body name="egg"><geom type="ellipsoid" size="1 2 3" mass="5" pos="0 0 1"/></body>
<body name="two"><geom size="0.1" mass="1" pos="1 0 0"/><geom size="0.1" mass="3" pos="-1 0 0"/></body>)"));
  const auto& box = *r.link("box").mass;
  EXPECT_NEAR(box.mass, 500 * 8 * 0.006, 1e-13);
  expect_near(Vec3{box.inertia.x.x, box.inertia.y.y, box.inertia.z.z},
              {24 * 0.13 / 3, 24 * 0.10 / 3, 24 * 0.05 / 3});
  EXPECT_NEAR(r.link("ball").mass->inertia.y.y, 0.4 * 2 * 0.01, 1e-15);
  const auto& rod = *r.link("rod").mass;  // its axis along y
  EXPECT_NEAR(rod.inertia.y.y, 3 * 0.01 / 2, 1e-15);
  EXPECT_NEAR(rod.inertia.x.x, 3 * (0.03 + 1) / 12, 1e-15);
  // Half spheres of mass ms, a cylinder of mass mc: volumes 4/3 r and l times pi r^2.
  const double r1 = 0.1, l = 1, ms = 4.0 / 3 * (4.0 / 3 * r1) / (4.0 / 3 * r1 + l), mc = 4.0 / 3 - ms;
  const auto& pill = *r.link("pill").mass;
  expect_near(pill.center, {0.5, 0, 0});
  EXPECT_NEAR(pill.inertia.x.x, ms * 0.4 * r1 * r1 + mc * r1 * r1 / 2, 1e-15);
  EXPECT_NEAR(pill.inertia.y.y,
              mc * (3 * r1 * r1 + l * l) / 12 + ms * (0.4 * r1 * r1 + l * l / 4 + 3.0 / 8 * l * r1), 1e-15);
  const auto& egg = *r.link("egg").mass;
  expect_near(Vec3{egg.inertia.x.x, egg.inertia.y.y, egg.inertia.z.z}, {13, 10, 5}, 1e-13);
  expect_near(egg.center, {0, 0, 1});
  const auto& two = *r.link("two").mass;
  EXPECT_EQ(two.mass, 4);
  expect_near(two.center, {-0.5, 0, 0});
  EXPECT_NEAR(two.inertia.z.z, 4 * 0.4 * 0.01 + 2.25 + 3 * 0.25, 1e-14);
  EXPECT_EQ(r.link("rod").shapes.size(), 1u);
  EXPECT_TRUE(r.link("egg").shapes.empty());
}

TEST(ReadMjcf, WhichGeomsCount) {
  const std::string bodies = R"(<worldbody><body name="b">
<inertial pos="0 0 0.5" mass="7" diaginertia="1 1 1"/>
<geom size="1" mass="1"/><geom size="1" mass="2" group="3"/><geom type="mesh" mesh="m" mass="0"/></body></worldbody>)";
  EXPECT_EQ(good(mujoco(bodies)).link("b").mass->mass, 7);
  EXPECT_EQ(good(mujoco("<compiler inertiafromgeom=\"true\"/>" + bodies)).link("b").mass->mass, 3);
  EXPECT_EQ(good(mujoco("<compiler inertiafromgeom=\"true\" inertiagrouprange=\"1 3\"/>" + bodies))
                .link("b")
                .mass->mass,
            2);
  const Read scaled = good(mujoco("<compiler settotalmass=\"14\"/>" + bodies));
  EXPECT_EQ(scaled.link("b").mass->mass, 14);
  EXPECT_EQ(scaled.link("b").mass->inertia.x.x, 2);
  const Read least = good(mujoco("<compiler boundmass=\"9\" boundinertia=\"1.5\"/>" + bodies));
  EXPECT_EQ(least.link("b").mass->mass, 9);
  expect_near(least.link("b").mass->inertia, {{1.5, 0, 0}, {0, 1.5, 0}, {0, 0, 1.5}});
}

// As MuJoCo has it (./dev bench mujoco, model bounds_alone).
TEST(ReadMjcf, WhereBoundsPutMass) {
  const Read r = good(mujoco(R"(<compiler boundmass="0.5" boundinertia="0.03"/><worldbody>
<body name="empty" pos="1 2 3"><joint/>
<body name="one" pos="4 5 6"><joint/><geom size="1" mass="0" pos="7 8 9"/></body>
<body name="given" pos="4 5 6"><joint/><inertial pos="0.1 0.2 0.3" mass="0" diaginertia="0 0 0"/></body></body></worldbody>)"));
  expect_near(r.link("empty").mass->center, {1, 2, 3});
  expect_near(r.link("one").mass->center, {7, 8, 9});
  expect_near(r.link("given").mass->center, {0.1, 0.2, 0.3});
  for (const char* name : {"empty", "one", "given"}) {
    EXPECT_EQ(r.link(name).mass->mass, 0.5);
    expect_near(r.link(name).mass->inertia, {{0.03, 0, 0}, {0, 0.03, 0}, {0, 0, 0.03}});
  }
}

TEST(ReadMjcf, InertialsAlongTheirOwnAxes) {
  const Read r = good(world(R"(
<body name="a"><inertial pos="1 2 3" mass="1" diaginertia="0.1 0.2 0.25" euler="0 0 90"/></body>
<body name="b"><inertial pos="0 0 0" mass="1" fullinertia="3 4 5 0.1 0.2 0.3"/></body>)"));
  expect_near(r.link("a").mass->center, {1, 2, 3});
  expect_near(r.link("a").mass->inertia, {{0.2, 0, 0}, {0, 0.1, 0}, {0, 0, 0.25}});
  expect_near(r.link("b").mass->inertia, {{3, 0.1, 0.2}, {0.1, 4, 0.3}, {0.2, 0.3, 5}});
  const Read mean = good(mujoco(R"(<compiler balanceinertia="true"/><worldbody>
<body name="a"><inertial pos="0 0 0" mass="1" diaginertia="1 2 6"/></body></worldbody>)"));
  expect_near(mean.link("a").mass->inertia, {{3, 0, 0}, {0, 3, 0}, {0, 0, 3}});
}

// 90 degrees about x and then about z: small letters turn about the new z, which is -y of before, capitals about the old one.
TEST(ReadMjcf, Orientations) {
  const auto axes = [](const std::string& settings, const std::string& attribute) {
    const Read r = good(mujoco(settings + "<worldbody><body name=\"b\" " + attribute +
                               "><freejoint/><geom size=\"1\"/></body></worldbody>"));
    return r.link("b").start.axes;
  };
  const Mat3 moving{{0, 0, 1}, {-1, 0, 0}, {0, -1, 0}}, fixed{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  expect_near(axes("", "euler=\"90 0 90\""), moving);
  expect_near(axes("<compiler eulerseq=\"XYZ\"/>", "euler=\"90 0 90\""), fixed);
  expect_near(axes("<compiler eulerseq=\"zyx\"/>", "euler=\"90 0 90\""), fixed);
  expect_near(axes("<compiler eulerseq=\"xyZ\" angle=\"radian\"/>",
                   "euler=\"1.5707963267948966 0 1.5707963267948966\""),
              fixed);
  const Mat3 third{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  expect_near(axes("", "axisangle=\"2 2 2 120\""), third);
  expect_near(axes("", "quat=\"3 3 3 3\""), third);
  expect_near(axes("", "xyaxes=\"0 2 0 0 5 1\""), third);
  expect_near(axes("", "zaxis=\"3 0 0\""), {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}});
  expect_near(axes("", "zaxis=\"0 0 -2\""), {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}});
}

TEST(ReadMjcf, FramesMoveWhatIsInThem) {
  const Read r = good(world(R"(<frame pos="1 0 0" euler="0 0 90"><body name="b" pos="1 0 0">
<frame pos="0 0 2" euler="90 0 0"><joint name="j" pos="0 1 0" axis="0 0 1"/><geom size="1" mass="1" pos="0 3 0"/></frame>
</body></frame>)"));
  expect_near(r.link("b").start.at, {1, 1, 0});
  expect_near(r.link("b").mass->center, {0, 0, 5});
  expect_near(r.joint("j").on_child.at, {0, 0, 3});
  expect_near(r.joint("j").on_child.axes.z, {0, -1, 0});
}

// --- classes ---------------------------------------------------------------------------------------------------------------------

TEST(ReadMjcf, Classes) {
  const Read r = good(mujoco(R"(
<default>
  <joint damping="1" armature="10"/>
  <geom type="box" size="1 1 0.5" mass="1"/>
  <default class="outer">
    <joint damping="2" axis="0 1 0"/>
    <default class="inner"><joint armature="30"/></default>
  </default>
</default>
<worldbody>
  <body name="a"><joint name="a"/><geom/></body>
  <body name="b" childclass="outer"><joint name="b"/><geom size="2"/>
    <body name="c"><joint name="c" class="inner"/><geom/></body>
    <body name="d" childclass="inner"><joint name="d" damping="4"/><geom/></body></body>
</worldbody>
<default><joint damping="5" stiffness="6"/></default>)"));
  const auto of = [&](const char* name) { return r.joint(name).freedoms.at(0); };
  EXPECT_EQ(of("a").damping, 5);  // later sections go on with main
  EXPECT_EQ(of("a").stiffness, 6);
  EXPECT_EQ(of("a").armature, 10);
  EXPECT_EQ(of("b").damping, 2);
  EXPECT_EQ(of("b").stiffness, 0);  // the class was there before
  EXPECT_EQ(of("c").damping, 2);
  EXPECT_EQ(of("c").armature, 30);
  EXPECT_EQ(of("d").damping, 4);
  EXPECT_EQ(of("d").armature, 30);
  expect_near(r.joint("d").on_child.axes.z, {0, 1, 0});
  expect_near(r.link("b").shapes.at(0).size, {4, 2, 1});  // a short list replaces the first numbers
}

TEST(ReadMjcf, IncludedFiles) {
  const auto folder = std::filesystem::temp_directory_path() / "driftless_test_mjcf";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "rod.xml")
      << R"(<mujocoinclude><joint name="j" axis="1 0 0"/><geom size="0.1" mass="2"/></mujocoinclude>)";
  std::ofstream(folder / "common.xml")
      << R"(<mujoco model="common"><compiler angle="radian"/><option gravity="0 0 -1"/></mujoco>)";
  const std::string text = mujoco(
      R"(<include file="common.xml"/><worldbody><body name="rod" euler="0 0 1"><include file="rod.xml"/></body></worldbody>)");
  const Read r = mjcf_cases::read(text, "", (folder / "x.xml").string());
  EXPECT_TRUE(r.faults.empty()) << r.told();
  EXPECT_EQ(r.robot.gravity.z, -1);
  EXPECT_EQ(r.link("rod").mass->mass, 2);
  EXPECT_NEAR(r.link("rod").start.axes.x.y, std::sin(1), 1e-15);
  EXPECT_EQ(r.joint("j").type, Type::revolute);
  const Read outside =
      mjcf_cases::read(mujoco("<include file=\"../other.xml\"/>"), "", (folder / "x.xml").string());
  EXPECT_NE(outside.told().find("outside of the folder"), std::string::npos) << outside.told();
  const Read twice =
      mjcf_cases::read(mujoco("<include file=\"common.xml\"/>\n<include file=\"common.xml\"/>"), "",
                       (folder / "x.xml").string());
  EXPECT_NE(twice.told().find("3: <include>: the file 'common.xml' is included twice"), std::string::npos)
      << twice.told();
  std::filesystem::remove_all(folder);
}

// --- joints ----------------------------------------------------------------------------------------------------------------------

// In the pose of the file the coordinate is ref; markers coincide at 0.
TEST(ReadMjcf, References) {
  const std::string text = mujoco(R"(<worldbody>
<body name="h" pos="1 0 0"><joint name="h" ref="30" springref="60" stiffness="2" axis="0 0 3" pos="0 1 0"/><geom size="0.1"/></body>
<body name="s" pos="0 1 0"><joint name="s" type="slide" ref="0.2" springref="0.5" stiffness="3" axis="1 0 0"/><geom size="0.1"/></body>
</worldbody><keyframe><key qpos="0 0" qvel="2 3"/></keyframe>)");
  const Read r = good(text);
  const auto &h = r.joint("h").freedoms.at(0), &s = r.joint("s").freedoms.at(0);
  EXPECT_NEAR(h.start, pi / 6, 1e-15);
  EXPECT_NEAR(h.rest, pi / 3, 1e-15);
  EXPECT_EQ(h.stiffness, 2);
  EXPECT_EQ(s.start, 0.2);
  EXPECT_EQ(s.rest, 0.5);
  expect_near(r.link("h").start.at, {1, 0, 0});
  expect_near(r.link("h").start.axes, mechanics::identity3);
  expect_near(r.link("s").start.at, {0, 1, 0});
  const Read moved = good(text, "0");
  // The pin at (1, 1, 0) stays; the body is turned by -30 degrees.
  const double c = std::cos(pi / 6), n = std::sin(pi / 6);
  expect_near(moved.link("h").start.axes, {{c, -n, 0}, {n, c, 0}, {0, 0, 1}});
  expect_near(moved.link("h").start.at, {1 - n, 1 - c, 0});
  expect_near(moved.link("s").start.at, {-0.2, 1, 0});
  expect_near(moved.link("s").velocity, {3, 0, 0});
  expect_near(moved.link("h").velocity, {2 * c, -2 * n, 0});
}

// Each joint acts in the frame that those before have moved.
TEST(ReadMjcf, SeveralJointsOfOneBody) {
  const Read r = good(mujoco(R"(<worldbody><body name="b" pos="0 0 1">
<joint name="x" type="slide" axis="1 0 0"/><joint name="yaw" axis="0 0 1"/><joint name="pitch" axis="0 1 0" pos="0 0 0.5"/><geom size="0.1"/>
</body></worldbody><keyframe><key name="k" qpos="2 1.5707963267948966 1.5707963267948966"/></keyframe>)"),
                      "k");
  ASSERT_EQ(r.robot.links.size(), 4u);
  EXPECT_TRUE(r.link("b_1").between && r.link("b_2").between);
  EXPECT_FALSE(r.link("b_1").mass);
  EXPECT_EQ(r.robot.links[static_cast<std::size_t>(r.joint("x").child)].name, "b_1");
  EXPECT_EQ(r.robot.links[static_cast<std::size_t>(r.joint("yaw").child)].name, "b_2");
  EXPECT_EQ(r.robot.links[static_cast<std::size_t>(r.joint("pitch").child)].name, "b");
  expect_near(r.link("b_1").start.at, {2, 0, 1});
  // Yaw takes y to -x; pitch about that takes the body's z from world z to its turned x: world y.
  expect_near(r.link("b").start.axes.y, {-1, 0, 0});
  expect_near(r.link("b").start.axes.z, {0, 1, 0});
  expect_near(r.link("b").start.at, {2, -0.5, 1.5});
}

TEST(ReadMjcf, FreeAndBallJointsStartFromKeyframes) {
  const std::string text = mujoco(R"(<worldbody>
<body name="f" pos="1 2 3"><freejoint name="free"/><geom size="0.1"/>
  <body name="b" pos="0 0 1" euler="0 0 90"><joint name="ball" type="ball" pos="0 0 0.5" damping="0.3"/><geom size="0.1"/></body></body>
</worldbody><keyframe><key name="home" qpos="4 5 6 0 0 0 2  1 1 0 0" qvel="1 0 0 0 2 0  0 3 0"/></keyframe>)");
  const Read file = good(text);
  expect_near(file.link("f").start.at, {1, 2, 3});
  expect_near(file.link("b").start.at, {1, 2, 4});
  ASSERT_EQ(file.robot.notes.size(), 1u);
  EXPECT_EQ(file.robot.notes[0], "keyframe 'home' is there; `keyframe = home` starts from it");
  EXPECT_EQ(file.joint("ball").damping, 0.3);
  const Read r = good(text, "home");
  // Half a turn about z; turning is about the body's own y, which is -y of the world.
  expect_near(r.link("f").start.at, {4, 5, 6});
  expect_near(r.link("f").start.axes, {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}});
  expect_near(r.link("f").velocity, {1, 0, 0});
  expect_near(r.link("f").turning, {0, -2, 0});
  // The ball's frame is turned by 270 degrees about z, then by 90 about its x, which points along -y; its y then points up.
  expect_near(r.link("b").start.axes, {{0, -1, 0}, {0, 0, 1}, {-1, 0, 0}});
  expect_near(r.link("b").start.at, Vec3{4, 5, 7.5} + Vec3{0.5, 0, 0});
  expect_near(r.link("b").turning, {0, -2, 3});
}

// What a keyframe says and nothing comes of; of the one that is chosen only.
TEST(ReadMjcf, WhatKeyframesSayInVain) {
  const std::string text = mujoco(R"(<worldbody>
<body name="f"><freejoint name="free"/><geom size="0.1" contype="0"/></body></worldbody>
<keyframe><key name="plain" time="0" act="" mpos="" mquat="" qpos="1 2 3 1 0 0 0"/>
<key name="late" time="3" qpos="1 2 3 1 0 0 0"/>
<key name="moved" mquat="1 0 0 0"/><key name="placed" mpos="1 0 0"/>
<key name="active" act="0.5"/></keyframe>)");
  for (const std::string key : {"", "plain"}) EXPECT_TRUE(good(text, key).robot.omissions.empty()) << key;
  const auto told = [&](const std::string& key, const std::string& what) {
    const Read r = good(text, key);
    EXPECT_EQ(r.robot.omissions.size(), 1u) << key;
    const io::RobotOmission* found = r.omission(what);
    return found ? found->effect : "nothing";
  };
  EXPECT_EQ(told("late", "times of keyframes"), "runs start at t = 0");
  EXPECT_EQ(told("moved", "mocap bodies"), "they stay where the file places them");
  EXPECT_EQ(told("placed", "mocap bodies"), "they stay where the file places them");
  EXPECT_EQ(told("active", "activations"), "actuators with a state of their own push nothing");
}

// MuJoCo makes 1 0 0 0 of it.
TEST(ReadMjcf, QuaternionsOfZeroAreNoTurn) {
  const Read r = good(mujoco(R"(<worldbody>
<body name="f" pos="1 2 3" euler="0 0 90"><freejoint name="free"/><geom size="0.1"/>
  <body name="b" pos="0 0 1"><joint name="ball" type="ball"/><geom size="0.1"/></body></body>
</worldbody><keyframe><key name="home" qpos="4 5 6 0 0 0 0  0 0 0 0" qvel="1 0 0 0 2 0  0 0 0"/></keyframe>)"),
                      "home");
  expect_near(r.link("f").start.at, {4, 5, 6});
  expect_near(r.link("f").start.axes, mechanics::identity3);
  expect_near(r.link("f").turning, {0, 2, 0});
  expect_near(r.link("b").start.axes, mechanics::identity3);
  ASSERT_EQ(r.robot.notes.size(), 1u);
  EXPECT_EQ(
      r.robot.notes[0],
      "in keyframe 'home' the quaternion of joint 'free' and of 1 more is 0 0 0 0: as in MuJoCo that is "
      "1 0 0 0, no turn");
}

// --- whole files -----------------------------------------------------------------------------------------------------------------

// The way of a whole text: coordinates with their references, a coupling, what is told, and what strict reading makes of that.
TEST(ReadMjcf, BecomesAModel) {
  const std::string text = mujoco(R"(<worldbody>
<body name="a" pos="0 0 1"><joint name="ja" axis="0 1 0" ref="30" range="-90 90" limited="true"/><geom size="0.1" mass="2" pos="0.5 0 0" contype="0"/></body>
<body name="b" pos="2 0 0"><joint name="jb" type="slide" axis="0 0 2" ref="0.25"/><geom size="0.1" mass="1" contype="0"/></body>
</worldbody><equality><joint joint1="jb" joint2="ja" polycoef="0 0.5 0 0 0"/></equality>
<keyframe><key name="k" qpos="0.7 0.3" qvel="2 1"/></keyframe>)");
  const io::RobotText made = io::robot_model_text_of(text, "x.xml");
  const io::Model model = io::read_model_text(made.text, "x.xml");
  EXPECT_EQ(model.title, "m");
  ASSERT_EQ(made.notes.size(), 2u);
  EXPECT_EQ(made.notes[0], "not simulated: limits of joints (x.xml:3): joints move beyond them");
  EXPECT_EQ(made.notes[1], "keyframe 'k' is there; `keyframe = k` starts from it");
  const auto row = [](const io::Model& of) {
    io::ModelOutputs outputs(of, {"ja.angle", "jb.position", "a.x", "b.z", "a.kinetic", "drift.position"});
    return outputs.row(of.mechanism.start());
  };
  const std::vector<double> file = row(model), expected = {pi / 6, 0.25, 0, 0, 0, 0};
  for (std::size_t i = 0; i < file.size(); ++i) EXPECT_NEAR(file[i], expected[i], 1e-14) << i;
  const io::Model moved =
      io::read_model_text(io::robot_model_text_of(text, "x.xml", {.keyframe = "k"}).text, "x.xml");
  const std::vector<double> key = row(moved);
  EXPECT_NEAR(key[0], 0.7, 1e-14);
  EXPECT_NEAR(key[3], 0.05, 1e-14);
  EXPECT_NEAR(key[4], 0.5 * (2 * 0.25 + 0.4 * 2 * 0.01) * 4, 1e-14);
  EXPECT_THROW(io::robot_model_text_of(text, "x.xml", {.strict = true}), io::ModelError);
}

TEST(ReadMjcf, FourBar) {
  const auto made = io::robot_model_text(robots / "four_bar.xml", {.keyframe = "turning"});
  const io::Model model = io::read_model_text(made.text, "four_bar.xml");
  const State start = model.mechanism.assembled(model.closing);
  io::ModelOutputs outputs(
      model, {"motor.angle'", "pivot.angle'", "middle.x", "middle.z", "middle.vx", "drift.position"});
  const std::vector<double> row = outputs.row(start), expected = {2, 1.2, 0.4, 0.4, 0.6, 0};
  for (std::size_t i = 0; i < row.size(); ++i) EXPECT_NEAR(row[i], expected[i], 1e-12) << outputs.names()[i];
  EXPECT_TRUE(made.notes.empty()) << made.notes.front();
}

TEST(ReadMjcf, BipedLeg) {
  std::ifstream in(robots / "biped_leg.xml");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Read r = good(text, "crouch");
  EXPECT_TRUE(r.link("thigh_1").between && r.link("thigh_2").between);
  EXPECT_EQ(r.joint("hip_roll").freedoms.at(0).damping, 0.9);
  EXPECT_EQ(r.joint("knee").freedoms.at(0).damping, 0.6);
  EXPECT_EQ(r.joint("ankle").freedoms.at(0).armature, 0.01);
  EXPECT_NEAR(r.joint("hip_pitch").freedoms.at(0).rest, -pi / 18, 1e-15);
  EXPECT_EQ(r.robot.couplings.at(0).c[1], -0.5);
  EXPECT_EQ(r.actuator("yaw").gain, 120);
  EXPECT_EQ(r.actuator("pitch").stiffness, 150);
  EXPECT_EQ(r.actuator("bend").stiffness, 480);
  EXPECT_EQ(r.actuator("bend").control, 1.6);
  // Thigh forward by 0.4, shank back by as much: the foot is level below the hip.
  expect_near(r.link("foot").start.at,
              {0.4 * std::sin(0.4) - 0.38 * std::sin(0.4), 0.1, 0.96 - 0.78 * std::cos(0.4)});
  expect_near(r.link("foot").start.axes, mechanics::identity3);
  EXPECT_TRUE(r.robot.omissions.empty()) << r.robot.omissions.front().what;
  const io::Model model =
      io::read_model_text(io::robot_model_text(robots / "biped_leg.xml").text, "biped_leg.xml");
  EXPECT_EQ(model.joints.size(),
            6u + 5u + 5u + 1u);  // hinges and the pelvis, shafts and gears of armatures, the coupling
}

}  // namespace
}  // namespace driftless::tests
