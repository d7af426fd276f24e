// cylindrical: b slides along and turns about the third axis of a.
//   x_a . d = y_a . d = 0,   z_a . x_b = z_a . y_b = 0                         4 rows
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry cylindrical() {
  return {.summary = "b slides along and turns about the axis",
          .settings = {},
          .planar = false,
          .build = [](JointRows& joint) {
            joint.share_axis();
            joint.coordinate("position", joint.along(2));
            joint.coordinate("angle", joint.turn());
          }};
}

}  // namespace driftless::mechanics::joints
