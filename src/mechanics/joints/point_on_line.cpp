// point-on-line: the point of b stays on the third axis of a.
//   x_a . d = 0, and y_a . d = 0 in space                                      2 rows in space, 1 in the plane
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry point_on_line() {
  return {.summary = "a point of b stays on the axis of a", .settings = {}, .build = [](JointRows& joint) {
            joint.vanish("across x", joint.along(0));
            if (!joint.planar()) joint.vanish("across y", joint.along(1));
            joint.coordinate("position", joint.along(2));
          }};
}

}  // namespace driftless::mechanics::joints
