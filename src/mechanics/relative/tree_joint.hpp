// TreeJoint: a joint through which a body hangs on its parent, by coordinates of its own. With the markers a and b of the joint, the slide
// s and the turn X that its coordinates say,
//   P_b = P_a + R_a A_a s,    R_b A_b = R_a A_a X
//   revolute      X = Rz(angle)                                    angle
//   prismatic     s = (0, 0, position)                             position
//   cylindrical   both                                             position, angle
//   screw         both, position = offset + lead angle             angle
//   universal     X = Rz(first) Rx(second)                         first, second
//   spherical     X = R(p)                                         p, unit quaternion; rates about the axes of b
//   planar        s = (x, y, 0), X = Rz(angle)                     x, y, angle
//   free          s = (x, y, z), X = R(p), a is the ground         the coordinates and velocities of a body that hangs on nothing
//   fixed         nothing
// and in the plane, where angles are counted:  angle_b = angle_a + (coordinate) + offset. Joints whose markers may also meet turned
// by 180 degrees (their rows do not say) keep how they met at the start: X is followed by a constant half turn, or none.
// The parent may be either side; coordinates always say how b stands to a, as the joint's own measures do.
#pragma once

#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics {

struct TreeJoint {
  enum class Kind {
    fixed,
    revolute,
    prismatic,
    cylindrical,
    screw,
    universal,
    spherical,
    planar,
    free,
    flat_fixed,  // between planar bodies
    flat_revolute,
    flat_prismatic,
    flat_free
  };
  Kind kind = Kind::free;
  int joint = -1;  // number of the joint; -1: free
  int parent = 0, child = 0;
  Marker a, b;
  Mat3 behind = identity3;  // half turn or none, then from the marker of b to the axes of its body
  int q = 0, v = 0;         // where its coordinates and velocities begin
  double offset = 0;        // of a screw's position, of an angle in the plane
  double lead = 0;          // of a screw, for a radian

  bool child_is_b() const { return child == b.body; }
  bool flat() const { return kind >= Kind::flat_fixed; }
  int coordinates() const;
  int velocities() const;
  bool slides(int own) const;  // whether this one of its velocities is a length by time
};

inline bool TreeJoint::slides(int own) const {
  switch (kind) {
    case Kind::prismatic:
    case Kind::flat_prismatic:
      return true;
    case Kind::cylindrical:
      return own == 0;
    case Kind::planar:
    case Kind::flat_free:
      return own < 2;
    case Kind::free:
      return own < 3;
    default:
      return false;
  }
}

inline int TreeJoint::velocities() const {
  switch (kind) {
    case Kind::fixed:
    case Kind::flat_fixed:
      return 0;
    case Kind::cylindrical:
    case Kind::universal:
      return 2;
    case Kind::spherical:
    case Kind::planar:
    case Kind::flat_free:
      return 3;
    case Kind::free:
      return 6;
    default:
      return 1;
  }
}
inline int TreeJoint::coordinates() const {
  return velocities() + (kind == Kind::spherical || kind == Kind::free ? 1 : 0);
}

// --- small matrices of any scalar ----------------------------------------------------------------------------------------------

template <class T>
Vector3<T> lifted(const Vec3& u) {
  return {T(u.x), T(u.y), T(u.z)};
}
template <class T>
Matrix3<T> lifted(const Mat3& A) {
  return {lifted<T>(A.x), lifted<T>(A.y), lifted<T>(A.z)};
}
template <class T>
Vector3<T> scaled(const T& factor, const Vec3& u) {
  return {factor * u.x, factor * u.y, factor * u.z};
}
template <class A, class B>
Matrix3<Product<A, B>> times(const Matrix3<A>& left, const Matrix3<B>& right) {
  return {left * right.x, left * right.y, left * right.z};
}
template <class T>
Matrix3<T> transpose_of(const Matrix3<T>& A) {
  return {{A.x.x, A.y.x, A.z.x}, {A.x.y, A.y.y, A.z.y}, {A.x.z, A.y.z, A.z.z}};
}

// --- places --------------------------------------------------------------------------------------------------------------------

// How b stands to a, by the axes of a: P_b from r_a, the turn R_a^T R_b, and the angle between planar bodies.
template <class T>
struct JointPose {
  Vector3<T> place{};
  Matrix3<T> turn{};
  T angle{};
};

