// The ODE behind `state-space`: the equations are in formulations/state_space.cpp, the coordinates in
// local_coordinates.hpp.
#pragma once

#include <memory>

#include <driftless/core/system.hpp>

namespace driftless::formulations {

// R without entries: coordinates are chosen, and changed where they must.
std::unique_ptr<System> state_space_system(const Problem& problem, MatrixIn R);

}  // namespace driftless::formulations
