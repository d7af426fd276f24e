// From what a file says of single joints to a robot as a whole: what hangs on what, where links are at the start, which of them are one body.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "io/robot/robot.hpp"

namespace driftless::io {

namespace {

using mechanics::Mat3;
using mechanics::Vec3;
using Type = RobotJoint::Type;

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

// Of the child's marker by that of the parent, at the start: where it is, and how it moves by the parent's axes.
struct Motion {
  Place place;
  Vec3 velocity, turning;
};

Motion motion_of(const RobotJoint& joint) {
  Motion m{joint.start, joint.velocity, joint.turning};
  for (const RobotFreedom& f : joint.freedoms) {
    if (f.coordinate == "angle") {
      const double s = std::sin(f.start), c = std::cos(f.start);
      m.place.axes = Mat3{{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
      m.turning.z = f.rate;
      if (joint.type != Type::screw) continue;
      const double lead = joint.pitch / (2 * std::numbers::pi);
      m.place.at.z = lead * f.start, m.velocity.z = lead * f.rate;
    } else {
      (f.coordinate == "x" ? m.place.at.x : f.coordinate == "y" ? m.place.at.y : m.place.at.z) = f.start;
      (f.coordinate == "x" ? m.velocity.x : f.coordinate == "y" ? m.velocity.y : m.velocity.z) = f.rate;
    }
  }
  return m;
}

void place_child(const RobotJoint& joint, const RobotLink& parent, RobotLink& child) {
  const Motion m = motion_of(joint);
  const Place marker = parent.start * joint.on_parent;
  child.start = marker * m.place * inverse(joint.on_child);
  const Vec3 point = (marker * m.place).at;
  child.turning = parent.turning + marker.axes * m.turning;
  child.velocity = parent.velocity + cross(parent.turning, point - parent.start.at) +
                   marker.axes * m.velocity + cross(child.turning, child.start.at - point);
}

class Tree {
 public:
  Tree(Robot& robot, std::vector<ModelFault>& faults) : robot_(robot), faults_(faults) {}

  void hang() {
    by_.assign(robot_.links.size(), -1);
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
      const RobotJoint& joint = robot_.joints[i];
      if (joint.loop) continue;
      int& by = by_[index(joint.child)];
      if (joint.child == 0)
        fault(joint.line, joint.name, "the world cannot hang on a joint; let it be the parent");
      else if (by >= 0)
        fault(joint.line, joint.name,
              fmt::format("link '{}' hangs on joint '{}' already (line {}); one of the two closes a loop",
                          name(joint.child), robot_.joints[index(by)].name, robot_.joints[index(by)].line));
      else
        by = static_cast<int>(i);
    }
    // What hangs on nothing floats.
    for (std::size_t i = 1; i < robot_.links.size(); ++i) {
      if (by_[i] >= 0) continue;
      by_[i] = static_cast<int>(robot_.joints.size());
      const RobotLink& link = robot_.links[i];
      RobotJoint joint{.name = "", .line = link.line, .type = Type::free, .child = static_cast<int>(i)};
      if (robot_.fix_floating) {
        joint.name = link.name + "_base", joint.type = Type::fixed;
        joint.on_parent = link.start;
      } else {
        joint.start = link.start;
        robot_.notes.push_back(fmt::format("link '{}' hangs on nothing: it moves freely", link.name));
      }
      robot_.joints.push_back(std::move(joint));
    }
  }

  void place() {
    std::vector<std::vector<int>> children(robot_.links.size());
    for (std::size_t i = 1; i < by_.size(); ++i)
      children[index(robot_.joints[index(by_[i])].parent)].push_back(static_cast<int>(i));
    std::vector<int> order = {0};
    robot_.links[0].start = {};
    for (std::size_t next = 0; next < order.size(); ++next)
      for (const int child : children[index(order[next])]) {
        place_child(robot_.joints[index(by_[index(child)])], robot_.links[index(order[next])],
                    robot_.links[index(child)]);
        order.push_back(child);
      }
    if (order.size() == robot_.links.size()) return;
    std::vector<bool> reached(robot_.links.size(), false);
    for (const int link : order) reached[index(link)] = true;
    const auto first = static_cast<int>(std::find(reached.begin(), reached.end(), false) - reached.begin());
    const RobotJoint& joint = robot_.joints[index(by_[index(first)])];
    fault(
        joint.line, joint.name,
        fmt::format("link '{}' hangs on itself by a circle of joints; nothing leads from there to the world",
                    name(first)));
  }

  // Links without mass, or without inertia, that are fixed to others become parts of these: of the nearest heavy one over fixed joints, and of two
  // equally near of that towards the world.
  void join_light_links() {
    std::vector<std::vector<int>> fixed(robot_.links.size());  // joints
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
      const RobotJoint& joint = robot_.joints[i];
      if (joint.loop || joint.type != Type::fixed) continue;
      fixed[index(joint.parent)].push_back(static_cast<int>(i));
      fixed[index(joint.child)].push_back(static_cast<int>(i));
    }
    into_.assign(robot_.links.size(), {-1, {}});
    std::vector<bool> is_heavy(robot_.links.size());
    std::vector<int> frontier;
    for (int link = 0; link < static_cast<int>(robot_.links.size()); ++link)
      if ((is_heavy[index(link)] = heavy(link))) frontier.push_back(link);
    while (!frontier.empty()) {
      std::vector<int> next;
      for (const bool outward : {true, false})
        for (const int link : frontier)
          for (const int i : fixed[index(link)]) {
            const RobotJoint& joint = robot_.joints[index(i)];
            const int other = outward ? joint.child : joint.parent;
            if (other == link || is_heavy[index(other)] || into_[index(other)].first >= 0) continue;
            const Place across =
                joint.on_parent * inverse(joint.on_child);  // of the child by the parent's axes
            const Place step = outward ? across : inverse(across);
            const bool begins = is_heavy[index(link)];
            into_[index(other)] = {begins ? link : into_[index(link)].first,
                                   begins ? step : into_[index(link)].second * step};
            next.push_back(other);
          }
      frontier = std::move(next);
    }
    for (std::size_t i = 1; i < robot_.links.size(); ++i) {
      if (is_heavy[i] || into_[i].first >= 0) continue;
      const RobotLink& l = robot_.links[i];
      faults_.push_back(
          {l.line, 1, fmt::format("link '{}'", l.name),
           l.mass ? "it moves and its inertia is not positive; give moments of inertia above 0"
                  : "it moves and has no mass; give it mass and inertia, or fix it to a link that has"});
    }
  }

  void apply() {
    std::vector<std::vector<MassProperties>> parts(robot_.links.size());
    for (std::size_t i = 1; i < robot_.links.size(); ++i) {
      const auto& [other, place] = into_[i];
      if (other < 0) continue;
      RobotLink &from = robot_.links[i], &to = robot_.links[index(other)];
      robot_.points.push_back({.name = from.name, .link = other, .at = place});
      if (from.mass && from.mass->mass > 0 && other > 0)
        parts[index(other)].push_back(moved(*from.mass, place));
      for (BodyShape& shape : from.shapes) {
        shape.at = place.at + place.axes * shape.at;
        shape.axes = place.axes * shape.axes;
        to.shapes.push_back(shape);
      }
    }
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (parts[i].empty()) continue;
      parts[i].push_back(*robot_.links[i].mass);
      robot_.links[i].mass = sum_of(parts[i]);
    }
    // Links that are left get new numbers.
    std::vector<int> number(robot_.links.size(), 0);
    std::vector<RobotLink> links = {robot_.links[0]};
    for (std::size_t i = 1; i < robot_.links.size(); ++i)
      if (into_[i].first < 0) {
        number[i] = static_cast<int>(links.size());
        links.push_back(std::move(robot_.links[i]));
      }
    const auto to_new = [&](int& link, Place* marker) {
      if (const auto& [other, place] = into_[index(link)]; other >= 0) {
        if (marker) *marker = place * *marker;
        link = other;
      }
      link = number[index(link)];
    };
    std::vector<int> joint_number(robot_.joints.size(), -1);
    std::vector<RobotJoint> joints;
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
      RobotJoint& joint = robot_.joints[i];
      to_new(joint.parent, &joint.on_parent);
      to_new(joint.child, &joint.on_child);
      if (joint.type == Type::fixed && joint.parent == joint.child) continue;
      joint_number[i] = static_cast<int>(joints.size());
      joints.push_back(std::move(joint));
    }
    for (RobotCoupling& c : robot_.couplings) {
      c.follower = joint_number[index(c.follower)];
      if (c.leader >= 0) c.leader = joint_number[index(c.leader)];
    }
    for (RobotActuator& a : robot_.actuators) a.joint = joint_number[index(a.joint)];
    for (RobotRod& rod : robot_.rods) {
      Place a{rod.on_a, mechanics::identity3}, b{rod.on_b, mechanics::identity3};
      to_new(rod.a, &a), to_new(rod.b, &b);
      rod.on_a = a.at, rod.on_b = b.at;
    }
    for (RobotPoint& point : robot_.points) to_new(point.link, &point.at);
    robot_.links = std::move(links);
    robot_.joints = std::move(joints);
  }

