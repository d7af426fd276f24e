// Joints of SDFormat. The joint's frame has a pose, usually in the child; an axis is given by the axes of that frame, before version 1.5 by those of
// the model.
//   revolute, continuous   revolute    prismatic  prismatic    fixed  fixed    ball  spherical
//   universal              universal: the first axis is fixed in the parent, the second in the child
//   screw                  screw: screw_thread_pitch is the way for one turn, positive where the thread is right-handed; the older thread_pitch
//                          is in rad/m with the opposite sign
//   gearbox                coupling of two revolute joints
#include "io/robot/sdf_joints.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "io/robot/rotations.hpp"

namespace driftless::io {

namespace {

using mechanics::Mat3;
using mechanics::Vec3;
using Type = RobotJoint::Type;

constexpr double pi = std::numbers::pi;
constexpr const char* all_types =
    "revolute, continuous, prismatic, fixed, ball, universal, screw and gearbox";

struct Axis {
  XmlElement element;
  Vec3 direction = {0, 0, 1};  // by the axes of the joint's frame, of unit length
  RobotFreedom acts = {};
};

// Limits of 1e16 and more are how older files say that there is none, and so are negative efforts and speeds.
bool limits(const XmlElement& limit) {
  bool some = false;
  for (const char* name : {"lower", "upper", "effort", "velocity"}) {
    const auto text = text_in(limit, name);
    if (!text) continue;
    const double value = std::strtod(text->c_str(), nullptr);
    const bool way = name[0] == 'l' || name[0] == 'u';
    if (std::abs(value) < 1e16 && (way || value >= 0)) some = true;
  }
  return some;
}

class JointReader {
 public:
  JointReader(SdfJoint& joint, Robot& robot, SdfFrames& frames, const std::vector<int>& link_frames)
      : joint_(joint), e_(joint.element), robot_(robot), frames_(frames), link_frames_(link_frames) {}

  void read(std::vector<SdfGear>& gears) {
    static const std::map<std::string, Type> types = {
        {"revolute", Type::revolute}, {"continuous", Type::revolute}, {"prismatic", Type::prismatic},
        {"fixed", Type::fixed},       {"ball", Type::spherical},      {"universal", Type::universal},
        {"screw", Type::screw}};
    const auto word = e_.need("type", all_types);
    const bool ends = read_ends();
    leave_out_in(e_, "physics", "settings of physics engines", "methods and steps are chosen here");
    leave_out_in(e_, "sensor", "sensors", "nothing is measured");
    if (!word) return;
    const auto type = types.find(*word);
    if (*word == "gearbox") {
      if (ends) read_gear(gears);
    } else if (*word == "revolute2") {
      e_.fault("type",
               "revolute2 is not read; write universal where its axes are perpendicular, or two revolute "
               "joints with a light link between them");
    } else if (type == types.end()) {
      e_.fault("type", fmt::format("there is no joint type {}; there are {}", named(*word), all_types));
    } else if (ends) {
      read_type(type->second);
    }
  }

 private:
  // False: there is no joint to be made.
  bool read_ends() {
    joint_.child = frames_.body(joint_.frame);
    const auto parent = e_.child("parent");
    const auto name = parent ? parent->own_word().value_or("") : "";
    if (name.empty()) {
      e_.fault("<parent> is missing: the name of a link, or world");
      return false;
    }
    const auto found = frames_.find(scope(), name);
    if (!found) {
      frames_.need(scope(), name, *parent);
      return false;
    }
    joint_.parent = frames_.body(*found);
    if (joint_.parent != joint_.child) return true;
    if (joint_.child == 0) {
      e_.leave_out("joints between what is static", "nothing moves there");
      e_.ignore();
    } else {
      e_.fault(fmt::format("parent and child are both link {}; name two", named(link(joint_.child).name)));
    }
    return false;
  }

  void read_type(Type type) {
    RobotJoint made{.name = joint_.name,
                    .line = joint_.line,
                    .type = type,
                    .parent = joint_.parent,
                    .child = joint_.child};
    Place marker;
    if (type == Type::fixed) {
      for (const char* axis : {"axis", "axis2"})
        for (const XmlElement& e : e_.children(axis)) e.ignore();
    } else if (type == Type::spherical) {
      read_ball(made);
    } else if (type == Type::universal) {
      if (!read_universal(made, marker)) return;
    } else {
      const auto axis = needed("axis");
      if (type == Type::screw) made.pitch = pitch();
      if (!axis) return;
      marker.axes = axes_with_third(axis->direction);
      made.freedoms = {axis->acts};
      made.freedoms[0].coordinate = type == Type::prismatic ? "position" : "angle";
      joint_.axis = frames_.in_world(joint_.frame).axes * axis->direction;
    }
    made.on_parent = frames_.between(link_frame(joint_.parent), joint_.frame) * marker;
    made.on_child = frames_.between(link_frame(joint_.child), joint_.frame) * marker;
    joint_.made = static_cast<int>(robot_.joints.size());
    robot_.joints.push_back(std::move(made));
  }

  void read_ball(RobotJoint& made) {
    const auto axis = read_axis("axis");
    if (!axis) return;
    made.damping = axis->acts.damping;
    if (axis->acts.stiffness != 0)
      axis->element.omit("springs of ball joints", "nothing turns these joints back");
  }

