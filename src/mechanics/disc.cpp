#include "disc.hpp"

#include <cmath>

#include "matrix_sums.hpp"

namespace driftless::mechanics {

namespace {

struct Contact {
  Vec3 n, u, across, e, centre, arm, y;
  double s, c;
  Contact(const Measure& m, const Pose& a, const Pose& b)
      : n(a.R * m.ua),
        u(b.R * m.ub),
        across(cross(n, u)),
        e{},
        centre(b.R * m.pb),
        arm(centre + to_contact(m, n, u)),
        y(b.r + arm - a.r),
        s(dot(n, u)),
        c(std::sqrt(1 - s * s)) {
    e = (1 / c) * (n - s * u);
  }

  // p . de = dtheta_a . first + dtheta_b . second
  std::array<Vec3, 2> gradient(const Vec3& p) const {
    const double k = s / (c * c) * dot(p, e) - dot(p, u) / c;
    return {(1 / c) * cross(n, p) + k * across, (-s / c) * cross(u, p) - k * across};
  }
  // de = first dtheta_a + second dtheta_b
  std::array<Mat3, 2> turns() const {
    std::array<Mat3, 2> E;
    const Vec3 by_s = (s / (c * c)) * e - (1 / c) * u;  // de/ds
    add(E[0], -1 / c, tilde(n));
    add_outer(E[0], 1, by_s, across);
    add(E[1], s / c, tilde(u));
    add_outer(E[1], -1, by_s, across);
    return E;
  }
  Vec3 e_rate(const Pose& a, const Pose& b) const {
    const double s_rate = dot(a.w - b.w, across);
    return (1 / c) * (cross(a.w, n) - s * cross(b.w, u)) + s_rate * ((s / (c * c)) * e - (1 / c) * u);
  }
};

// The two measures that the height is made of.
Measure above(const Measure& m) {
  Measure h = m;
  h.kind = Measure::Kind::along;
  return h;
}
Measure leaning(const Measure& m) {
  Measure s = m;
  s.kind = Measure::Kind::axes;
  return s;
}

// h - radius sqrt(1 - s^2): how it depends on s.
struct Lean {
  FirstOrder<double> s;
  double slope, bend;
  Lean(const Measure& m, const Pose& a, const Pose& b) : s(first_order<double>(leaning(m), a, b, {})) {
    const double c = std::sqrt(1 - s.value * s.value);
    slope = m.length * s.value / c;
    bend = m.length / (c * c * c);
  }
};

}  // namespace

double disc_slip_curvature(const Measure& m, const Pose& a, const Pose& b) {
  const Contact k(m, a, b);
  const Vec3 x = a.R * m.xa, W = b.v - a.v + cross(b.w, k.arm) - cross(a.w, k.y);
  const Vec3 arm_rate = cross(b.w, k.centre) - m.length * k.e_rate(a, b), y_rate = b.v - a.v + arm_rate;
  return dot(cross(a.w, x), W) + dot(x, cross(b.w, arm_rate) - cross(a.w, y_rate));
}

Pulls disc_slip_rate_gradient(const Measure& m, const Pose& a, const Pose& b) {
  const Contact k(m, a, b);
  const Vec3 x = a.R * m.xa, W = b.v - a.v + cross(b.w, k.arm) - cross(a.w, k.y), carried = cross(a.w, x);
  const Vec3 p = cross(x, b.w - a.w);  // x . (w_b - w_a) x darm = p . darm
  const auto by_e = k.gradient(p);
  Pulls pulls;
  pulls[0] = {-carried, cross(x, W) - cross(a.w, cross(k.y, x)) - m.length * by_e[0]};
  pulls[1] = {carried, cross(b.w, cross(k.arm, x)) + cross(k.centre, p) - m.length * by_e[1]};
  return pulls;
}

Stiffness disc_slip_stiffness(const Measure& m, const Pose& a, const Pose& b) {
  const Contact k(m, a, b);
  const Vec3 d = a.R * m.xa;
  const Mat3 x = tilde(d);
  const auto by_turn = k.turns();
  std::array<Mat3, 2> arm;  // darm
  add(arm[0], -m.length, by_turn[0]);
  add(arm[1], -m.length, by_turn[1]);
  add(arm[1], -1, tilde(k.centre));
  Stiffness s;
  add(s.force_by_turn[1][0], -1, x);
  add(s.force_by_turn[0][0], 1, x);
  // On b: arm x d about its own axes.
  add(s.torque_by_turn[1][1], 1, tilde(cross(k.arm, d)));
  add(s.torque_by_turn[1][0], -1, tilde(k.arm) * x);
  for (std::size_t j = 0; j < 2; ++j) add(s.torque_by_turn[1][j], -1, x * arm[j]);
  // On a: -y x d.
  add(s.torque_by_turn[0][0], -1, tilde(cross(k.y, d)));
  add(s.torque_by_turn[0][0], 1, tilde(k.y) * x);
  add(s.torque_by_place[0][1], 1, x);
  add(s.torque_by_place[0][0], -1, x);
  for (std::size_t j = 0; j < 2; ++j) add(s.torque_by_turn[0][j], 1, x * arm[j]);
  return s;
}

double height_curvature(const Measure& m, const Pose& a, const Pose& b) {
  const Lean lean(m, a, b);
  return curvature(above(m), a, b) + lean.slope * curvature(leaning(m), a, b) +
         lean.bend * lean.s.rate * lean.s.rate;
}

Pulls height_rate_gradient(const Measure& m, const Pose& a, const Pose& b) {
  const Lean lean(m, a, b);
  Pulls pulls = rate_gradient(above(m), a, b);
  const Pulls more = rate_gradient(leaning(m), a, b);
  for (std::size_t i = 0; i < 2; ++i)
    pulls[i].torque += lean.slope * more[i].torque + (lean.bend * lean.s.rate) * lean.s.gradient[i].torque;
  return pulls;
}

Stiffness height_stiffness(const Measure& m, const Pose& a, const Pose& b) {
  const Lean lean(m, a, b);
  Stiffness s = stiffness(above(m), a, b);
  const Stiffness more = stiffness(leaning(m), a, b);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      add(s.torque_by_turn[i][j], lean.slope, more.torque_by_turn[i][j]);
      add_outer(s.torque_by_turn[i][j], lean.bend, lean.s.gradient[i].torque, lean.s.gradient[j].torque);
    }
  return s;
}

}  // namespace driftless::mechanics
