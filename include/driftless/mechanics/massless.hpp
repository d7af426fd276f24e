// Bodies without mass, which stand between two joints: what hangs beyond gives them inertia. By bodies M is singular with them, so that they move in
// the coordinates of joints alone (relative_coordinates.hpp).
#pragma once

#include <driftless/mechanics/mechanism_model.hpp>

namespace driftless::mechanics {

// The first one; null: all bodies have mass.
const Body* massless_body(const MechanismModel& model);

// Throws InputError, where accelerations of bodies are to follow from the forces on each.
void refuse_massless(const MechanismModel& model);

// With mass and inertia 1 for those that have none: for what follows from the rows alone, closing and ranks.
MechanismModel with_stand_in_masses(MechanismModel model);

}  // namespace driftless::mechanics
