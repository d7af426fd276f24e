// Units: what the numbers of somebody else mean in SI, and of which kind a number is.
//   unit of a number = length^a mass^b time^c angle^d force^e
// Force is a unit of its own, so that a model in millimetres may have stiffnesses in N/mm. Where a number belongs to a coordinate of a
// joint, `stretch` is what that is measured in, and `effort` what acts along it: length and force, or angle and torque.
#pragma once

namespace driftless::mechanics {

struct Dimension {
  int length = 0, mass = 0, time = 0, angle = 0, force = 0;
  int stretch = 0, effort = 0;

  bool operator==(const Dimension&) const = default;

  // Along a length, or about an axis.
  constexpr Dimension along(bool angle_coordinate) const {
    Dimension d = *this;
    d.stretch = d.effort = 0;
    if (angle_coordinate) {
      d.angle += stretch;
      d.force += effort;
      d.length += effort;
    } else {
      d.length += stretch;
      d.force += effort;
    }
    return d;
  }
};

// Of what acts along a coordinate, and how it grows with it and with its rate.
inline constexpr Dimension length_unit{.length = 1}, force_unit{.force = 1},
    torque_unit{.length = 1, .force = 1}, stretch_unit{.stretch = 1}, effort_unit{.effort = 1},
    stiffness_unit{.stretch = -1, .effort = 1}, damping_unit{.time = 1, .stretch = -1, .effort = 1};

struct Units {
  double length = 1, mass = 1, time = 1, angle = 1, force = 1;

  bool operator==(const Units&) const = default;

  // SI for one of it. Stretch and effort must be resolved.
  constexpr double of(const Dimension& d) const {
    return power(length, d.length) * power(mass, d.mass) * power(time, d.time) * power(angle, d.angle) *
           power(force, d.force);
  }

 private:
  static constexpr double power(double base, int exponent) {
    double result = 1;
    for (int i = 0; i < (exponent < 0 ? -exponent : exponent); ++i) result *= base;
    return exponent < 0 ? 1 / result : result;
  }
};

}  // namespace driftless::mechanics
