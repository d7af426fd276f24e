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

void set_positions(MjcfModel& model, const XmlElement& key, const std::vector<double>& qpos) {
  for (const MjcfJoint& j : model.joints) {
    RobotJoint& joint = model.joint(j.joint);
    const auto first = static_cast<std::size_t>(j.position);
    if (joint.type != Type::free && joint.type != Type::spherical) {
      joint.freedoms[0].start = qpos[first];
      continue;
    }
    const auto turn = rotation_of(qpos, joint.type == Type::free ? first + 3 : first);
    if (!turn)
      key.fault("qpos", fmt::format("the quaternion of joint '{}' is 0; 1 0 0 0 is no turn", joint.name));
    else
      joint.start.axes = *turn;
    if (joint.type == Type::free) joint.start.at = vector_at(qpos, first);
  }
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

}  // namespace

MjcfStart read_keyframes(MjcfModel& model, const std::string& keyframe) {
  const std::vector<Named> keys = all_keys(model);
  if (keyframe.empty()) {
    if (keys.size() == 1)
      model.robot.notes.push_back(
          fmt::format("keyframe '{0}' is there; --keyframe {0} starts from it", keys[0].name));
    else if (!keys.empty())
      model.robot.notes.push_back(
          fmt::format("keyframes {} are there; --keyframe NAME starts from one of them", listed(keys)));
    return {};
  }
  for (const Named& key : keys) {
    if (key.name != keyframe) continue;
    if (const auto qpos = list_of(key.element, "qpos", model.positions))
      set_positions(model, key.element, *qpos);
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
