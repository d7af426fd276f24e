// spherical: a point of b stays at a point of a.
//   P_b = P_a                                       3 rows in space; in the plane this is `revolute`
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry spherical() {
  return {.summary = "ball joint: b turns about a point",
          .settings = {},
          .planar = false,
          .build = [](JointRows& joint) { joint.coincide(); }};
}

}  // namespace driftless::mechanics::joints