 private:
  const std::string& name(int link) const { return robot_.links[index(link)].name; }
  void fault(int line, const std::string& joint, const std::string& message) {
    faults_.push_back({line, 1, fmt::format("joint '{}'", joint), message});
  }
  // The world, and what has a mass and resists every turn.
  bool heavy(int link) const {
    if (link == 0 || robot_.links[index(link)].between) return true;
    const auto& mass = robot_.links[index(link)].mass;
    if (!mass || !(mass->mass > 0)) return false;
    const Mat3& J = mass->inertia;
    const double minor = J.x.x * J.y.y - J.y.x * J.x.y;
    return J.x.x > 0 && minor > 0 && dot(J.x, cross(J.y, J.z)) > 0;
  }
  static MassProperties moved(const MassProperties& m, const Place& place) {
    return {m.mass, place.at + place.axes * m.center, place.axes * m.inertia * transposed(place.axes)};
  }

  Robot& robot_;
  std::vector<ModelFault>& faults_;
  std::vector<int> by_;                      // joint on which a link hangs
  std::vector<std::pair<int, Place>> into_;  // which link takes a light one, and where; -1: none
};

}  // namespace

void place_links(Robot& robot, std::vector<ModelFault>& faults) {
  const std::size_t before = faults.size();
  Tree tree(robot, faults);
  tree.hang();
  if (faults.size() > before) return;
  tree.place();
  if (faults.size() > before) return;
  tree.join_light_links();
  if (faults.size() > before) return;
  tree.apply();
}

}  // namespace driftless::io
