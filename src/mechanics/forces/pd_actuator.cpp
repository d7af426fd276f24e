// pd-actuator: drives a coordinate of a joint to a target that may move.
//   force = proportional (target(t) - y) + derivative (target'(t) - y')
#include <driftless/mechanics/force.hpp>

namespace driftless::mechanics::forces {

ForceEntry pd_actuator() {
  return {.summary = "drives a joint to a target by proportional and derivative action",
          .settings = {{.name = "proportional",
                        .help = "force for a unit of distance from the target",
                        .dimension = stiffness_unit,
                        .required = true},
                       {.name = "derivative",
                        .help = "force for a unit of speed against the target's",
                        .dimension = damping_unit},
                       {.name = "target",
                        .help = "where the joint is to be",
                        .kind = SettingSpec::Kind::motion,
                        .dimension = stretch_unit,
                        .argument = {.time = 1}}},
          .of_markers = false,
          .build = [](ForceElements& force) {
            force.act(force.length(), PdLaw{.proportional = force.setting("proportional"),
                                            .derivative = force.setting("derivative"),
                                            .target = force.motion("target")});
          }};
}

}  // namespace driftless::mechanics::forces
