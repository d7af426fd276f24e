// gear: the angle of joint b follows that of joint a.
//   angle_b - ratio angle_a  as at the start             1 row; ratio < 0 where the wheels turn against each other
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry gear() {
  return {.summary = "the angle of one joint follows that of another",
          .settings = {{.name = "ratio",
                        .help = "turns of b for one of a; negative where they turn against each other",
                        .required = true,
                        .not_zero = true}},
          .of_joints = true,
          .build = [](JointRows& joint) {
            joint.stay("mesh", {{joint.of_joint(1, "angle"), 1},
                                {joint.of_joint(0, "angle"), -joint.setting("ratio")}});
          }};
}

}  // namespace driftless::mechanics::joints
