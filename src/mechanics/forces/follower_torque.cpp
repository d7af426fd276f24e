// follower-torque: on b about its own third axis; the opposite acts on a.
#include <driftless/mechanics/force.hpp>

namespace driftless::mechanics::forces {

ForceEntry follower_torque() {
  return {.summary = "torque on b about its own axis",
          .settings = {strength("torque", torque_unit)},
          .of_joints = false,
          .build = [](ForceElements& element) {
            element.act(element.between().spin(2), element.formula("torque"));
          }};
}

}  // namespace driftless::mechanics::forces