  bool read_universal(RobotJoint& made, Place& marker) {
    const auto first = needed("axis"), second = needed("axis2");
    if (!first || !second) return false;
    const Vec3 z = first->direction, x = second->direction;
    constexpr double nearly = 1e-3;
    if (std::abs(dot(z, x)) > nearly) {
      e_.fault(
          fmt::format("the angle between axis and axis2 is {:.4g} degrees (must be 90); turn one of them",
                      std::acos(std::clamp(dot(z, x), -1.0, 1.0)) * 180 / pi));
      return false;
    }
    // The first one is kept.
    const Vec3 across = normalized(x - dot(x, z) * z);
    marker.axes = {across, cross(z, across), z};
    made.start.axes = about_z(first->acts.start) * about_x(second->acts.start);
    made.damping = first->acts.damping, made.second_damping = second->acts.damping;
    if (first->acts.stiffness != 0 || second->acts.stiffness != 0)
      e_.omit("springs of universal joints", "nothing turns these joints back");
    return true;
  }

  void read_gear(std::vector<SdfGear>& gears) {
    SdfGear gear{.element = e_,
                 .name = joint_.name,
                 .line = joint_.line,
                 .parent = joint_.parent,
                 .child = joint_.child};
    const auto axis = needed("axis"), axis2 = needed("axis2");
    gear.ratio = number_in(e_, "gearbox_ratio").value_or(1);
    if (gear.ratio == 0)
      e_.fault("gearbox_ratio is 0 (must be another number): turns of the child for one of the parent");
    const auto reference = e_.child("gearbox_reference_body");
    const std::string name = reference ? reference->own_word().value_or("") : "";
    if (name.empty()) {
      e_.fault("<gearbox_reference_body> is missing: the link that parent and child turn in");
      return;
    }
    const auto found = frames_.find(scope(), name);
    if (!found) frames_.need(scope(), name, *reference);
    if (!axis || !axis2 || !found) return;
    gear.reference = frames_.body(*found);
    const Mat3& axes = frames_.in_world(joint_.frame).axes;
    gear.axis = axes * axis->direction, gear.axis2 = axes * axis2->direction;
    gears.push_back(std::move(gear));
  }

  double pitch() {
    const auto given = number_in(e_, "screw_thread_pitch");
    const auto old = e_.child("thread_pitch");
    if (given) return *given;
    if (old) {
      const double value = old->own_number().value_or(1);
      if (value != 0) return -2 * pi / value;
      old->fault("it is 0 rad/m, which no thread has; give screw_thread_pitch, the way for one turn in m");
      return 0;
    }
    const double usual = joint_.version >= 10 ? 1 : -2 * pi;
    robot_.notes.push_back(
        fmt::format("joint {} gives no thread pitch: it is {:.4g} m for one turn, which is usual in SDFormat",
                    named(joint_.name), usual));
    return usual;
  }

  std::optional<Axis> needed(const char* name) {
    auto axis = read_axis(name);
    if (!axis) e_.fault(fmt::format("<{0}> is missing; give it, as in <{0}><xyz>0 0 1</xyz></{0}>", name));
    return axis;
  }

  std::optional<Axis> read_axis(const char* name) {
    const auto e = e_.child(name);
    if (!e) return {};
    Axis axis{.element = *e};
    const int model = frames_.scope_frame(scope());
    int in = joint_.version < 5 ? model : joint_.frame;
    if (const auto of_model = flag_in(*e, "use_parent_model_frame")) in = *of_model ? model : joint_.frame;
    if (const auto xyz = e->child("xyz")) {
      const auto frame = xyz->word("expressed_in");
      if (frame && !frame->empty()) in = frames_.need(scope(), *frame, *xyz, "expressed_in");
      if (const auto v = xyz->own_numbers(3, 3)) {
        const double largest = std::max({std::abs((*v)[0]), std::abs((*v)[1]), std::abs((*v)[2])});
        if (largest > 0)
          axis.direction = {(*v)[0] / largest, (*v)[1] / largest, (*v)[2] / largest};
        else
          xyz->fault(fmt::format("{:g} {:g} {:g} has no direction; give one, like 0 0 1", (*v)[0], (*v)[1],
                                 (*v)[2]));
      }
    }
    axis.direction = normalized(frames_.between(joint_.frame, in).axes * axis.direction);
    read_acting(*e, axis.acts);
    if (const auto mimic = e->child("mimic")) joint_.mimics.emplace_back(*mimic, name);
    return axis;
  }

  static void read_acting(const XmlElement& e, RobotFreedom& acts) {
    acts.start = number_in(e, "initial_position").value_or(0);
    if (const auto dynamics = e.child("dynamics")) {
      acts.damping = number_in(*dynamics, "damping").value_or(0);
      if (acts.damping < 0)
        dynamics->fault(fmt::format("the damping is {:g} (must not be negative)", acts.damping));
      acts.stiffness = number_in(*dynamics, "spring_stiffness").value_or(0);
      acts.rest = number_in(*dynamics, "spring_reference").value_or(0);
      if (number_in(*dynamics, "friction").value_or(0) != 0)
        dynamics->omit("dry friction of joints", "motion loses less energy");
    }
    for (const XmlElement& limit : e.children("limit")) {
      if (limits(limit))
        limit.omit("limits of joints (position, velocity, effort)", "joints move beyond them");
      limit.ignore();
    }
  }

  int scope() const { return frames_[joint_.frame].scope; }
  int link_frame(int link) const { return link_frames_[static_cast<std::size_t>(link)]; }
  const RobotLink& link(int i) const { return robot_.links[static_cast<std::size_t>(i)]; }

  SdfJoint& joint_;
  XmlElement e_;
  Robot& robot_;
  SdfFrames& frames_;
  const std::vector<int>& link_frames_;
};

}  // namespace

void read_sdf_joint(SdfJoint& joint, Robot& robot, SdfFrames& frames, const std::vector<int>& link_frames,
                    std::vector<SdfGear>& gears) {
  JointReader(joint, robot, frames, link_frames).read(gears);
}

}  // namespace driftless::io
