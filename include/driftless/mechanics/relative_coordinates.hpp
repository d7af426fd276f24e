// RelativeCoordinates: a mechanism by the coordinates of its joints along a tree, instead of those of its bodies. Joints of the tree need no
// constraints; all others (joints that close loops, gears, drives, distances, rolling, velocity rows) stay the rows that they are, on the
// same measures, with the same names and the same multipliers. Without loops nothing is left to drift.
//
//   const RelativeCoordinates relative(model, joints, start);
//   const Solution run = solve(*relative.problem(), relative.start(), ..);
//   const State state = relative.absolute(run.final);      // for MechanismResults and whatever else knows bodies
//
//   M_r u' = f_r - G_r^T lambda - K_r^T kappa,    v = V(q) u,    M_r = V^T M V,    f_r = V^T (f - M V' u),    G_r = G V,    K_r = K V
//
// Bodies may be massless (massless.hpp) where what hangs on them beyond their joints resists every motion of these.
//
// Without constraints, and with constraints that do not depend on each other, one acceleration takes a time that grows with the
// number of bodies and with the lengths of the rows' paths in the tree (src/mechanics/relative/tree_dynamics.hpp).
#pragma once

#include <memory>
#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/core/solution.hpp>
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics {

// How a body hangs on another: by a joint, or free in the space of the ground.
struct TreeLink {
  int body = 0, parent = 0;
  int joint = -1;  // -1: free
};
struct SpanningTree {
  std::vector<TreeLink> links;  // parents before children
};

struct RelativeModel;
class TreeDynamics;

class RelativeCoordinates {
 public:
  // A finished model and its joints. The start says how joints have met and how far they have turned; it may be rough.
  // Throws InputError where nothing resists a joint of a massless body there.
  // longest_branch: how many joints in a row the tree may have, from the ground or a free body; short ones are for implicit methods.
  static constexpr int any_length = 1 << 30, for_implicit_methods = 8;
  RelativeCoordinates(MechanismModel model, std::vector<Joint> joints, const State& absolute_start,
                      int longest_branch = any_length);

  std::shared_ptr<const Problem> problem() const { return problem_; }
  const State& start() const { return start_; }
  const SpanningTree& tree() const { return tree_; }

  // The state by bodies: places, velocities, and the multipliers of all rows, those of the tree's joints from the balance of each body;
  // where rows depend on each other, those of least norm.
  State absolute(const State& relative) const;
  // All states of a run, and the constraints that it names.
  Solution absolute(Solution run) const;
  // And back. A state that is not on the tree's joints moves there, each body as little as its parent allows.
  State relative(const State& absolute) const;

 private:
  std::shared_ptr<const RelativeModel> model_;
  std::shared_ptr<const TreeDynamics> dynamics_;
  SpanningTree tree_;
  std::shared_ptr<const Problem> problem_;
  State start_;
  std::shared_ptr<const Problem>
      redundant_bodies_;  // by bodies, where rows depend on each other at the start
};

}  // namespace driftless::mechanics
