// Axes from directions.
#pragma once

#include <driftless/mechanics/vector3.hpp>

namespace driftless::io {

inline mechanics::Vec3 normalized(const mechanics::Vec3& v) {
  return (1 / norm(v)) * v;
}

// First along x, third roughly along `up`.
inline mechanics::Mat3 axes_along(const mechanics::Vec3& x, const mechanics::Vec3& up) {
  const mechanics::Vec3 z = normalized(up - dot(up, x) * x);
  return {x, cross(z, x), z};
}

}  // namespace driftless::io
