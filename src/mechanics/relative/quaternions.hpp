// Unit quaternions of rotations and their products: R(p o s) = R(p) R(s).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include <driftless/mechanics/vector3.hpp>

namespace driftless::mechanics {

using Quaternion = std::array<double, 4>;

inline Quaternion product(const Quaternion& p, const Quaternion& s) {
  return {p[0] * s[0] - p[1] * s[1] - p[2] * s[2] - p[3] * s[3],
          p[0] * s[1] + p[1] * s[0] + p[2] * s[3] - p[3] * s[2],
          p[0] * s[2] + p[2] * s[0] + p[3] * s[1] - p[1] * s[3],
          p[0] * s[3] + p[3] * s[0] + p[1] * s[2] - p[2] * s[1]};
}
inline Quaternion inverse(const Quaternion& p) {
  return {p[0], -p[1], -p[2], -p[3]};
}
inline Quaternion about(int axis, double angle) {
  Quaternion p{std::cos(angle / 2)};
  p[static_cast<std::size_t>(axis) + 1] = std::sin(angle / 2);
  return p;
}

// The largest entry is found first: the others are divided by it.
inline Quaternion quaternion_of(const Mat3& R) {
  const double squares[] = {1 + R.x.x + R.y.y + R.z.z, 1 + R.x.x - R.y.y - R.z.z, 1 - R.x.x + R.y.y - R.z.z,
                            1 - R.x.x - R.y.y + R.z.z};                     // 4 p_i^2
  const double yz = R.y.z - R.z.y, zx = R.z.x - R.x.z, xy = R.x.y - R.y.x;  // 4 p0 p1, 4 p0 p2, 4 p0 p3
  const double sx = R.y.z + R.z.y, sy = R.z.x + R.x.z, sz = R.x.y + R.y.x;  // 4 p2 p3, 4 p3 p1, 4 p1 p2
  Quaternion p;
  switch (std::max_element(std::begin(squares), std::end(squares)) - std::begin(squares)) {
    case 0:
      p = {squares[0], yz, zx, xy};
      break;
    case 1:
      p = {yz, squares[1], sz, sy};
      break;
    case 2:
      p = {zx, sz, squares[2], sx};
      break;
    default:
      p = {xy, sy, sx, squares[3]};
  }
  const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  for (double& entry : p) entry /= length;
  return p;
}

}  // namespace driftless::mechanics
