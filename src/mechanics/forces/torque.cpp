// torque: on b about the third axis of a; the opposite acts on a. From the ground it keeps its direction in the world.
#include <driftless/mechanics/force.hpp>

namespace driftless::mechanics::forces {

ForceEntry torque() {
  return {.summary = "torque on b about the axis of a",
          .settings = {strength("torque", torque_unit)},
          .of_joints = false,
          .build = [](ForceElements& element) {
            element.act(element.between().turn(), element.formula("torque"));
          }};
}

}  // namespace driftless::mechanics::forces
