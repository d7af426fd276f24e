// <key>: coordinates and rates of all joints in the order of the file, and controls.
//   free  qpos: place of the body's origin, then its quaternion, both in the world      qvel: by world axes, then turning by the body's axes
//   ball  qpos: quaternion of the body by the pose of the file                          qvel: turning by the body's axes
//   hinge, slide: their coordinate and its rate
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/robot/mjcf_model.hpp"

namespace driftless::io {

namespace {

using mechanics::Vec3;
using Type = RobotJoint::Type;

struct Named {
  XmlElement element;
  std::string name;
};

// Those without a name are called by their number, from 0.
std::vector<Named> all_keys(MjcfModel& model) {
  std::vector<Named> keys;
  for (const XmlElement& section : model.file.sections("keyframe"))
    for (const XmlElement& e : model.file.children(section)) {
      if (e.name() != "key") {
        e.omit(fmt::format("<{}> in <keyframe>", e.name()), "it is not known here"), e.ignore();
        continue;
      }
      const std::string name = name_of(model, e, "keyframe");
      keys.push_back({e, name.empty() ? std::to_string(keys.size()) : name});
      know(e, {"time", "qpos", "qvel", "act", "ctrl", "mpos", "mquat"});
    }
  return keys;
}

std::string listed(const std::vector<Named>& keys) {
  constexpr std::size_t most = 10;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < keys.size() && i < most; ++i)
    names.push_back(fmt::format("'{}'", keys[i].name));
  return fmt::format("{}{}", fmt::join(names, ", "), keys.size() > most ? ", .." : "");
}

// Nothing where there are none, or not as many as needed.
std::optional<std::vector<double>> list_of(const XmlElement& key, const char* attribute, int needed) {
  constexpr std::size_t any = 1 << 24;
  if (!key.has(attribute)) return {};
  auto values = key.numbers(attribute, 0, any);
  if (!values || values->size() == static_cast<std::size_t>(needed)) return values;
  key.fault(attribute,
            fmt::format("there are {} numbers; the joints of the file need {}", values->size(), needed));
  return {};
}

Vec3 vector_at(const std::vector<double>& values, std::size_t first) {
  return {values[first], values[first + 1], values[first + 2]};
}

void set_positions(MjcfModel& model, const std::string& keyframe, const std::vector<double>& qpos) {
  std::vector<std::string> unturned;
  for (const MjcfJoint& j : model.joints) {
    RobotJoint& joint = model.joint(j.joint);
    const auto first = static_cast<std::size_t>(j.position);
    if (joint.type != Type::free && joint.type != Type::spherical) {
      joint.freedoms[0].start = qpos[first];
      continue;
    }
    const auto turn = rotation_of(qpos, joint.type == Type::free ? first + 3 : first);
    if (!turn) unturned.push_back(joint.name);
    joint.start.axes = turn.value_or(mechanics::identity3);
    if (joint.type == Type::free) joint.start.at = vector_at(qpos, first);
  }
  if (!unturned.empty())
    model.robot.notes.push_back(fmt::format(
        "in keyframe '{}' the quaternion of joint '{}'{} is 0 0 0 0: as in MuJoCo that is 1 0 0 0, no turn",
        keyframe, unturned[0],
        unturned.size() > 1 ? fmt::format(" and of {} more", unturned.size() - 1) : ""));
}

void set_rates(MjcfModel& model, const std::vector<double>& qvel) {
  for (const MjcfJoint& j : model.joints) {
    RobotJoint& joint = model.joint(j.joint);
    const auto first = static_cast<std::size_t>(j.rate);
    if (joint.type == Type::free) {
      joint.velocity = vector_at(qvel, first);
      joint.turning = joint.start.axes * vector_at(qvel, first + 3);
    } else if (joint.type == Type::spherical) {
      joint.turning = joint.start.axes * vector_at(qvel, first);
    } else {
      joint.freedoms[0].rate = qvel[first];
    }
  }
}

// What a keyframe says beyond the places and rates of joints, and controls.
void tell_omissions(const XmlElement& key) {
  if (key.number("time").value_or(0) != 0) key.omit("times of keyframes", "runs start at t = 0");
  const auto says = [&](const char* attribute) { return !key.word(attribute).value_or("").empty(); };
  if (says("mpos") || says("mquat"))
    key.omit("places of mocap bodies in keyframes", "they stay where the file places them");
  if (says("act"))
    key.omit("activations of actuators in keyframes", "actuators with a state of their own push nothing");
}

}  // namespace

MjcfStart read_keyframes(MjcfModel& model, const std::string& keyframe) {
  const std::vector<Named> keys = all_keys(model);
  if (keyframe.empty()) {
    if (keys.size() == 1)
      model.robot.notes.push_back(
          fmt::format("keyframe '{0}' is there; `keyframe = {0}` starts from it", keys[0].name));
    else if (!keys.empty())
      model.robot.notes.push_back(
          fmt::format("keyframes {} are there; `keyframe = NAME` starts from one of them", listed(keys)));
    return {};
  }
  for (const Named& key : keys) {
    if (key.name != keyframe) continue;
    tell_omissions(key.element);
    if (const auto qpos = list_of(key.element, "qpos", model.positions))
      set_positions(model, keyframe, *qpos);
    if (const auto qvel = list_of(key.element, "qvel", model.rates)) set_rates(model, *qvel);
    constexpr std::size_t any = 1 << 24;
    const auto controls = key.element.numbers("ctrl", 0, any);
    return {key.element, controls.value_or(std::vector<double>{})};
  }
  model.file.root().fault(
      keys.empty() ? fmt::format("there is no keyframe '{}': the file has none", keyframe)
                   : fmt::format("there is no keyframe '{}'; there are {}", keyframe, listed(keys)));
  return {};
}

}  // namespace driftless::io
