// rolling: a thin disc on b (its centre the point of b, its axis the third) rolls on the plane of a across the third axis without slipping.
//   z_a . d - radius sqrt(1 - (z_a . z_b)^2) = 0                                       1 row
//   x_a, y_a . (velocity of the disc where it touches, as seen from a) = 0             2 velocity rows
// Fails where the disc lies flat.
#include <cmath>

#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry rolling() {
  return {.summary = "a disc on b rolls on the plane of a without slipping",
          .settings = {{.name = "radius",
                        .help = "of the disc",
                        .dimension = length_unit,
                        .required = true,
                        .positive = true}},
          .planar = false,
          .build = [](JointRows& joint) {
            const double radius = joint.setting("radius");
            if (std::abs(joint.at_start(joint.axes(2, 2))) > 1 - 1e-9)
              joint.refuse("begins with its disc flat on the plane; turn its axis");
            joint.vanish("contact", joint.disc_height(radius));
            joint.rest("slip along x", joint.disc_slip(0, radius));
            joint.rest("slip along y", joint.disc_slip(1, radius));
          }};
}

}  // namespace driftless::mechanics::joints
