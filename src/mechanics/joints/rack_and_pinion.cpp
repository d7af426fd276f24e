// rack-and-pinion: joint b slides as joint a turns.
//   position_b - radius angle_a  as at the start         1 row
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry rack_and_pinion() {
  return {
      .summary = "one joint slides as another turns",
      .settings = {{.name = "radius",
                    .help = "of the pinion, joint a; negative where the rack, joint b, goes the other way",
                    .dimension = length_unit,
                    .required = true,
                    .not_zero = true}},
      .of_joints = true,
      .build = [](JointRows& joint) {
        joint.stay("mesh", {{joint.of_joint(1, "position"), 1},
                            {joint.of_joint(0, "angle"), -joint.setting("radius")}});
      }};
}

}  // namespace driftless::mechanics::joints
