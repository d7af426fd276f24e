// Measure: a number that says how two bodies a and b lie to each other. Joints are measures that vanish, joint coordinates are
// measures, springs and actuators pull along measures; so that their derivatives are written once, here. With the points
// P_a = r_a + R_a pa, P_b = r_b + R_b pb and the gap d = P_b - P_a:
//   component   e . d                 e fixed in the world
//   along       (R_a ua) . d          displacement along an axis of a
//   axes        (R_a ua) . (R_b ub)   0 where the axes are perpendicular
//   square      d . d / (2 length)    slope 1 where |d| = length
//   distance    |d|
//   angle       angle_b - angle_a + shift      of planar bodies
//   turn        how far b has turned about the axis R_a ua: a coordinate of its own in q, since no function of quaternions
//               knows whole turns;  turn' = (R_a ua) . (w_b - w_a)
//   height      of a disc of radius `length` on b, centre P_b and axis ub, above the plane of a through P_a with the normal ua:
//               ua . d - length sqrt(1 - (ua . ub)^2)
//   curve       signed distance of P_b from a profile in the plane of a through P_a with the axes ua and xa
// Some have a rate only, which is what velocity constraints and forces that follow a body need; their value is 0:
//   slip        (R_b ub) . (velocity of P_b as seen from a)
//   spin        (R_b ub) . (w_b - w_a)
//   disc_slip   (R_a xa) . (velocity of the disc, where it touches the plane, as seen from a)
// `value` and `first_order` take any scalar, so that automatic derivatives exist; the rest are formulas on double.
// Gradients are forces and torques about world axes, by which a unit force along the measure would act on the bodies.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <driftless/mechanics/bodies.hpp>
#include <driftless/mechanics/profile.hpp>

namespace driftless::mechanics {

struct Measure {
  enum class Kind {
    component,
    along,
    axes,
    square,
    distance,
    angle,
    turn,
    height,
    curve,
    slip,
    spin,
    disc_slip
  };
  Kind kind = Kind::component;
  int a = 0, b = 0;       // bodies
  Vec3 pa = {}, pb = {};  // points, in body axes
  Vec3 ua = {}, ub = {};  // axes, in body axes; `component`: ua in world axes
  double length = 1;      // `square`; radius of a disc
  double shift = 0;       // `angle`
  // `turn`: where it stands in q, -1 where nobody asks for more than its rate; and what turns: xb on b, from xa on a, both
  // perpendicular to the axis. `disc_slip`: xa, a direction in the plane.
  int entry = -1;
  Vec3 xa = {}, xb = {};
  std::shared_ptr<const Profile> profile = {};  // `curve`

  // In radians; everything else that a joint calls a coordinate is a length.
  bool is_angle() const { return kind == Kind::angle || kind == Kind::turn || kind == Kind::spin; }

