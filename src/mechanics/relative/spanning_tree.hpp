// SpanningTree: through which joint each body hangs on which other, so that all hang on the ground. Joints that are left over close loops, and
// what they demand stays a constraint.
//
// A loop's rows reach along the tree from their bodies to the ground: the shorter the paths, the fewer coordinates a row has and the
// better its gradient is conditioned. So the tree goes breadth first from the ground, every body as near to it as possible; among joints
// that would bring a body equally near
//   - the one with the fewest freedoms is taken: the others leave fewer rows,
//   - then the one to the heavier parent: light bodies at the ends of branches leave the mass matrix well conditioned,
//   - then the one that was given first.
// Bodies that no such joint leads to are free: of a group that hangs together the heaviest, on which the others then hang. A planar body
// does not hang on a spatial one, which would lift it out of its plane.
//
// A body without mass must not end a branch with a joint that moves: nothing beyond would give that joint inertia. So as soon as the first of its
// neighbours is reached, it hangs on that one, and all others on it. It is never free, and no branch is cut beside it. A tree without any freedom would be no system: then its
// first body that has mass is left free, and its joint stays a constraint.
//
// What hangs on one joint of the ground, or on one free body, is a branch. M has a full block for every branch, so that implicit methods, which
// factor it, want short ones: the tree then ends after so many joints, and what lies beyond begins with a free body. Explicit methods
// never form M. Links of a branch follow each other.
#pragma once

#include <vector>

#include <driftless/mechanics/relative_coordinates.hpp>

namespace driftless::mechanics {

// How many freedoms a joint leaves, if a body can hang on another by it; -1: it cannot.
int tree_freedoms(const MechanismModel& model, const Joint& joint);

// Throws InputError where bodies without mass hang on nothing.
SpanningTree spanning_tree(const MechanismModel& model, const std::vector<Joint>& joints,
                           int longest_branch = RelativeCoordinates::any_length);

}  // namespace driftless::mechanics
