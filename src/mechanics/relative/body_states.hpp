// Between coordinates of joints and coordinates of bodies.
#pragma once

#include "mechanics/relative/quaternions.hpp"
#include "mechanics/relative/relative_model.hpp"

namespace driftless::mechanics {

// q and v of MechanismModel.
struct BodyStates {
  Vector q, v;
};
// From z = (q, u) in relative coordinates. Quaternions of bodies follow the coordinates without jumps, and have the sign of the start.
BodyStates body_states(const RelativeModel& model, VectorIn z);

// And back: z. A body that its joint does not allow to be where it is goes where its coordinates, measured from its parent as that
// has been placed, say.
Vector joint_states(const RelativeModel& model, VectorIn q, VectorIn v);

// The quaternion of a joint's turn.
Quaternion joint_quaternion(const TreeJoint& joint, std::span<const double> q);
// Chooses the signs of quaternions so that those of bodies are as given at this z.
void choose_signs(RelativeModel& model, VectorIn z, VectorIn absolute_q);

}  // namespace driftless::mechanics
