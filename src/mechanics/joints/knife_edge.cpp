// knife-edge: the point of b does not move along its first axis, as a blade or a wheel does not move sideways.
//   x_b . (velocity of P_b as seen from a) = 0                                 1 velocity row
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry knife_edge() {
  return {.summary = "a point of b does not move sideways, along the first axis of b",
          .settings = {},
          .build = [](JointRows& joint) { joint.rest("sideways", joint.slip(0)); }};
}

}  // namespace driftless::mechanics::joints
