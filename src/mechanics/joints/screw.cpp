// screw: b slides along the third axis of a as it turns about it.
//   cylindrical, and  z_a . d - pitch turn / (2 pi)  as at the start          5 rows
#include <numbers>

#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry screw() {
  return {.summary = "b slides along the axis as it turns about it",
          .settings = {{.name = "pitch",
                        .help = "displacement along the axis for one turn",
                        .dimension = length_unit,
                        .required = true}},
          .planar = false,
          .build = [](JointRows& joint) {
            joint.share_axis();
            joint.stay("thread", {{joint.along(2), 1},
                                  {joint.turn(), -joint.setting("pitch") / (2 * std::numbers::pi)}});
            joint.coordinate("position", joint.along(2));
            joint.coordinate("angle", joint.turn());
          }};
}

}  // namespace driftless::mechanics::joints
