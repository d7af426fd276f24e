// MechanismResults: what people want to know of a mechanism at a state: where bodies and joints are, what joints carry, where the energy is.
//   reaction on b = - sum of lambda . pull of the row on b, its torque moved from the mass centre to the joint
// Made once for a mechanism and asked for many states.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics {

struct BodyId {
  int index = 0;
};
struct JointId {
  int index = 0;
};

// What a joint does to its second body; the opposite acts on the first. A joint between joints does it to the second body of its second
// joint.
struct Reaction {
  Vec3 force = {}, torque = {};          // in world axes, the torque about the point of b
  Vec3 own_force = {}, own_torque = {};  // along the axes of the joint on a
};

// Where the energy of a mechanism is.
struct ElementEnergy {
  std::string name;
  double kinetic = 0, potential = 0;
  double power = 0;  // that it puts in; negative: takes away
  // Of a force: how hard it pushes, along what, positive where it would make that grow; as angle and torque, or length and force.
  double push = 0, value = 0;
  bool angle = false;
};

// A coordinate of a joint and its rate.
struct CoordinateValue {
  double value = 0, rate = 0;
};

class MechanismResults {
 public:
  MechanismResults(MechanismModel model, std::vector<Joint> joints)
      : model_(std::move(model)), joints_(std::move(joints)) {}

  Pose pose(const State& state, BodyId body) const;  // of the mass centre; rates in world axes
  std::array<double, 4> quaternion(const State& state, BodyId body) const;  // of a spatial body
  // Angles in space that nobody asked for are known but for whole turns: the one nearest to `near` is meant.
  CoordinateValue coordinate(const State& state, JointId joint, const std::string& name,
                             double near = 0) const;
  // With the multipliers of the state.
  Reaction reaction(const State& state, JointId joint) const;
  double effort(const State& state,
                const std::string& drive) const;  // how hard it pushes along what it moves
  // All of them, with the rows of their multipliers: for whoever asks of many drives, and often.
  struct Drive {
    std::string name;
    int row = 0;
    bool angle = false;  // it turns something
  };
  std::vector<Drive> drives() const;
  double effort(const State& state, int row) const;  // of a drive
  // Of bodies, with gravity, then of forces, then of drives.
  std::vector<ElementEnergy> energies(const State& state) const;

 private:
  struct Entries {
    std::span<const double> q, v;
  };
  Entries entries(const State& state) const;
  const Joint& joint(JointId id) const;
  const Body& body(BodyId id) const;

  MechanismModel model_;
  std::vector<Joint> joints_;
};

}  // namespace driftless::mechanics
