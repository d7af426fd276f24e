// Sums of small matrices, for formulas that are made of them.
#pragma once

#include <driftless/mechanics/vector3.hpp>

namespace driftless::mechanics {

// a x b = tilde(a) b
inline Mat3 tilde(const Vec3& a) {
  return {{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}};
}
inline void add(Mat3& A, double factor, const Mat3& B) {
  A.x += factor * B.x, A.y += factor * B.y, A.z += factor * B.z;
}
inline void add_outer(Mat3& A, double factor, const Vec3& a, const Vec3& b) {  // factor a b^T
  A.x += (factor * b.x) * a, A.y += (factor * b.y) * a, A.z += (factor * b.z) * a;
}

}  // namespace driftless::mechanics