  bool operator==(const Measure&) const = default;
};

// Where a body is and how it moves; w about world axes.
template <class T>
struct PoseOf {
  Vector3<T> r{}, v{}, w{};
  Matrix3<T> R{};
  T angle{};  // planar bodies
};
using Pose = PoseOf<double>;

template <class T>
struct PullOf {
  Vector3<T> force{}, torque{};
};
using Pull = PullOf<double>;
template <class T>
using PullsOf = std::array<PullOf<T>, 2>;  // on a, on b
using Pulls = PullsOf<double>;

template <class T>
struct FirstOrder {
  T value{}, rate{};
  PullsOf<T> gradient{};
};

// q: for `turn`.
template <class T>
T value_of(const Measure& m, const PoseOf<T>& a, const PoseOf<T>& b, std::span<const T> q);
template <class T>
FirstOrder<T> first_order(const Measure& m, const PoseOf<T>& a, const PoseOf<T>& b, std::span<const T> q);

// y'' = gradient . accelerations + curvature.
double curvature(const Measure& m, const Pose& a, const Pose& b);

// The change of the rate along displacements.
Pulls rate_gradient(const Measure& m, const Pose& a, const Pose& b);

// Of the turns that two orientations may have, the one nearest to a given turn.
double nearest_turn(const Measure& m, const Mat3& Ra, const Mat3& Rb, double turn);

// How the force on body i and the torque on it about its own axes (written in world axes), those of a unit force along the
// measure, change with displacements of body j.
struct Stiffness {
  using Blocks = std::array<std::array<Mat3, 2>, 2>;
  Blocks force_by_place = {}, force_by_turn = {}, torque_by_place = {}, torque_by_turn = {};
};
Stiffness stiffness(const Measure& m, const Pose& a, const Pose& b);

// From the centre of a disc to where it touches: -radius e, e = (n - s u)/sqrt(1 - s^2), s = n . u.
template <class T>
Vector3<T> to_contact(const Measure& m, const Vector3<T>& n, const Vector3<T>& u) {
  using autodiff::sqrt;
  const T s = dot(n, u), across = sqrt(1.0 - s * s);
  return (-m.length / across) * (n - s * u);
}

// The measure `along` one of the axes of the plane that a curve lies in.
inline Measure in_plane(const Measure& m, const Vec3& axis) {
  Measure along = m;
  along.kind = Measure::Kind::along;
  along.ua = axis;
  return along;
}

// --- for any scalar ----------------------------------------------------------------------------------------------------

template <class T>
Vector3<T> gap_of(const Measure& m, const PoseOf<T>& a, const PoseOf<T>& b) {
  return b.r + b.R * m.pb - a.r - a.R * m.pa;
}

template <class T>
T value_of(const Measure& m, const PoseOf<T>& a, const PoseOf<T>& b, std::span<const T> q) {
  using Kind = Measure::Kind;
  switch (m.kind) {
    case Kind::component:
      return dot(m.ua, gap_of(m, a, b));
    case Kind::along:
      return dot(a.R * m.ua, gap_of(m, a, b));
    case Kind::axes:
      return dot(a.R * m.ua, b.R * m.ub);
    case Kind::square: {
      const Vector3<T> d = gap_of(m, a, b);
      return dot(d, d) / (2 * m.length);
    }
    case Kind::distance:
      return norm(gap_of(m, a, b));
    case Kind::angle:
      return b.angle - a.angle + m.shift;
    case Kind::turn:
      return m.entry < 0 ? T(0) : q[static_cast<std::size_t>(m.entry)];
    case Kind::height: {
      using autodiff::sqrt;
      const Vector3<T> n = a.R * m.ua;
      const T s = dot(n, b.R * m.ub);
      return dot(n, gap_of(m, a, b)) - m.length * sqrt(1.0 - s * s);
    }
    case Kind::curve: {
      const Vector3<T> d = gap_of(m, a, b);
      return m.profile->distance(dot(a.R * m.ua, d), dot(a.R * m.xa, d));
    }
    case Kind::slip:
    case Kind::spin:
    case Kind::disc_slip:
      return T(0);
  }
  return T(0);
}

template <class T>
FirstOrder<T> first_order(const Measure& m, const PoseOf<T>& a, const PoseOf<T>& b, std::span<const T> q) {
  using Kind = Measure::Kind;
  FirstOrder<T> y;
  y.value = value_of(m, a, b, q);
  auto &on_a = y.gradient[0], &on_b = y.gradient[1];
  // A force p on b at P_b, and -p on a where it acts: at P_a, or at P_b where it acts between touching points.
  const auto pull = [&](const Vector3<T>& p, const Vector3<T>& arm_a) {
    on_b.force = p, on_b.torque = cross(b.R * m.pb, p);
    on_a.force = -p, on_a.torque = -cross(arm_a, p);
  };
  switch (m.kind) {
    case Kind::component:
      pull({T(m.ua.x), T(m.ua.y), T(m.ua.z)}, a.R * m.pa);
      break;
    case Kind::along:  // its axis turns with a, so that on a the force acts at P_b
      pull(a.R * m.ua, b.r + b.R * m.pb - a.r);
      break;
    case Kind::axes:
      on_b.torque = cross(b.R * m.ub, a.R * m.ua);
      on_a.torque = -on_b.torque;
      break;
    case Kind::square:
      pull((1 / m.length) * gap_of(m, a, b), a.R * m.pa);
      break;
    case Kind::distance:
      pull((1.0 / y.value) * gap_of(m, a, b), a.R * m.pa);
      break;
    case Kind::angle:
      on_a.torque.z = T(-1), on_b.torque.z = T(1);
      break;
    case Kind::turn:
      on_b.torque = a.R * m.ua, on_a.torque = -on_b.torque;
      break;
    case Kind::slip:
      pull(b.R * m.ub, b.r + b.R * m.pb - a.r);
      break;
    case Kind::height: {  // a force at the contact, along the normal
      const Vector3<T> n = a.R * m.ua, arm = b.R * m.pb + to_contact(m, n, b.R * m.ub);
      on_b.force = n, on_b.torque = cross(arm, n);
      on_a.force = -n, on_a.torque = -cross(b.r + arm - a.r, n);
      break;
    }
    case Kind::curve: {  // a force along the normal, whose direction is needed to first order
      const Vector3<T> d = gap_of(m, a, b);
      const T xi = dot(a.R * m.ua, d), eta = dot(a.R * m.xa, d);
      const ProfileDistance phi = m.profile->second_order(autodiff::value_of(xi), autodiff::value_of(eta));
      const T by_xi = xi - autodiff::value_of(xi), by_eta = eta - autodiff::value_of(eta);
      pull((phi.dx + phi.dxx * by_xi + phi.dxy * by_eta) * (a.R * m.ua) +
               (phi.dy + phi.dxy * by_xi + phi.dyy * by_eta) * (a.R * m.xa),
           b.r + b.R * m.pb - a.r);
      break;
    }
    case Kind::disc_slip: {
      const Vector3<T> d = a.R * m.xa, arm = b.R * m.pb + to_contact(m, a.R * m.ua, b.R * m.ub);
      on_b.force = d, on_b.torque = cross(arm, d);
      on_a.force = -d, on_a.torque = -cross(b.r + arm - a.r, d);
      break;
    }
    case Kind::spin:
      on_b.torque = b.R * m.ub, on_a.torque = -on_b.torque;
      break;
  }
  y.rate = dot(on_a.force, a.v) + dot(on_a.torque, a.w) + dot(on_b.force, b.v) + dot(on_b.torque, b.w);
  return y;
}

}  // namespace driftless::mechanics