template <class T>
JointPose<T> joint_pose(const TreeJoint& j, std::span<const T> all) {
  using Kind = TreeJoint::Kind;
  using autodiff::sin_cos;
  const Mat3& A = j.a.axes;
  const auto entry = [&](int i) -> const T& { return all[static_cast<std::size_t>(j.q + i)]; };
  JointPose<T> pose{lifted<T>(j.a.point), {}, T(j.offset)};
  const auto slide = [&](const T& s, const Vec3& axis) { pose.place += scaled(s, axis); };
  const auto about_third = [&](const T& angle) {
    const auto [s, c] = sin_cos(angle);
    return Matrix3<T>{scaled(c, A.x) + scaled(s, A.y), scaled(c, A.y) - scaled(s, A.x), lifted<T>(A.z)};
  };
  const auto by_quaternion = [&](int i) {
    return times(A, rotation(entry(i), entry(i + 1), entry(i + 2), entry(i + 3)));
  };
  switch (j.kind) {
    case Kind::fixed:
      pose.turn = lifted<T>(A * j.behind);
      return pose;
    case Kind::prismatic:
      slide(entry(0), A.z);
      pose.turn = lifted<T>(A * j.behind);
      return pose;
    case Kind::revolute:
      pose.turn = about_third(entry(0));
      break;
    case Kind::cylindrical:
      slide(entry(0), A.z);
      pose.turn = about_third(entry(1));
      break;
    case Kind::screw:
      slide(T(j.offset + j.lead * entry(0)), A.z);
      pose.turn = about_third(entry(0));
      break;
    case Kind::universal: {
      const Matrix3<T> first = about_third(entry(0));
      const auto [s, c] = sin_cos(entry(1));
      pose.turn = {first.x, c * first.y + s * first.z, c * first.z - s * first.y};
      break;
    }
    case Kind::spherical:
      pose.turn = by_quaternion(0);
      break;
    case Kind::planar:
      slide(entry(0), A.x), slide(entry(1), A.y);
      pose.turn = about_third(entry(2));
      break;
    case Kind::free:
      pose.place = {entry(0), entry(1), entry(2)};
      pose.turn = by_quaternion(3);
      return pose;
    case Kind::flat_fixed:
      return pose;
    case Kind::flat_revolute:
      pose.angle += entry(0);
      return pose;
    case Kind::flat_prismatic:
      slide(entry(0), A.z);
      return pose;
    case Kind::flat_free:
      pose.place = {entry(0), entry(1), T(0)};
      pose.angle = entry(2);
      return pose;
  }
  pose.turn = times(pose.turn, j.behind);
  return pose;
}

template <class T>
Matrix3<T> turned_in_plane(const T& angle) {
  using autodiff::sin_cos;
  const auto [s, c] = sin_cos(angle);
  return {{c, s, T(0)}, {-s, c, T(0)}, {T(0), T(0), T(1)}};
}

// Differences of places with all their digits: far from the origin those of the places themselves have lost some, which are missing near
// singular configurations.
template <class T>
struct ArmsOf {
  Vector3<T> body{};   // r_child - r_parent
  Vector3<T> joint{};  // P_b - r_a
};

// From the place of the parent that of the child.
template <class T>
ArmsOf<T> place_child(const TreeJoint& j, std::span<const T> q, const PoseOf<T>& parent, PoseOf<T>& child) {
  const JointPose<T> pose = joint_pose(j, q);
  ArmsOf<T> arms;
  if (j.child_is_b()) {
    child.angle = parent.angle + pose.angle;
    child.R = j.flat() ? turned_in_plane(child.angle) : times(parent.R, pose.turn);
    arms.joint = parent.R * pose.place;
    arms.body = arms.joint - child.R * j.b.point;
  } else {
    child.angle = parent.angle - pose.angle;
    child.R = j.flat() ? turned_in_plane(child.angle) : times(parent.R, transpose_of(pose.turn));
    arms.joint = child.R * pose.place;
    arms.body = parent.R * j.b.point - arms.joint;
  }
  child.r = parent.r + arms.body;
  return arms;
}

}  // namespace driftless::mechanics
