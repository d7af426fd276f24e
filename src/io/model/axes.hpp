// Axes from directions.
#pragma once

#include <algorithm>
#include <cmath>

#include <driftless/mechanics/vector3.hpp>

namespace driftless::io {

inline double largest_entry(const mechanics::Vec3& v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

// Of any length but 0, those included whose square is no number any more.
inline mechanics::Vec3 normalized(const mechanics::Vec3& v) {
  constexpr double small = 1e-150, large = 1e150;
  const double largest = largest_entry(v);
  if (largest > small && largest < large) return (1 / norm(v)) * v;
  const mechanics::Vec3 scaled{v.x / largest, v.y / largest, v.z / largest};
  return (1 / norm(scaled)) * scaled;
}

// First along x, third roughly along `up`.
inline mechanics::Mat3 axes_along(const mechanics::Vec3& x, const mechanics::Vec3& up) {
  const mechanics::Vec3 z = normalized(up - dot(up, x) * x);
  return {x, cross(z, x), z};
}

// Third along z, which is of unit length, first roughly along x (or y, where z is near it).
inline mechanics::Mat3 axes_with_third(const mechanics::Vec3& z) {
  const mechanics::Vec3 helper = std::abs(z.x) < 0.9 ? mechanics::Vec3{1, 0, 0} : mechanics::Vec3{0, 1, 0};
  const mechanics::Vec3 x = normalized(helper - dot(helper, z) * z);
  return {x, cross(z, x), z};
}

}  // namespace driftless::io
