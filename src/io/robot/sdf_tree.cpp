#include "io/robot/sdf_tree.hpp"

#include <numeric>
#include <utility>

namespace driftless::io {

namespace {

using Type = RobotJoint::Type;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// Links that joints connect so far.
class Groups {
 public:
  explicit Groups(std::size_t count) : of_(count) { std::iota(of_.begin(), of_.end(), 0); }
  int of(int link) {
    while (of_[at(link)] != link) link = of_[at(link)] = of_[at(of_[at(link)])];
    return link;
  }
  bool join(int a, int b) {
    if (of(a) == of(b)) return false;
    of_[at(of(a))] = of(b);
    return true;
  }

 private:
  std::vector<int> of_;
};

// The same joint with child and parent exchanged. Seen from the other body everything goes the other way, and so it does along the opposite axis.
void turn_round(RobotJoint& joint) {
  Place markers;
  if (joint.type == Type::universal) std::swap(joint.damping, joint.second_damping);
  if (joint.type == Type::universal)
    markers.axes = {{0, 0, 1}, {0, -1, 0}, {1, 0, 0}};  // the first axis and the third one
  else if (joint.type != Type::fixed && joint.type != Type::spherical)
    markers.axes = {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  std::swap(joint.parent, joint.child);
  std::swap(joint.on_parent, joint.on_child);
  joint.on_parent = joint.on_parent * markers;
  joint.on_child = joint.on_child * markers;
  joint.start = inverse(markers) * inverse(joint.start) * markers;
}

}  // namespace

void hang_sdf_joints(Robot& robot) {
  const std::size_t count = robot.links.size();
  Groups groups(count);
  std::vector<bool> hangs(count, false), in_tree(robot.joints.size(), false);
  hangs[0] = true;
  // As the file has it: of several joints with one child the first one holds it.
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const RobotJoint& joint = robot.joints[i];
    if (hangs[at(joint.child)] || !groups.join(joint.parent, joint.child)) continue;
    hangs[at(joint.child)] = in_tree[i] = true;
  }
  // What is left connects groups that would float without it, or closes a loop.
  for (std::size_t i = 0; i < robot.joints.size(); ++i)
    if (!in_tree[i]) in_tree[i] = groups.join(robot.joints[i].parent, robot.joints[i].child);

  std::vector<std::vector<std::size_t>> joints_of(count);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    RobotJoint& joint = robot.joints[i];
    joint.loop = !in_tree[i];
    if (joint.loop) continue;
    joints_of[at(joint.parent)].push_back(i);
    joints_of[at(joint.child)].push_back(i);
  }
  std::vector<bool> reached(count, false);
  const auto outward = [&](int root) {
    std::vector<int> order = {root};
    reached[at(root)] = true;
    for (std::size_t next = 0; next < order.size(); ++next)
      for (const std::size_t i : joints_of[at(order[next])]) {
        RobotJoint& joint = robot.joints[i];
        const int other = joint.parent == order[next] ? joint.child : joint.parent;
        if (reached[at(other)]) continue;
        reached[at(other)] = true;
        if (joint.child == order[next]) turn_round(joint);
        order.push_back(other);
      }
  };
  outward(0);
  for (std::size_t link = 1; link < count; ++link)
    if (!reached[link] && !hangs[link]) outward(static_cast<int>(link));
}

}  // namespace driftless::io
