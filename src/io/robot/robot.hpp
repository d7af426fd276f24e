// Robot: what a robot file says, whatever its format (read_urdf, read_sdf, read_mjcf): links that hang on joints from the world outward, joints that
// close loops, couplings between joints, actuators, and what of the file is not simulated. robot_text makes a model file of it.
//   A joint has a marker on its parent and one on its child, with the axis as third axis; at coordinates of 0 they coincide. So every convention of
//   a format ends in the reader: Euler angles, degrees, frames of frames.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <driftless/io/model_file.hpp>
#include <driftless/mechanics/vector3.hpp>

#include "io/model/body_shapes.hpp"

namespace driftless::io {

// Where something lies, by the axes of something else.
struct Place {
  mechanics::Vec3 at = {};
  mechanics::Mat3 axes = mechanics::identity3;
};
inline Place operator*(const Place& a, const Place& b) {
  return {a.at + a.axes * b.at, a.axes * b.axes};
}
inline Place inverse(const Place& a) {
  const mechanics::Mat3 back = transposed(a.axes);
  return {-(back * a.at), back};
}

struct RobotLink {
  std::string name;
  int line = 0;
  std::optional<MassProperties> mass = {};  // none: the file gives none
  bool between = false;  // made by a reader to stand between two joints of one link: it has no mass
  std::vector<BodyShape> shapes = {};  // for drawing
  // By placed(): in the world at the start, and how it moves there, by world axes.
  Place start = {};
  mechanics::Vec3 velocity = {}, turning = {};
};

// A coordinate of a joint, with what acts along it.
struct RobotFreedom {
  std::string coordinate;  // "angle" or "position", as joints of Driftless call it
  double damping = 0, stiffness = 0, rest = 0;
  double armature = 0;  // inertia of what turns or slides with the coordinate itself: rotors behind gears
  double start = 0, rate = 0;
  bool said = false;  // the loops file says where it starts
};

struct RobotJoint {
  // free: none, of a link that floats.
  enum class Type { fixed, revolute, prismatic, cylindrical, universal, screw, planar, spherical, free };
  std::string name;
  int line = 0;
  Type type = Type::fixed;
  int parent = 0, child = 0;  // links
  Place on_parent = {}, on_child = {};
  double pitch = 0;  // of a screw, for one turn
  // Torque against the relative spin for 1 rad/s: of spherical and free ones about all axes, of universal ones about the parent's, and about the
  // child's. Of free ones the force at the child's marker for 1 m/s too.
  double damping = 0, second_damping = 0;
  std::vector<RobotFreedom> freedoms =
      {};  // revolute, prismatic: one; cylindrical: position, angle; screw: angle; planar: x, y, angle
  bool loop = false;  // closes one: the links hang on other joints
  bool base = false;  // was added, to fix what hangs on nothing
  // At the start, of spherical and free ones: the child's marker by that of the parent, and how it moves: of the point, and about the parent's axes.
  Place start = {};
  mechanics::Vec3 velocity = {}, turning = {};
};

// coordinate of `follower` = c0 + c1 x + .. + c4 x^4, x the coordinate of `leader`; no leader: = c0.
struct RobotCoupling {
  std::string name;
  int line = 0;
  int follower = 0, leader = -1;  // joints
  std::array<double, 5> c = {};
};

// Two points keep their distance.
struct RobotRod {
  std::string name;
  int line = 0;
  int a = 0, b = 0;  // links
  mechanics::Vec3 on_a = {}, on_b = {};
  double length = 0;
};

// A place that is wanted: a site, or where a link was that became part of another one.
struct RobotPoint {
  std::string name;
  int link = 0;
  Place at = {};
};

// Force or torque along a joint's first coordinate x:  gain . control + constant - stiffness x - damping x'. `control` is a parameter of the model.
struct RobotActuator {
  std::string name;
  int line = 0;
  int joint = 0;
  double control = 0;  // at the start, and until somebody sets it
  double gain = 0, constant = 0, stiffness = 0, damping = 0;
};

// Something that the file says and that is not simulated. Told once for all places where the same is said.
struct RobotOmission {
  std::string what;    // "joint limits"
  std::string effect;  // "joints move beyond them"
  std::string where;   // "robot.urdf:12", the first one
  int count = 1;
  bool acts = true;  // it could change the motion; else only what is seen or measured of it
};

struct Robot {
  std::string name, format;
  mechanics::Vec3 gravity = {0, 0, -9.81};
  std::vector<RobotLink> links = {{.name = "ground"}};  // the first is the world
  std::vector<RobotJoint> joints = {};
  std::vector<RobotCoupling> couplings = {};
  std::vector<RobotRod> rods = {};
  std::vector<RobotPoint> points = {};
  std::vector<RobotActuator> actuators = {};
  std::vector<RobotOmission> omissions = {};
  std::vector<std::string> notes = {};  // what was decided where the file is silent
  bool fix_floating = false;            // what hangs on nothing is fixed to the ground
};

// --- robot_places.cpp ------------------------------------------------------------------------------------------------------------

// Hangs everything from the world outward (links without a parent float), finds where links are at the start, and gives links without mass to
// those that they are fixed to. Adds faults: two parents, circles, links that move and have no mass.
void place_links(Robot& robot, std::vector<ModelFault>& faults);

// --- robot_text.cpp --------------------------------------------------------------------------------------------------------------

class RobotNames;

// A model file (docs/models.md) with comments; all numbers with all digits.
std::string robot_text(const Robot& robot, RobotNames& names, const std::string& file);

// "joint limits (robot.urdf:12 and 3 more): joints move beyond them"
std::string told(const RobotOmission& omission);

}  // namespace driftless::io
