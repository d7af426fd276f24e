// distance: a massless bar between two points.
//   d . d / (2 length) = length / 2                                            1 row; its multiplier is the force in the bar
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

namespace {

constexpr double meeting =
    1e-9;  // of how far points are from mass centres: roundoff, along which no bar can push

double far_from_centre(const Measure& m) {
  return std::sqrt(std::max(dot(m.pa, m.pa), dot(m.pb, m.pb)));
}

}  // namespace

JointEntry distance() {
  return {.summary = "the points keep their distance, as by a massless bar",
          .settings = {{.name = "length",
                        .help = "of the bar; that of the start where it is not given",
                        .dimension = length_unit,
                        .optional = true,
                        .positive = true}},
          .build = [](JointRows& joint) {
            const Measure distance = joint.between(Measure::Kind::distance);
            const bool given = joint.given("length");
            const double length = given ? joint.setting("length") : joint.at_start(distance),
                         least = meeting * far_from_centre(distance);
            if (!(length > least))
              joint.refuse(fmt::format(
                  "has {} (distance {:.3g}, must be above {:.3g}), so that no direction is left for the "
                  "force in its "
                  "bar; {}use a joint that lets points meet: revolute or spherical",
                  given ? "no length to speak of" : "points that meet, and no length", length, least,
                  given ? "give it a longer one, or " : "give it one, or points apart, or "));
            Measure square = joint.between(Measure::Kind::square);
            square.length = length;
            joint.vanish("length", square, length / 2);
          }};
}

}  // namespace driftless::mechanics::joints
