// universal: a cross whose arms are the third axis of a and the first of b.
//   P_b = P_a,   z_a . x_b = 0                                                 4 rows
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry universal() {
  return {.summary = "cross joint: b turns about the third axis of a and its own first axis",
          .settings = {},
          .planar = false,
          .build = [](JointRows& joint) {
            joint.coincide();
            joint.vanish("cross", joint.axes(2, 0));
          }};
}

}  // namespace driftless::mechanics::joints
