// spring-damper: between two points, or along a coordinate of a joint (a torsion spring, where that is an angle).
//   force = -stiffness (y - rest) - damping y' - preload,  or by curves:  -curve(y - rest) - dashpot(y') - preload
// Fails where the points meet: a force between them has no direction there.
#include <driftless/mechanics/force.hpp>

namespace driftless::mechanics::forces {

ForceEntry spring_damper() {
  using Kind = SettingSpec::Kind;
  return {
      .summary = "spring and damper between two points or along a joint coordinate",
      .settings = {{.name = "stiffness",
                    .help = "force for a unit of stretch",
                    .dimension = stiffness_unit,
                    .optional = true},
                   {.name = "damping",
                    .help = "force for a unit of speed",
                    .dimension = damping_unit,
                    .optional = true,
                    .not_negative = true},
                   {.name = "rest",
                    .help = "length without force; that of the start where it is not given",
                    .dimension = stretch_unit,
                    .optional = true},
                   {.name = "preload",
                    .help = "force that pulls together at rest",
                    .dimension = effort_unit,
                    .optional = true},
                   {.name = "curve",
                    .help = "force over stretch instead of the stiffness",
                    .kind = Kind::table,
                    .dimension = effort_unit,
                    .argument = stretch_unit},
                   {.name = "dashpot",
                    .help = "force over speed instead of the damping",
                    .kind = Kind::table,
                    .dimension = effort_unit,
                    .argument = {.time = -1, .stretch = 1}}},
      .build = [](ForceElements& force) {
        if (force.has("curve") && force.has("stiffness"))
          force.refuse("has a curve and a stiffness; give one of them");
        if (force.has("dashpot") && force.has("damping"))
          force.refuse("has a dashpot and a damping; give one of them");
        if (!force.has("curve") && !force.has("stiffness") && !force.has("dashpot") &&
            !force.has("damping") && !force.has("preload"))
          force.refuse("does nothing; give it a stiffness, a damping, a preload, a curve or a dashpot");
        const Measure y = force.length();
        if (!force.of_joint() && !(force.at_start(y) > 0))
          force.refuse(
              "begins with its points at the same place, where it has no direction; give it points apart");
        SpringLaw law{.stiffness = force.setting("stiffness"),
                      .damping = force.setting("damping"),
                      .rest = force.has("rest") ? force.setting("rest") : force.at_start(y),
                      .preload = force.setting("preload")};
        if (force.has("curve")) law.elastic = *force.given("curve").get<Table>();
        if (force.has("dashpot")) law.dashpot = *force.given("dashpot").get<Table>();
        force.act(y, law);
      }};
}

}  // namespace driftless::mechanics::forces
