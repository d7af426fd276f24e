// What keeps a coordinate from moving.
#pragma once

#include <string>
#include <vector>

#include "io/model/check_parts.hpp"

namespace driftless::io {

// Joints and drives whose forces would hold the coordinate at that place, "A.angle" or "crank.x": those with the largest forces first; its own
// joint only where no other does.
std::vector<std::string> in_the_way_of(const CheckedMechanism& mechanism, const std::string& name,
                                       const State& place);

}  // namespace driftless::io
