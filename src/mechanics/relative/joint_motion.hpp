// How bodies move by the joints of a tree. A freedom moves b against a by a slide of the point P_b and a turn, along axes fixed in a or in b.
// With e_a = P_b - r_a, e_b = P_b - r_b, the slide n and the turns t_a, t_b that velocities make by axes of a and of b, and with linear and angular
// accelerations a and alpha of the bodies, without those of the coordinates:
//   w_b = w_a + t_a + t_b,                          v_b + w_b x e_b = v_a + w_a x e_a + n
//   alpha_b = alpha_a + w_a x t_a + w_b x t_b,      a_b + alpha_b x e_b + w_b x (w_b x e_b) = a_a + alpha_a x e_a + w_a x (w_a x e_a) + 2 w_a x n
#pragma once

#include <array>

#include "mechanics/relative/tree_joint.hpp"

namespace driftless::mechanics {

// Where a body is, how it moves, and its accelerations as far as velocities alone make them; about world axes.
template <class T>
struct MovedOf {
  PoseOf<T> pose{};
  ArmsOf<T> arms{};  // from the body on which it hangs
  Vector3<T> acceleration{}, turning{};
};
using Moved = MovedOf<double>;

// How a body moves: velocity of its mass centre and angular velocity, or their accelerations.
template <class T>
struct TwistOf {
  Vector3<T> linear{}, angular{};
};
using Twist = TwistOf<double>;

template <class T>
T power_of(const TwistOf<T>& twist, const PullOf<T>& pull) {
  return dot(twist.linear, pull.force) + dot(twist.angular, pull.torque);
}

// What a freedom does to b as seen from a.
template <class T>
struct Freedom {
  Vector3<T> slide{}, turn{};  // of P_b, and about it
  bool by_b = false;           // the axis is fixed in b
};

// Returns how many there are.
template <class T>
int freedoms_of(const TreeJoint& j, const PoseOf<T>& a, const PoseOf<T>& b, std::array<Freedom<T>, 6>& all) {
  using Kind = TreeJoint::Kind;
  const Mat3& A = j.a.axes;
  int count = 0;
  const auto next = [&]() -> Freedom<T>& { return all[static_cast<std::size_t>(count++)] = Freedom<T>{}; };
  const auto slide = [&](const Vec3& axis) { next().slide = a.R * axis; };
  const auto turn = [&](const Vec3& axis) { next().turn = a.R * axis; };
  const auto turn_by_b = [&](const Vec3& axis) {
    Freedom<T>& f = next();
    f.turn = b.R * axis, f.by_b = true;
  };
  switch (j.kind) {
    case Kind::fixed:
    case Kind::flat_fixed:
      break;
    case Kind::revolute:
      turn(A.z);
      break;
    case Kind::prismatic:
    case Kind::flat_prismatic:
      slide(A.z);
      break;
    case Kind::cylindrical:
      slide(A.z), turn(A.z);
      break;
    case Kind::screw: {
      turn(A.z);
      all[0].slide = j.lead * all[0].turn;
      break;
    }
    case Kind::universal:
      turn(A.z), turn_by_b(j.b.axes.x);
      break;
    case Kind::planar:
      slide(A.x), slide(A.y), turn(A.z);
      break;
    case Kind::free:
      slide({1, 0, 0}), slide({0, 1, 0}), slide({0, 0, 1});
      [[fallthrough]];
    case Kind::spherical:
      turn_by_b(j.b.axes.x), turn_by_b(j.b.axes.y), turn_by_b(j.b.axes.z);
      break;
    case Kind::flat_free:
      slide({1, 0, 0}), slide({0, 1, 0});
      [[fallthrough]];
    case Kind::flat_revolute:
      next().turn.z = T(1);
      break;
  }
  return count;
}

// How the child moves for unit velocities of the joint, the parent being at rest. Returns how many there are.
template <class T>
int columns_of(const TreeJoint& j, const MovedOf<T>& parent, const MovedOf<T>& child,
               std::array<TwistOf<T>, 6>& columns) {
  std::array<Freedom<T>, 6> freedoms;
  const bool forth = j.child_is_b();
  const PoseOf<T>&a = (forth ? parent : child).pose, &b = (forth ? child : parent).pose;
  const int count = freedoms_of(j, a, b, freedoms);
  const Vector3<T> arm = forth ? -(b.R * j.b.point) : -child.arms.joint;  // from P_b
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
    columns[k] = {freedoms[k].slide + cross(freedoms[k].turn, arm), freedoms[k].turn};
    if (!forth) columns[k] = {-columns[k].linear, -columns[k].angular};
  }
  return count;
}

// From the motion of the parent that of the child, whose place is known. `accelerations`: what velocities make of them too.
template <bool accelerations, class T>
void move_child(const TreeJoint& j, std::span<const T> v, const MovedOf<T>& parent, MovedOf<T>& child) {
  std::array<Freedom<T>, 6> freedoms;
  const bool forth = j.child_is_b();
  const PoseOf<T>&a = forth ? parent.pose : child.pose, &b = forth ? child.pose : parent.pose;
  const int count = freedoms_of(j, a, b, freedoms);
  Vector3<T> slide, by_a, by_b;
  for (int k = 0; k < count; ++k) {
    const Freedom<T>& f = freedoms[static_cast<std::size_t>(k)];
    const T& rate = v[static_cast<std::size_t>(j.v + k)];
    slide += rate * f.slide;
    (f.by_b ? by_b : by_a) += rate * f.turn;
  }
  const Vector3<T> turn = by_a + by_b, eb = b.R * j.b.point;
  const Vector3<T>& e = child.arms.joint;
  const PoseOf<T>& from = parent.pose;
  PoseOf<T>& to = child.pose;
  if (forth) {
    to.w = from.w + turn;
    to.v = from.v + cross(from.w, e) + slide - cross(to.w, eb);
  } else {
    to.w = from.w - turn;
    to.v = from.v + cross(from.w, eb) - cross(to.w, e) - slide;
  }
  if constexpr (accelerations) {
    const Vector3<T> turning = cross(a.w, by_a) + cross(b.w, by_b), twice = 2.0 * cross(a.w, slide);
    const Vector3<T> swing_a = cross(a.w, cross(a.w, e)) + twice, swing_b = cross(b.w, cross(b.w, eb));
    if (forth) {
      child.turning = parent.turning + turning;
      child.acceleration =
          parent.acceleration + cross(parent.turning, e) + swing_a - cross(child.turning, eb) - swing_b;
    } else {
      child.turning = parent.turning - turning;
      child.acceleration =
          parent.acceleration + cross(parent.turning, eb) + swing_b - cross(child.turning, e) - swing_a;
    }
  }
}

// q' of the coordinates of a joint.
template <class T>
void joint_rates(const TreeJoint& j, std::span<const T> q, std::span<const T> v, std::span<T> rates) {
  const auto from = static_cast<std::size_t>(j.v), to = static_cast<std::size_t>(j.q);
  const bool quaternion = j.kind == TreeJoint::Kind::spherical || j.kind == TreeJoint::Kind::free;
  const std::size_t plain = static_cast<std::size_t>(j.velocities()) - (quaternion ? 3 : 0);
  for (std::size_t i = 0; i < plain; ++i) rates[to + i] = v[from + i];
  if (quaternion)
    quaternion_rates<T>(q.subspan(to + plain, 4), v[from + plain], v[from + plain + 1], v[from + plain + 2],
                        rates.subspan(to + plain, 4));
}

}  // namespace driftless::mechanics
