// RelativeModel: a mechanism with its bodies on a tree of joints: what its coordinates are and where they stand, which rows are left, and
// which joints each row depends on.
//   q = (coordinates of the tree's joints, in their order; turns of other joints that are asked for)
//   u = (velocities of the tree's joints)
#pragma once

#include <span>
#include <string>
#include <vector>

#include <driftless/mechanics/relative_coordinates.hpp>

#include "mechanics/relative/joint_motion.hpp"
#include "mechanics/relative/quaternions.hpp"

namespace driftless::mechanics {

struct RelativeModel {
  RelativeModel(MechanismModel model, std::vector<Joint> all, const SpanningTree& spanning,
                std::span<const double> absolute_q);

  MechanismModel absolute;
  std::vector<Joint> joints;
  std::vector<TreeJoint> tree;    // parents before children
  std::vector<Measure> measures;  // as in `absolute`, with turns standing where they do in q
  struct OwnTurn {
    int measure, absolute_entry;
  };
  std::vector<OwnTurn> turns;  // of joints outside the tree
  std::vector<int> rows;       // those of absolute.rows that are left
  int nq = 0, nv = 0, ng = 0, nk = 0;
  bool moving = false;

  // Of each joint of the tree, as quaternions: the axes of its marker on a, and what stands behind its turn; with signs so that those
  // of bodies are as at the start.
  struct Ends {
    Quaternion before, behind;
  };
  std::vector<Ends> joint_ends;

  // The joints of the tree that a row depends on, by their places in `tree`, last ones first: rows of g, then rows of w.
  std::vector<std::vector<int>> paths;

  const Body& body(int i) const { return absolute.body(i); }
  const Measure& measure(int i) const { return measures[static_cast<std::size_t>(i)]; }
  int bodies() const { return static_cast<int>(absolute.bodies.size()); }
  // A row by its place among those that are left: of g, then of w.
  const Row& row(int i) const {
    return i < ng ? absolute.rows[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])]
                  : absolute.velocity_rows[static_cast<std::size_t>(i - ng)];
  }

  // Leaves these rows too to the tree; by their places among those that are left.
  void leave_to_tree(const std::vector<int>& met);

  std::string coordinate_name(int i) const;
  std::string velocity_name(int i) const;

 private:
  TreeJoint tree_joint(const TreeLink& link, std::span<const double> absolute_q) const;
  void place_turns();
  void find_rows();
  void find_paths();
  std::string entry_name(const TreeJoint& joint, int own, bool velocity) const;
};

// The place of a joint's angle among its coordinates; -1: it has none.
int angle_entry(TreeJoint::Kind kind);

// Everything from the ground outward. Poses alone, velocities too, or what velocities do to accelerations as well.
enum class Depth { places, velocities, accelerations };

template <Depth depth, class T>
void move_tree(const RelativeModel& model, std::span<const T> q, std::span<const T> v,
               std::span<MovedOf<T>> bodies) {
  bodies[0] = {};
  bodies[0].pose.R = lifted<T>(identity3);
  for (const TreeJoint& joint : model.tree) {
    const MovedOf<T>& parent = bodies[static_cast<std::size_t>(joint.parent)];
    MovedOf<T>& child = bodies[static_cast<std::size_t>(joint.child)];
    child.arms = place_child(joint, q, parent.pose, child.pose);
    if constexpr (depth != Depth::places) move_child<depth == Depth::accelerations>(joint, v, parent, child);
  }
}

}  // namespace driftless::mechanics
