// actuator: a force along a coordinate of a joint, a torque where that is an angle.
//   force = a formula in t, parameters, joint coordinates and their rates
#include <driftless/mechanics/force.hpp>

namespace driftless::mechanics::forces {

ForceEntry actuator() {
  return {.summary = "force or torque in a joint by a formula",
          .settings = {strength("force", effort_unit)},
          .of_markers = false,
          .build = [](ForceElements& force) { force.act(force.length(), force.formula("force")); }};
}

}  // namespace driftless::mechanics::forces
