// force: at the point of b along the third axis of a; the opposite acts on a at the same place. From the ground it keeps its direction in the
// world.
#include <driftless/mechanics/force.hpp>

namespace driftless::mechanics::forces {

ForceEntry force() {
  return {.summary = "force on a point of b along the axis of a",
          .settings = {strength("force", force_unit)},
          .of_joints = false,
          .build = [](ForceElements& element) {
            element.act(element.between().along(2), element.formula("force"));
          }};
}

}  // namespace driftless::mechanics::forces
