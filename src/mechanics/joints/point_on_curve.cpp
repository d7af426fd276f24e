// point-on-curve: the point of b stays on a smooth curve in the plane of the first two axes of a.
//   distance from the profile = 0, and z_a . d = 0 in space                    2 rows in space, 1 in the plane
// Fails where the point is as far from the curve as its radius of curvature, so begin near it.
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry point_on_curve() {
  return {.summary = "a point of b stays on a smooth curve on a, through given points",
          .settings = {{.name = "profile",
                        .help = "the curve, open or closed, by the first two axes of a",
                        .kind = SettingSpec::Kind::profile,
                        .dimension = length_unit,
                        .required = true}},
          .build = [](JointRows& joint) {
            joint.vanish("distance", joint.curve(*joint.given("profile")->get<Profile>()));
            if (!joint.planar()) joint.vanish("height", joint.along(2));
          }};
}

}  // namespace driftless::mechanics::joints
