#include <driftless/mechanics/measure.hpp>

#include <cmath>
#include <numbers>

#include "curve.hpp"
#include "disc.hpp"
#include "matrix_sums.hpp"

namespace driftless::mechanics {

namespace {

// A vector that moves with the two bodies: its value, rate and x'' without accelerations, and how it depends on either body.
struct Field {
  struct Part {
    double sign = 0;       // 0: not at all
    bool carried = false;  // with the body's place; else it only turns
    Vec3 arm = {}, arm_rate = {};
  };
  Vec3 value = {}, rate = {}, curvature = {};
  std::array<Part, 2> parts = {};
};

Field fixed(const Vec3& e) {
  return {.value = e};
}

Field axis(const Vec3& u, const Pose& pose, std::size_t slot) {
  Field f;
  f.value = pose.R * u;
  f.rate = cross(pose.w, f.value);
  f.curvature = cross(pose.w, f.rate);
  f.parts[slot] = {.sign = 1, .carried = false, .arm = f.value, .arm_rate = f.rate};
  return f;
}

Field gap(const Measure& m, const Pose& a, const Pose& b) {
  const Vec3 arm_a = a.R * m.pa, arm_b = b.R * m.pb, turn_a = cross(a.w, arm_a), turn_b = cross(b.w, arm_b);
  Field f;
  f.value = b.r + arm_b - a.r - arm_a;
  f.rate = b.v + turn_b - a.v - turn_a;
  f.curvature = cross(b.w, turn_b) - cross(a.w, turn_a);
  f.parts[0] = {.sign = -1, .carried = true, .arm = arm_a, .arm_rate = turn_a};
  f.parts[1] = {.sign = 1, .carried = true, .arm = arm_b, .arm_rate = turn_b};
  return f;
}

// The change of u . with, where u moves and `with` does not.
void add_gradient(const Field& u, const Vec3& with, double factor, Pulls& pulls) {
  for (std::size_t i = 0; i < 2; ++i) {
    const Field::Part& part = u.parts[i];
    if (part.sign == 0) continue;
    const Vec3 p = (factor * part.sign) * with;
    if (part.carried) pulls[i].force += p;
    pulls[i].torque += cross(part.arm, p);
  }
}

// The change of u' . with.
void add_rate_gradient(const Field& u, const Vec3& with, double factor, Pulls& pulls) {
  for (std::size_t i = 0; i < 2; ++i)
    if (u.parts[i].sign != 0)
      pulls[i].torque += cross(u.parts[i].arm_rate, (factor * u.parts[i].sign) * with);
}

// The pulls of u . w on the bodies of u change as w moves, dw = sign (dr + dtheta x rho), and as the bodies of u turn.
void add_stiffness(const Field& u, const Field& w, double factor, Stiffness& s) {
  for (std::size_t i = 0; i < 2; ++i) {
    const Field::Part& pull = u.parts[i];
    if (pull.sign == 0) continue;
    const Mat3 arm = tilde(pull.arm);
    add(s.torque_by_turn[i][i], factor * pull.sign, arm * tilde(w.value));
    for (std::size_t j = 0; j < 2; ++j) {
      const Field::Part& move = w.parts[j];
      if (move.sign == 0) continue;
      const double k = factor * pull.sign * move.sign;
      const Mat3 minus_turn = tilde(move.arm);  // dtheta x rho = -rho~ dtheta
      if (pull.carried && move.carried) add(s.force_by_place[i][j], k, identity3);
      if (pull.carried) add(s.force_by_turn[i][j], -k, minus_turn);
      if (move.carried) add(s.torque_by_place[i][j], k, arm);
      add(s.torque_by_turn[i][j], -k, arm * minus_turn);
    }
  }
}

// All but the last kinds are a factor times u . w.
struct Factors {
  Field u, w;
  double factor = 1;
};

Factors factors(const Measure& m, const Pose& a, const Pose& b) {
  switch (m.kind) {
    case Measure::Kind::component:
      return {fixed(m.ua), gap(m, a, b)};
    case Measure::Kind::along:
      return {axis(m.ua, a, 0), gap(m, a, b)};
    case Measure::Kind::axes:
      return {axis(m.ua, a, 0), axis(m.ub, b, 1)};
    default: {
      const Field d = gap(m, a, b);
      return {d, d, m.kind == Measure::Kind::square ? 0.5 / m.length : 0.5};
    }
  }
}

double rate_of(const Factors& f) {
  return f.factor * (dot(f.u.rate, f.w.value) + dot(f.u.value, f.w.rate));
}

double curvature_of(const Factors& f) {
  return f.factor *
         (dot(f.u.curvature, f.w.value) + 2 * dot(f.u.rate, f.w.rate) + dot(f.u.value, f.w.curvature));
}

// With u = R_b ub and x = P_b - r_a:  slip = u . (x' - w_a x x).
struct Slip {
  Vec3 u, arm, x, x_rate, seen;
  Slip(const Measure& m, const Pose& a, const Pose& b)
      : u(b.R * m.ub),
        arm(b.R * m.pb),
        x(b.r + arm - a.r),
        x_rate(b.v + cross(b.w, arm) - a.v),
        seen(x_rate - cross(a.w, x)) {}
};

double slip_curvature(const Slip& s, const Pose& a, const Pose& b) {
  return dot(cross(b.w, s.u), s.seen) + dot(s.u, cross(b.w, cross(b.w, s.arm)) - cross(a.w, s.x_rate));
}

Pulls slip_gradient(const Slip& s, const Pose& a, const Pose& b) {
  const Vec3 p = cross(a.w, s.u);
  Pulls pulls;
  pulls[0] = {-p, -cross(a.w, cross(s.x, s.u))};
  pulls[1] = {p, cross(s.arm, p) + cross(s.u, s.seen) + cross(cross(b.w, s.arm), s.u)};
  return pulls;
}

// On b force and torque are fixed in its axes; on a the torque is -x x u.
Stiffness slip_stiffness(const Slip& s) {
  const Mat3 u = tilde(s.u), x = tilde(s.x);
  Stiffness k;
  add(k.force_by_turn[1][1], -1, u);
  add(k.force_by_turn[0][1], 1, u);
  add(k.torque_by_turn[0][0], -1, tilde(cross(s.x, s.u)));
  add(k.torque_by_place[0][1], 1, u);
  add(k.torque_by_place[0][0], -1, u);
  add(k.torque_by_turn[0][1], -1, u * tilde(s.arm));
  add(k.torque_by_turn[0][1], 1, x * u);
  return k;
}

Pulls turned(const Vec3& torque_on_a, const Vec3& torque_on_b) {
  return {{{{}, torque_on_a}, {{}, torque_on_b}}};
}

}  // namespace

double curvature(const Measure& m, const Pose& a, const Pose& b) {
  switch (m.kind) {
    case Measure::Kind::angle:
      return 0;
    case Measure::Kind::turn:
      return dot(cross(a.w, a.R * m.ua), b.w);
    case Measure::Kind::spin:
      return -dot(cross(b.w, b.R * m.ub), a.w);
    case Measure::Kind::slip:
      return slip_curvature(Slip(m, a, b), a, b);
    case Measure::Kind::height:
      return height_curvature(m, a, b);
    case Measure::Kind::curve:
      return curve_curvature(m, a, b);
    case Measure::Kind::disc_slip:
      return disc_slip_curvature(m, a, b);
    case Measure::Kind::distance: {  // y = |d|^2/2:  |d|' = y'/|d|,  |d|'' = (y'' - |d|'^2)/|d|
      const Factors f = factors(m, a, b);
      const double length = norm(f.u.value), rate = rate_of(f) / length;
      return (curvature_of(f) - rate * rate) / length;
    }
    default:
      return curvature_of(factors(m, a, b));
  }
}

double nearest_turn(const Measure& m, const Mat3& Ra, const Mat3& Rb, double turn) {
  const Vec3 turned = Rb * m.xb;
  const double angle = std::atan2(dot(turned, Ra * cross(m.ua, m.xa)), dot(turned, Ra * m.xa));
  return turn + std::remainder(angle - turn, 2 * std::numbers::pi);
}

Pulls rate_gradient(const Measure& m, const Pose& a, const Pose& b) {
  Pulls pulls;
  switch (m.kind) {
    case Measure::Kind::angle:
      return pulls;
    case Measure::Kind::turn: {
      const Vec3 u = a.R * m.ua;
      return turned(cross(u, b.w), cross(b.w, u));
    }
    case Measure::Kind::spin: {
      const Vec3 u = b.R * m.ub;
      return turned(cross(u, a.w), cross(a.w, u));
    }
    case Measure::Kind::slip:
      return slip_gradient(Slip(m, a, b), a, b);
    case Measure::Kind::height:
      return height_rate_gradient(m, a, b);
    case Measure::Kind::curve:
      return curve_rate_gradient(m, a, b);
    case Measure::Kind::disc_slip:
      return disc_slip_rate_gradient(m, a, b);
    default:
      break;
  }
  const Factors f = factors(m, a, b);
  add_gradient(f.u, f.w.rate, f.factor, pulls);
  add_gradient(f.w, f.u.rate, f.factor, pulls);
  add_rate_gradient(f.u, f.w.value, f.factor, pulls);
  add_rate_gradient(f.w, f.u.value, f.factor, pulls);
  if (m.kind != Measure::Kind::distance) return pulls;
  // d(y'/|d|) = (d(y') - |d|' d|d|)/|d|,  d|d| = dy/|d|
  const double length = norm(f.u.value), rate = rate_of(f) / length;
  Pulls along;
  add_gradient(f.u, f.w.value, 1 / length, along);
  for (std::size_t i = 0; i < 2; ++i)
    pulls[i] = {(1 / length) * (pulls[i].force - rate * along[i].force),
                (1 / length) * (pulls[i].torque - rate * along[i].torque)};
  return pulls;
}

Stiffness stiffness(const Measure& m, const Pose& a, const Pose& b) {
  Stiffness s;
  switch (m.kind) {
    case Measure::Kind::angle:
      return s;
    case Measure::Kind::turn: {  // on a the torque is fixed in its axes
      const Mat3 u = tilde(a.R * m.ua);
      add(s.torque_by_turn[1][0], -1, u);
      add(s.torque_by_turn[1][1], 1, u);
      return s;
    }
    case Measure::Kind::spin: {  // on b
      const Mat3 u = tilde(b.R * m.ub);
      add(s.torque_by_turn[0][1], 1, u);
      add(s.torque_by_turn[0][0], -1, u);
      return s;
    }
    case Measure::Kind::slip:
      return slip_stiffness(Slip(m, a, b));
    case Measure::Kind::height:
      return height_stiffness(m, a, b);
    case Measure::Kind::curve:
      return curve_stiffness(m, a, b);
    case Measure::Kind::disc_slip:
      return disc_slip_stiffness(m, a, b);
    default:
      break;
  }
  const Factors f = factors(m, a, b);
  add_stiffness(f.u, f.w, f.factor, s);
  add_stiffness(f.w, f.u, f.factor, s);
  if (m.kind != Measure::Kind::distance) return s;
  const double scale = 1 / norm(f.u.value);
  Pulls along;
  add_gradient(f.u, f.w.value, scale, along);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      const auto rescaled = [&](Mat3& A, const Vec3& left, const Vec3& right) {
        A = {scale * A.x, scale * A.y, scale * A.z};
        add_outer(A, -scale, left, right);
      };
      rescaled(s.force_by_place[i][j], along[i].force, along[j].force);
      rescaled(s.force_by_turn[i][j], along[i].force, along[j].torque);
      rescaled(s.torque_by_place[i][j], along[i].torque, along[j].force);
      rescaled(s.torque_by_turn[i][j], along[i].torque, along[j].torque);
    }
  return s;
}

}  // namespace driftless::mechanics
