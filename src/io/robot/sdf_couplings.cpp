// <mimic>: follower = multiplier (leader - reference) + offset.
// gearbox: theta_2 = -ratio theta_1; both angles are those of revolute joints, up to a sign: for each that the joint's axis has against the gear's,
// and for each that the reference body is the child and not the parent.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "io/robot/coupled_starts.hpp"
#include "io/robot/sdf_joints.hpp"

namespace driftless::io {

namespace {

using mechanics::Vec3;
using Type = RobotJoint::Type;

class Coupler {
 public:
  Coupler(const std::vector<SdfJoint>& joints, const SdfFrames& frames, Robot& robot)
      : joints_(joints), frames_(frames), robot_(robot) {
    for (const SdfJoint& joint : joints) {
      if (joint.made < 0) continue;
      by_frame_.emplace(joint.frame, &joint);
      by_links_[std::minmax(joint.parent, joint.child)].push_back(&joint);
    }
  }

  void mimics() {
    for (const SdfJoint& joint : joints_)
      for (const auto& [element, axis] : joint.mimics) read_mimic(joint, element, axis);
    for (const std::size_t circle : start_followers(robot_))
      mimics_[circle].fault("joints follow each other in a circle; let one of them move freely");
  }

  void gear(const SdfGear& gear) {
    const auto first = turning(gear, gear.parent, gear.axis, "parent"),
               second = turning(gear, gear.child, gear.axis2, "child");
    if (!first || !second) return;
    const double ratio = -gear.ratio * first->sign * second->sign;
    robot_.couplings.push_back({.name = gear.name,
                                .line = gear.line,
                                .follower = second->joint,
                                .leader = first->joint,
                                .c = {start(second->joint) - ratio * start(first->joint), ratio}});
  }

 private:
  double& start(int joint) { return robot_.joints[static_cast<std::size_t>(joint)].freedoms[0].start; }
  bool has_one_coordinate(int joint) const {
    return robot_.joints[static_cast<std::size_t>(joint)].freedoms.size() == 1;
  }

  void read_mimic(const SdfJoint& joint, const XmlElement& e, const std::string& axis) {
    const auto name = e.need("joint", "the name of the joint that it follows");
    const std::string of = e.word("axis").value_or("axis");
    const double multiplier = number_in(e, "multiplier").value_or(1),
                 offset = number_in(e, "offset").value_or(0),
                 reference = number_in(e, "reference").value_or(0);
    if (!name || joint.made < 0) return;
    const auto found = frames_.find(frames_[joint.frame].scope, *name);
    const auto leader = found ? by_frame_.find(*found) : by_frame_.end();
    if (leader == by_frame_.end()) {
      e.fault("joint", fmt::format("there is no joint {} here that moves", named(*name)));
      return;
    }
    const SdfJoint& other = *leader->second;
    if (axis != "axis" || of != "axis" || !has_one_coordinate(joint.made) ||
        !has_one_coordinate(other.made)) {
      e.fault("only joints of one axis follow each other here: revolute, continuous, prismatic and screw");
      return;
    }
    if (other.made == joint.made) {
      e.fault("joint", "a joint cannot follow itself; name another one");
      return;
    }
    mimics_.push_back(e);
    robot_.couplings.push_back({.name = joint.name + "_mimic",
                                .line = joint.line > 0 ? e.line() : 0,
                                .follower = joint.made,
                                .leader = other.made,
                                .c = {offset - multiplier * reference, multiplier}});
  }

  // A revolute joint between the reference body and a link, and the sign of its angle against that of the link about the axis.
  struct Turning {
    int joint = 0;
    double sign = 1;
  };
  std::optional<Turning> turning(const SdfGear& gear, int link, const Vec3& axis, const char* which) const {
    constexpr double parallel = 0.9999;
    bool some = false;
    const auto between = by_links_.find(std::minmax(gear.reference, link));
    if (between != by_links_.end())
      for (const SdfJoint* joint : between->second) {
        const RobotJoint& made = robot_.joints[static_cast<std::size_t>(joint->made)];
        if (made.type != Type::revolute) continue;
        some = true;
        const double along = dot(joint->axis, axis);
        if (std::abs(along) < parallel) continue;
        return Turning{joint->made, (along > 0) == (joint->child == link) ? 1.0 : -1.0};
      }
    gear.element.fault(
        some
            ? fmt::format(
                  "the axis of the revolute joint between the reference body and the {} is not parallel "
                  "to that of the gearbox; give both the same",
                  which)
            : fmt::format("there is no revolute joint between the reference body and the {}, whose angle the "
                          "gearbox could couple; add one, or name another reference body",
                          which));
    return {};
  }

  const std::vector<SdfJoint>& joints_;
  const SdfFrames& frames_;
  Robot& robot_;
  std::map<int, const SdfJoint*> by_frame_;
  std::map<std::pair<int, int>, std::vector<const SdfJoint*>> by_links_;
  std::vector<XmlElement> mimics_;  // of the couplings, which are of mimics before they are of gears
};

}  // namespace

void couple_sdf_joints(const std::vector<SdfJoint>& joints, const std::vector<SdfGear>& gears,
                       const SdfFrames& frames, Robot& robot) {
  Coupler coupler(joints, frames, robot);
  coupler.mimics();
  for (const SdfGear& gear : gears) coupler.gear(gear);
}

}  // namespace driftless::io
