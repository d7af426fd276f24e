// distance: a massless bar between two points.
//   d . d / (2 length) = length / 2                                            1 row; its multiplier is the force in the bar
#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry distance() {
  return {.summary = "the points keep their distance, as by a massless bar",
          .settings = {{.name = "length",
                        .help = "of the bar; that of the start where it is not given",
                        .dimension = length_unit,
                        .optional = true,
                        .positive = true}},
          .build = [](JointRows& joint) {
            const double length = joint.given("length")
                                      ? joint.setting("length")
                                      : joint.at_start(joint.between(Measure::Kind::distance));
            if (!(length > 0))
              joint.refuse("has points that meet, and no length; give it one, or points apart");
            Measure square = joint.between(Measure::Kind::square);
            square.length = length;
            joint.vanish("length", square, length / 2);
          }};
}

}  // namespace driftless::mechanics::joints
