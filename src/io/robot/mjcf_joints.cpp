#include "io/robot/mjcf_joints.hpp"

#include <cmath>

#include <fmt/format.h>

#include "io/robot/rotations.hpp"

namespace driftless::io {

namespace {

using mechanics::Vec3;
using Type = RobotJoint::Type;

const std::vector<std::string> type_names = {"free", "ball", "slide", "hinge"};
constexpr Type types[] = {Type::free, Type::spherical, Type::prismatic, Type::revolute};

double not_negative(const MjcfElement& e, const char* attribute) {
  const double value = e.number(attribute).value_or(0);
  if (value < 0) e.fault(attribute, fmt::format("{:g} is negative; give 0 or more", value));
  return value;
}

bool is_limited(const MjcfElement& e, const MjcfSettings& settings) {
  const auto limited = e.one_of("limited", {"false", "true", "auto"});
  const auto range = e.numbers("range", 2, 2);
  if (limited && *limited < 2) return *limited == 1;
  return range && ((*range)[0] != 0 || (*range)[1] != 0) && settings.ranges_limit.value_or(true);
}

// What joints of all types say of what acts in them.
struct Acting {
  double stiffness = 0, damping = 0, armature = 0;
};

Acting read_acting(const MjcfElement& e, const MjcfSettings& settings) {
  Acting a{e.number("stiffness").value_or(0), not_negative(e, "damping"), not_negative(e, "armature")};
  if (!settings.acts("spring")) a.stiffness = 0;
  if (!settings.acts("damper")) a.damping = 0;
  if (not_negative(e, "frictionloss") != 0 && settings.acts("frictionloss"))
    e.own().omit("dry friction of joints (frictionloss)", "motion loses less energy");
  if (is_limited(e, settings) && settings.acts("limit"))
    e.own().omit("limits of joints", "joints move beyond them");
  if (e.has("actuatorfrcrange") && e.one_of("actuatorfrclimited", {"false", "true", "auto"}) != 0)
    e.own().omit("limits of actuators", "they push as much as they are told to");
  for (const double x : e.numbers("springdamper", 2, 2).value_or(std::vector<double>{}))
    if (x != 0) {
      e.own().omit("springdamper of joints",
                   "the springs and dampers that MuJoCo finds for these are missing");
      break;
    }
  return a;
}

// Of free and ball joints: what acts on single coordinates has no place there.
void omit_acting(const MjcfElement& e, const Acting& a, const char* what) {
  if (a.stiffness != 0) e.own().omit(fmt::format("springs of {} joints", what), "nothing pulls them back");
  if (a.armature != 0)
    e.own().omit(fmt::format("armature of {} joints", what), "bodies at these joints resist turning less");
}

void read_coordinate(const MjcfElement& e, const MjcfSettings& settings, const Acting& a, RobotJoint& joint) {
  const bool turns = joint.type == Type::revolute;
  const auto value = [&](const char* attribute) {
    const double given = e.number(attribute).value_or(0);
    return turns ? settings.angles.radians(given) : given;
  };
  const double ref = value("ref");
  if (turns)
    joint.on_child.axes = joint.on_child.axes * about_z(ref);
  else
    joint.on_child.at += ref * joint.on_child.axes.z;
  joint.freedoms = {{.coordinate = turns ? "angle" : "position",
                     .damping = a.damping,
                     .stiffness = a.stiffness,
                     .rest = value("springref"),
                     .armature = a.armature,
                     .start = ref}};
}

// Its markers in the body's frame; `part` is none of the free ones.
RobotJoint read_joint(MjcfModel& model, const MjcfElement& e, const MjcfPart& part, Type type) {
  RobotJoint joint{.name = "", .line = e.own().line(), .type = type};
  Place marker{part.frame.at + part.frame.axes * e.vector("pos").value_or(Vec3{})};
  if (type != Type::spherical) {
    Vec3 axis = e.vector("axis").value_or(Vec3{0, 0, 1});
    if (!(largest_entry(axis) > 1e-14)) {
      e.fault("axis", "the axis has no direction: its length is 0");
      axis = {0, 0, 1};
    }
    marker.axes = axes_with_third(normalized(part.frame.axes * normalized(axis)));
  }
  joint.on_parent = joint.on_child = marker;
  const Acting a = read_acting(e, model.settings);
  if (type == Type::spherical) {
    joint.damping = a.damping;
    omit_acting(e, a, "ball");
  } else {
    read_coordinate(e, model.settings, a, joint);
  }
  return joint;
}

// What slows it down: force and torque at the body's origin.
double read_free(const MjcfElement& e, const MjcfSettings& settings) {
  if (e.own().name() == "freejoint") {
    know(e.own(), {"group"});
    if (e.one_of("align", {"false", "true", "auto"}) == 1)
      e.own().omit("align of <freejoint>", "frames of free bodies are those of the file");
    return 0;
  }
  const Acting a = read_acting(e, settings);
  omit_acting(e, a, "free");
  return a.damping;
}

// Which joints may follow each other.
bool in_order(const XmlElement& body, const std::vector<MjcfPart>& parts, const std::vector<Type>& kinds,
              bool in_world) {
  int freedoms = 0;
  bool ball = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const XmlElement& e = parts[i].element;
    freedoms += kinds[i] == Type::free ? 6 : kinds[i] == Type::spherical ? 3 : 1;
    if (kinds[i] == Type::free && !in_world) {
      e.fault(
          "a free joint is for bodies that stand in <worldbody> itself; leave it out, or move the body "
          "there");
      return false;
    }
    if (ball && (kinds[i] == Type::spherical || kinds[i] == Type::revolute)) {
      e.fault("no joint that turns may follow a ball joint in one body; put it first, or leave it out");
      return false;
    }
    ball = ball || kinds[i] == Type::spherical;
  }
  if (freedoms <= 6) return true;
  body.fault(fmt::format("its joints have {} freedoms (at most 6); leave some out", freedoms));
  return false;
}

}  // namespace

