// rolling: a thin disc on b (its centre the point of b, its axis the third) rolls on the plane of a across the third axis without slipping.
//   z_a . d - radius sqrt(1 - (z_a . z_b)^2) = 0                                       1 row
//   x_a, y_a . (velocity of the disc where it touches, as seen from a) = 0             2 velocity rows
// Fails where the disc lies flat.
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry rolling() {
  return {.summary = "a disc on b rolls on the plane of a without slipping",
          .settings = {{.name = "radius", .help = "of the disc", .required = true, .positive = true}},
          .planar = false,
          .build = [](JointRows& joint) {
            const double radius = joint.setting("radius");
            joint.vanish("contact", joint.disc_height(radius));
            joint.rest("slip along x", joint.disc_slip(0, radius));
            joint.rest("slip along y", joint.disc_slip(1, radius));
          }};
}

}  // namespace driftless::mechanics::joints
