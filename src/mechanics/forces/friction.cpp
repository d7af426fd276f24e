// friction: viscous, along a coordinate of a joint.
//   force = -coefficient y'
#include <driftless/mechanics/force.hpp>

namespace driftless::mechanics::forces {

ForceEntry friction() {
  return {.summary = "viscous friction in a joint",
          .settings = {{.name = "coefficient",
                        .help = "force for a unit of speed",
                        .dimension = damping_unit,
                        .required = true,
                        .not_negative = true}},
          .of_markers = false,
          .build = [](ForceElements& force) {
            force.act(force.length(), SpringLaw{.damping = force.setting("coefficient")});
          }};
}

}  // namespace driftless::mechanics::forces
