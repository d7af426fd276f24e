// prismatic: b slides along the third axis of a and does not turn.
//   x_a . d = y_a . d = 0,   z_a . x_b = z_a . y_b = 0,   x_a . y_b = 0      5 rows in space
//   x_a . d = 0,   angle_b - angle_a as at the start                           2 in the plane
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry prismatic() {
  return {.summary = "b slides along the axis", .settings = {}, .build = [](JointRows& joint) {
            joint.vanish("across x", joint.along(0));
            if (joint.planar()) {
              joint.vanish_angle();
            } else {
              joint.vanish("across y", joint.along(1));
              joint.keep_parallel();
              joint.vanish("turn", joint.axes(0, 1));
              joint.face(0);
            }
            joint.coordinate("position", joint.along(2));
          }};
}

}  // namespace driftless::mechanics::joints
