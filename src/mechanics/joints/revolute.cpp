// revolute: b turns about the third axis, which is fixed in both bodies.
//   P_b = P_a,   z_a . x_b = z_a . y_b = 0          5 rows in space, 2 in the plane
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry revolute() {
  return {.summary = "b turns about the axis", .settings = {}, .build = [](JointRows& joint) {
            joint.coincide();
            if (!joint.planar()) joint.keep_parallel();
            joint.coordinate("angle", joint.turn());
          }};
}

}  // namespace driftless::mechanics::joints
