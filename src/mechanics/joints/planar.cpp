// planar: b slides in the plane across the third axis of a, and turns about it.
//   z_a . x_b = z_a . y_b = 0,   z_a . d = 0                                   3 rows
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry planar() {
  return {.summary = "b slides in a plane and turns about its normal, the axis",
          .settings = {},
          .planar = false,
          .build = [](JointRows& joint) {
            joint.keep_parallel();
            joint.vanish("height", joint.along(2));
            joint.coordinate("x", joint.along(0));
            joint.coordinate("y", joint.along(1));
            joint.coordinate("angle", joint.turn());
          }};
}

}  // namespace driftless::mechanics::joints
