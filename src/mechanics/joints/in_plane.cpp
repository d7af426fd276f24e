// in-plane: the point of b stays in the plane across the third axis of a.
//   z_a . d = 0                                                                1 row
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry in_plane() {
  return {.summary = "a point of b stays in the plane across the axis of a",
          .settings = {},
          .planar = false,
          .build = [](JointRows& joint) { joint.vanish("height", joint.along(2)); }};
}

}  // namespace driftless::mechanics::joints
