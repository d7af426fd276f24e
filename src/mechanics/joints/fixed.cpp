// fixed: b does not move against a.
//   P_b = P_a,   z_a . x_b = z_a . y_b = x_a . y_b = 0      6 rows in space;   P_b = P_a and the angle, 3 in the plane
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry fixed() {
  return {.summary = "b does not move against a", .settings = {}, .build = [](JointRows& joint) {
            joint.coincide();
            if (joint.planar()) {
              joint.vanish_angle();
              return;
            }
            joint.keep_parallel();
            joint.vanish("turn", joint.axes(0, 1));
            joint.face(0);
          }};
}

}  // namespace driftless::mechanics::joints
