// follower-force: at the point of b along the third axis of b, so that it turns with it, as a thruster does.
#include <driftless/mechanics/force.hpp>

namespace driftless::mechanics::forces {

ForceEntry follower_force() {
  return {.summary = "force on a point of b along its own axis",
          .settings = {strength("force", force_unit)},
          .of_joints = false,
          .build = [](ForceElements& element) {
            element.act(element.between().slip(2), element.formula("force"));
          }};
}

}  // namespace driftless::mechanics::forces
