// How large a mechanism and its bodies are, whatever the units, the origin and the configuration: what rank decisions and error weights compare
// with.
#pragma once

#include <vector>

#include <driftless/mechanics/mechanism_model.hpp>

namespace driftless::mechanics {

struct Sizes {
  double length = 1;  // across the largest body, or across all points on the ground
  double body = 1;    // across an ordinary body (the median), at most the length
  std::vector<double>
      levers;  // of each body: how far from its mass centre the points are that joints and forces hold
};

Sizes sizes_of(const MechanismModel& model);

}  // namespace driftless::mechanics