void hang_body(MjcfModel& model, const XmlElement& body, const Place& place,
               const std::vector<MjcfPart>& parts) {
  const MjcfBody& own = model.bodies.back();
  const MjcfBody& parent = model.body(own.parent);
  std::vector<MjcfElement> elements;
  std::vector<Type> kinds;
  for (const MjcfPart& part : parts) {
    const bool plain = part.element.name() == "freejoint";
    elements.push_back(plain ? MjcfElement(part.element)
                             : model.classes.of(part.element, "joint", part.inherited));
    if (!plain) know(part.element, "joint");
    kinds.push_back(plain ? Type::free : types[elements.back().one_of("type", type_names).value_or(3)]);
  }
  const bool usable = in_order(body, parts, kinds, own.parent == 0);
  int link = parent.link;
  Place before = place;
  const auto add = [&](RobotJoint joint, bool last) {
    joint.parent = link;
    joint.on_parent = before * joint.on_parent;
    joint.child = own.link;
    if (!last) {
      joint.child = static_cast<int>(model.robot.links.size());
      model.robot.links.push_back({.name = fmt::format("{}_{}", own.name, joint.child - own.link),
                                   .line = body.line(),
                                   .between = true});
    }
    link = joint.child;
    before = {};
    model.robot.joints.push_back(std::move(joint));
  };
  if (parts.empty() || !usable) {
    add({.name = own.name + "_fixed", .line = body.line()}, true);
    return;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const MjcfElement& e = elements[i];
    const std::string name = name_of(model, e.own(), "joint");
    const int index = static_cast<int>(model.robot.joints.size());
    RobotJoint joint{.name = "", .line = e.own().line(), .type = Type::free, .start = place};
    if (kinds[i] == Type::free) {
      joint.damping = read_free(e, model.settings);
      before = {};
    } else {
      joint = read_joint(model, e, parts[i], kinds[i]);
    }
    joint.name = !name.empty() ? name : own.name + "_joint" + (parts.size() > 1 ? std::to_string(i + 1) : "");
    if (!joint.freedoms.empty()) model.references[index] = joint.freedoms[0].start;
    add(std::move(joint), i + 1 == parts.size());
    if (!name.empty()) model.joint_names.emplace(name, index);
    model.joints.push_back({.joint = index, .position = model.positions, .rate = model.rates});
    model.positions += kinds[i] == Type::free ? 7 : kinds[i] == Type::spherical ? 4 : 1;
    model.rates += kinds[i] == Type::free ? 6 : kinds[i] == Type::spherical ? 3 : 1;
  }
}

}  // namespace driftless::io
