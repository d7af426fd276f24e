// Robot files against each other and against model files: the same mechanism in every format moves alike, stays on its constraints and keeps its energy
// balance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include <driftless/io/model_file.hpp>
#include <driftless/io/robot_file.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "support/robot_trees.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

using namespace mechanics;

const std::filesystem::path robots = std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "tests/robots";

io::Model read_text(const std::string& text, const std::string& file) {
  return io::read_model_text(io::robot_model_text_of(text, file).text, file);
}

struct Moved {
  std::map<std::string, Pose> bodies = {};
  double drift = 0, balance = 0, energy = 0;  // the largest violation; energy and its balance at the end
};

enum class By { bodies, joints };

Moved moved(const io::Model& model, double t_end, By by, double tolerance = 1e-11) {
  const Mechanism& m = model.mechanism;
  const State start = m.assembled();
  const RelativeCoordinates relative(m.finished(), m.joints(), start);
  const auto problem = by == By::joints ? relative.problem() : m.problem();
  Options options{.t_end = t_end, .rtol = tolerance, .atol = tolerance, .h0 = 1e-5 * t_end};
  const Solution run = solve(*problem, by == By::joints ? relative.start() : start,
                             {.integrator = "dop853", .stabilizer = "post"}, options);
  EXPECT_TRUE(run.complete()) << run.end_message;
  Moved end{.drift = run.drift ? std::max(run.drift->position, run.drift->velocity) : 0,
            .balance = std::abs(run.energy->balance),
            .energy = std::abs(run.energy->end - run.energy->start) + std::abs(run.energy->work)};
  const State final = by == By::joints ? relative.absolute(run.final) : run.final;
  const MechanismResults results = m.results();
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    end.bodies[model.bodies[i].name] = results.pose(final, model.bodies[i].id);
  return end;
}

// Poses are of the mass centres.
void expect_alike(const Moved& ours, const Moved& theirs, double tolerance = 1e-9) {
  ASSERT_EQ(ours.bodies.size(), theirs.bodies.size());
  for (const auto& [name, p] : theirs.bodies) {
    ASSERT_TRUE(ours.bodies.contains(name)) << name;
    const Pose& o = ours.bodies.at(name);
    EXPECT_LE(norm(o.r - p.r), tolerance) << name;
    EXPECT_LE(norm(o.v - p.v), tolerance) << name;
    EXPECT_LE(norm(o.w - p.w), tolerance * (1 + norm(p.w))) << name;
    EXPECT_LE(norm(o.R.x - p.R.x) + norm(o.R.y - p.R.y), tolerance) << name;
  }
}

void expect_kept(const Moved& m) {
  EXPECT_LE(m.drift, 1e-12);
  EXPECT_GT(m.energy, 0.01) << "it hardly moves";
  EXPECT_LE(m.balance, 1e-9 * m.energy);
}

TEST(RobotFormats, ALoopInSpaceMovesAlike) {
  const Moved native = moved(io::read_model(robots / "space_loop.toml"), 1, By::bodies);
  expect_kept(native);
  // It has come far.
  EXPECT_GT(norm(native.bodies.at("crank").r - Vec3{0.05, 0, 0.5}), 0.02);
  for (const char* file : {"space_loop.xml", "space_loop.sdf", "space_loop_tree.urdf"}) {
    SCOPED_TRACE(file);
    const io::Model model = io::read_robot(robots / file);
    for (const By by : {By::bodies, By::joints}) {
      const Moved ours = moved(model, 1, by);
      expect_kept(ours);
      expect_alike(ours, native);
    }
  }
}

void expect_tree_alike(const RobotTree& tree, double t_end) {
  const Moved native = moved(io::read_model_text(tree.model(), "tree.toml"), t_end, By::joints);
  ASSERT_EQ(native.bodies.size(), static_cast<std::size_t>(tree.joints));
  expect_kept(native);
  const std::pair<const char*, std::string> texts[] = {
      {"tree.urdf", tree.urdf()}, {"tree.sdf", tree.sdf()}, {"tree.xml", tree.mjcf()}};
  for (const auto& [file, text] : texts) {
    SCOPED_TRACE(file);
    const Moved ours = moved(read_text(text, file), t_end, By::joints);
    expect_kept(ours);
    expect_alike(ours, native);
  }
}

TEST(RobotFormats, TreesOf30Joints) {
  expect_tree_alike({.joints = 30}, 0.3);
  expect_tree_alike({.joints = 30, .chain = true}, 0.3);
}

TEST(RobotFormats, TreesOf100Joints) {
  expect_tree_alike({.joints = 100}, 0.2);
  expect_tree_alike({.joints = 100, .chain = true}, 0.2);
}

