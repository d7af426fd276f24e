// What --set changed besides what it was meant to. A joint that is given by a place of the world sits where that is on its bodies at the start: where
// a parameter moves a body and not the place, the joint sits elsewhere on the body, and the mechanism is another one.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <driftless/io/model_check.hpp>
#include <driftless/io/robot_file.hpp>

#include "io/model/body_distance.hpp"
#include "io/model/check_parts.hpp"

namespace driftless::io {

namespace {

using mechanics::Joint;
using mechanics::Marker;
using mechanics::Pose;
using mechanics::Vec3;

constexpr double same = 1e-9;  // of how far the points are from the origin

// A model with its bodies as they are given.
struct Given {
  explicit Given(const Model& of) : model(of), results(of.mechanism.results()), start(of.mechanism.start()) {}
  Vec3 in_world(const Marker& marker) const {
    const Pose pose = results.pose(start, {marker.body});
    return pose.r + pose.R * marker.point;
  }
  const Model& model;
  mechanics::MechanismResults results;
  State start;
};

bool apart(const Vec3& a, const Vec3& b) {
  return norm(a - b) > same * (norm(a) + norm(b));
}

bool same_body(const ModelBody& a, const ModelBody& b) {
  const bool lengths = a.length.has_value() == b.length.has_value() &&
                       (!a.length || std::abs(*a.length - *b.length) <= same * *a.length);
  return lengths && std::abs(size_of(a) - size_of(b)) <= same * size_of(a) && !apart(a.center, b.center);
}

// The end of a body, -1 or 1, that a joint sits at.
std::optional<int> end_of(const ModelBody& body, const Marker& marker) {
  if (!body.length) return std::nullopt;
  for (const int end : {-1, 1}) {
    Vec3 gap = marker.point + body.center - Vec3{end * *body.length / 2, 0, 0};
    gap -= dot(gap, marker.axes.z) * marker.axes.z;
    if (norm(gap) <= same * *body.length) return end;
  }
  return std::nullopt;
}

// The joint stays at the same place of the world, and the end of the body that it sat at does not.
bool left_behind(const Given& now, const Given& before, const Marker& marker, const Marker& was,
                 std::size_t body) {
  const std::optional<int> end = end_of(before.model.bodies[body], was);
  return end && end_of(now.model.bodies[body], marker) != end &&
         !apart(now.in_world(marker), before.in_world(was));
}

// The joint sits at the same place of the world, and elsewhere on a body that is the same.
bool sits_elsewhere(const Given& now, const Given& before, const Marker& marker, const Marker& was,
                    std::size_t body) {
  return same_body(now.model.bodies[body], before.model.bodies[body]) && apart(marker.point, was.point) &&
         !apart(now.in_world(marker), before.in_world(was));
}

}  // namespace

std::string moved_by_set(const Model& model) {
  if (is_robot_file(model.file.string())) return {};
  try {
    const Model usual = read_model(model.file);
    if (usual.bodies.size() != model.bodies.size() || usual.joints.size() != model.joints.size()) return {};
    const Given now(model), before(usual);
    std::map<int, std::size_t> number;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) number[model.bodies[i].id.index] = i;
    std::vector<std::string> bodies, joints;
    for (std::size_t i = 0; i < model.joints.size(); ++i) {
      const auto joint = [&](const Model& of) -> const Joint& {
        return of.mechanism.joints()[static_cast<std::size_t>(of.joints[i].id.index)];
      };
      const Joint &a = joint(model), &b = joint(usual);
      if (a.joint_a >= 0 || model.joints[i].name != usual.joints[i].name) continue;
      for (const auto& [marker, was] : {std::pair(&a.a, &b.a), std::pair(&a.b, &b.b)}) {
        const auto body = number.find(marker->body);
        if (body == number.end() || (!sits_elsewhere(now, before, *marker, *was, body->second) &&
                                     !left_behind(now, before, *marker, *was, body->second)))
          continue;
        const std::string& name = model.bodies[body->second].name;
        if (std::find(bodies.begin(), bodies.end(), name) == bodies.end()) bodies.push_back(name);
        if (joints.empty() || joints.back() != model.joints[i].name) joints.push_back(model.joints[i].name);
      }
    }
    if (joints.empty()) return {};
    const bool one = joints.size() == 1;
    return fmt::format(
        "`set` moves {}, and {} {}, given by {} of the world that {}, {} elsewhere on {} now: that is "
        "another "
        "mechanism, not another start, which [start] positions would give",
        list_of(bodies, 4), one ? "joint" : "joints", list_of(joints, 4), one ? "a place" : "places",
        one ? "stays" : "stay", one ? "sits" : "sit", bodies.size() == 1 ? "it" : "them");
  } catch (const InputError&) {  // without it there is no model to compare with
    return {};
  }
}

}  // namespace driftless::io
