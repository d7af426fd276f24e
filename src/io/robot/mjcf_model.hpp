// What the parts of the MJCF reader share, and what each of them does.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "io/robot/mjcf_frames.hpp"
#include "io/robot/robot.hpp"

namespace driftless::io {

// <compiler> and <option>.
struct MjcfSettings {
  MjcfAngles angles = {};
  enum class FromGeoms { never, always, where_missing };
  FromGeoms from_geoms = FromGeoms::where_missing;
  int least_group = 0, most_group = 5;  // of geoms that bodies get their inertia from
  double least_mass = 0, least_inertia = 0;
  std::optional<double> total_mass = {};
  bool balance = false;  // moments that no body can have become their mean
  std::optional<bool> ranges_limit =
      {};  // a range without `limited` is a limit; not said: it depends on MuJoCo's version
  mechanics::Vec3 gravity = {0, 0, -9.81};
  std::set<std::string> off = {};  // flags that are disabled
  bool only_pairs = false;         // geoms touch where a <pair> says so
  std::set<int> groups_off = {};   // of actuators

  // "equality", "spring": it is not disabled, nor are all of its kind.
  bool acts(const std::string& what) const;
};

struct MjcfBody {
  std::string name;
  int link = 0, parent = 0;
  int carrier = 0;           // the body that it does not move against: itself, if it has joints
  mechanics::Vec3 pos = {};  // as the element has it
  Place world = {};          // in the pose of the file
};

struct MjcfJoint {
  int joint = 0;               // of the robot
  int position = 0, rate = 0;  // where its numbers begin in qpos and qvel
};

struct MjcfSite {
  int body = 0;
  Place at = {};
};

// A geom with a name, for distances.
struct MjcfBall {
  int body = 0;
  mechanics::Vec3 center = {};
  std::optional<double> radius = {};  // none: it is no sphere
};

struct MjcfModel {
  explicit MjcfModel(const XmlElement& root) : file(root) {}

  MjcfFile file;
  MjcfClasses classes = {};
  MjcfSettings settings = {};
  Robot robot = {};
  std::vector<MjcfBody> bodies = {{.name = "world"}};
  std::vector<MjcfJoint> joints = {};                                        // in the order of qpos
  int positions = 0, rates = 0;                                              // numbers in qpos and qvel
  std::map<std::string, int> body_names = {{"world", 0}}, joint_names = {};  // joints: of the robot
  std::map<int, double> references = {};  // coordinates of the robot's joints in the pose of the file
  std::map<std::string, MjcfSite> sites = {};
  std::map<std::string, MjcfBall> balls = {};
  std::map<std::string, std::set<std::string>> names = {};  // of each kind that are taken

  RobotJoint& joint(int i) { return robot.joints[static_cast<std::size_t>(i)]; }
  const MjcfBody& body(int i) const { return bodies[static_cast<std::size_t>(i)]; }
};

// What a keyframe gives.
struct MjcfStart {
  std::optional<XmlElement> key = {};
  std::vector<double> controls = {};  // none: all 0
};

// What an attribute speaks of by name; nothing where there is no such attribute, or (a fault) nothing of that name.
template <class Value>
std::optional<Value> named(const std::map<std::string, Value>& all, const XmlElement& e,
                           const char* attribute, const char* kind) {
  const auto name = e.word(attribute);
  if (!name) return {};
  if (const auto found = all.find(*name); found != all.end()) return found->second;
  e.fault(attribute, std::string("there is no ") + kind + " '" + *name + "'" + e.reading().near(*name, all));
  return {};
}

// The element's name, empty where it has none; a fault where another one of this kind has it.
std::string name_of(MjcfModel& model, const XmlElement& e, const std::string& kind);

void read_settings(MjcfModel& model);                                     // mjcf_settings.cpp
void read_bodies(MjcfModel& model);                                       // mjcf_bodies.cpp
MjcfStart read_keyframes(MjcfModel& model, const std::string& keyframe);  // mjcf_keyframes.cpp
void read_equalities(MjcfModel& model);                                   // mjcf_equality.cpp
void read_actuators(MjcfModel& model, const MjcfStart& start);            // mjcf_actuators.cpp

}  // namespace driftless::io