// A ball of inertia J about every axis in a joint that drags: its spin fades as exp(-c t/J), however far it turns, and so does the flight of a free one.
TEST(RobotFormats, DampedBallsAndFreeBodies) {
  const std::string text = R"(<mujoco><option gravity="0 0 0"/><worldbody>
<body name="ball"><joint name="socket" type="ball" damping="0.02"/><inertial pos="0 0 0" mass="2" diaginertia="0.01 0.01 0.01"/></body>
<body name="bird" pos="1 0 0"><joint type="free" damping="0.03"/><inertial pos="0 0 0" mass="0.5" diaginertia="0.02 0.02 0.02"/></body>
</worldbody><keyframe><key name="k" qpos="1 0 0 0  1 0 0 1 0 0 0" qvel="9 -4 3  0.5 0.2 -1 2 3 4"/></keyframe></mujoco>)";
  const io::RobotText made = io::robot_model_text_of(text, "balls.xml", {.keyframe = "k"});
  const double t = 0.7;
  const Moved end = moved(io::read_model_text(made.text, "balls.xml"), t, By::joints);
  const double socket = std::exp(-0.02 / 0.01 * t), spin = std::exp(-0.03 / 0.02 * t),
               flight = std::exp(-0.03 / 0.5 * t);
  EXPECT_LE(norm(end.bodies.at("ball").w - socket * Vec3{9, -4, 3}), 1e-9);
  EXPECT_LE(norm(end.bodies.at("bird").w - spin * Vec3{2, 3, 4}), 1e-9);
  EXPECT_LE(norm(end.bodies.at("bird").v - flight * Vec3{0.5, 0.2, -1}), 1e-9);
  EXPECT_LE(norm(end.bodies.at("bird").r - Vec3{1, 0, 0} - (0.5 / 0.03) * (1 - flight) * Vec3{0.5, 0.2, -1}),
            1e-9);
}

// A universal joint with a damper about each of its axes is two hinges, one after the other.
TEST(RobotFormats, AUniversalJointIsTwoHinges) {
  const auto crossed = [](const std::string& ends, const std::string& axis, const std::string& axis2) {
    return R"(<sdf version="1.9"><world name="w"><gravity>0 0 -9.81</gravity><model name="m">
<link name="arm"><inertial><pose>0.3 0.1 -0.05 0 0 0</pose><mass>1.5</mass><inertia><ixx>0.02</ixx><iyy>0.05</iyy><izz>0.04</izz></inertia></inertial></link>
<joint name="cross" type="universal">)" +
           ends + "<axis>" + axis + "</axis><axis2>" + axis2 + "</axis2></joint></model></world></sdf>";
  };
  const std::string y = "<xyz>0 1 0</xyz><dynamics><damping>0.4</damping></dynamics>",
                    x = "<xyz>1 0 0</xyz><dynamics><damping>0.05</damping></dynamics>";
  const std::string hinged = R"(<mujoco><worldbody><body name="arm">
<joint name="first" axis="0 1 0" damping="0.4"/><joint name="second" axis="1 0 0" damping="0.05"/>
<inertial pos="0.3 0.1 -0.05" mass="1.5" diaginertia="0.02 0.05 0.04"/></body></worldbody></mujoco>)";
  const Moved two = moved(read_text(hinged, "hinges.xml"), 1.5, By::joints);
  EXPECT_GT(norm(two.bodies.at("arm").r - Vec3{0.3, 0.1, -0.05}), 0.2);
  Moved arm{.bodies = {{"arm", two.bodies.at("arm")}}};
  for (const std::string& text : {crossed("<parent>world</parent><child>arm</child>", y, x),
                                  crossed("<parent>arm</parent><child>world</child>", x, y)})
    expect_alike(moved(read_text(text, "cross.sdf"), 1.5, By::joints), arm);
}

// A pendulum whose rod is the distance between two spheres: the bob does not turn, as on a rod with a hinge at each end.
TEST(RobotFormats, SpheresAtADistance) {
  const std::string rod = R"(<mujoco><worldbody><geom name="nail" size="0.1" pos="0 0 1"/>
<body name="bob" pos="0.5 0 1"><freejoint/><geom name="b" size="0.05" mass="2"/></body></worldbody>
<equality><distance name="rod" geom1="nail" geom2="b" distance="0.35"/></equality></mujoco>)";
  const std::string hinge = R"(<mujoco><worldbody>
<body name="bob" pos="0.5 0 1"><joint axis="0 1 0" pos="-0.5 0 0"/><joint axis="0 1 0"/><geom size="0.05" mass="2"/></body></worldbody></mujoco>)";
  const Moved free = moved(read_text(rod, "rod.xml"), 0.5, By::bodies),
              turned = moved(read_text(hinge, "hinge.xml"), 0.5, By::joints);
  EXPECT_LE(free.drift, 1e-12);
  EXPECT_LE(norm(free.bodies.at("bob").r - turned.bodies.at("bob").r), 1e-9);
  EXPECT_LT(free.bodies.at("bob").r.z, 0.6);
}

}  // namespace
}  // namespace driftless::tests
