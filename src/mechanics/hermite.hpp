// The polynomial between two places where value, slope and (degree 5) second derivative are given. With the width d and the chord
// m = (y_1 - y_0)/d:
//   degree 3   c2 = (3 m - 2 s_0 - s_1)/d,   c3 = (s_0 + s_1 - 2 m)/d^2
//   degree 5   c2 = k_0/2,   c3 d^2 = 10 a - 4 b + e,   c4 d^3 = -15 a + 7 b - 2 e,   c5 d^4 = 6 a - 3 b + e
//              with a = m - s_0 - k_0 d/2,   b = s_1 - s_0 - k_0 d,   e = (k_1 - k_0) d/2
#pragma once

#include <driftless/mechanics/spline.hpp>

namespace driftless::mechanics {

struct Knot {
  double value = 0, slope = 0, bend = 0;  // y, y', y''
};

inline Polynomial cubic_between(double at, double d, const Knot& from, const Knot& to) {
  const double m = (to.value - from.value) / d;
  return {at,
          {from.value, from.slope, (3 * m - 2 * from.slope - to.slope) / d,
           (from.slope + to.slope - 2 * m) / d / d}};
}

inline Polynomial quintic_between(double at, double d, const Knot& from, const Knot& to) {
  const double m = (to.value - from.value) / d, s0 = from.slope, k0 = from.bend;
  const double a = m - s0 - k0 * d / 2, b = to.slope - s0 - k0 * d, e = (to.bend - k0) * d / 2;
  return {at,
          {from.value, s0, k0 / 2, (10 * a - 4 * b + e) / d / d, (-15 * a + 7 * b - 2 * e) / d / d / d,
           (6 * a - 3 * b + e) / d / d / d / d}};
}

}  // namespace driftless::mechanics
