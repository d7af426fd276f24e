// Rotations as robot files write them.
#pragma once

#include <cmath>

#include <driftless/mechanics/bodies.hpp>

#include "io/model/axes.hpp"

namespace driftless::io {

inline mechanics::Mat3 about_x(double angle) {
  const double s = std::sin(angle), c = std::cos(angle);
  return {{1, 0, 0}, {0, c, s}, {0, -s, c}};
}
inline mechanics::Mat3 about_y(double angle) {
  const double s = std::sin(angle), c = std::cos(angle);
  return {{c, 0, -s}, {0, 1, 0}, {s, 0, c}};
}
inline mechanics::Mat3 about_z(double angle) {
  const double s = std::sin(angle), c = std::cos(angle);
  return {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
}

// Roll, pitch and yaw about fixed axes x, y, z, one after the other (URDF, SDFormat).
inline mechanics::Mat3 roll_pitch_yaw(const mechanics::Vec3& rpy) {
  return about_z(rpy.z) * about_y(rpy.y) * about_x(rpy.x);
}

}  // namespace driftless::io
