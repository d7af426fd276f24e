// Andrews' squeezing mechanism from bodies and joints: seven bars with 21 coordinates and 20 constraints, at the start of the hand-written
// problem `andrews`, whose coordinates are angles between them.
#pragma once

#include <cmath>

#include <driftless/catalog/catalog.hpp>
#include <driftless/mechanics/mechanism.hpp>
#include <driftless/problems/andrews.hpp>

namespace driftless::benchmarks {

inline mechanics::Mechanism andrews_from_bodies() {
  using namespace mechanics;
  const problems::Andrews p;
  const auto hand = catalog::make_problem("andrews");
  const Vector q = hand.start.q();
  const double beta = q(0), theta = q(1), gamma = q(2), phi = q(3), delta = q(4), omega = q(5),
               epsilon = q(6);
  const auto e = [](double a) { return Vec3{std::cos(a), std::sin(a), 0}; };
  const auto n = [](double a) { return Vec3{std::sin(a), -std::cos(a), 0}; };
  const Vec3 A{p.xa, p.ya, 0}, B{p.xb, p.yb, 0}, C{p.xc, p.yc, 0};
  const Vec3 tip = p.rr * e(beta), P = tip - p.d * e(beta + theta), tip5 = A + p.zt * e(delta),
             tip7 = A + p.u * n(epsilon);
  Mechanism m;
  const auto bar = [&](const char* name, double mass, double inertia, const Vec3& at, double angle) {
    return m.body(PlanarBody{.name = name, .mass = mass, .inertia = inertia, .at = at, .angle = angle});
  };
  const BodyId k1 = bar("K1", p.m1, p.I1, p.ra * e(beta), beta),
               k2 = bar("K2", p.m2, p.I2, tip - p.da * e(beta + theta), beta + theta),
               k3 = bar("K3", p.m3, p.I3, B + p.sa * n(gamma) + p.sb * e(gamma), gamma),
               k4 = bar("K4", p.m4, p.I4, tip5 + (p.e - p.ea) * n(phi + delta), phi + delta),
               k5 = bar("K5", p.m5, p.I5, A + p.ta * e(delta) + p.tb * n(delta), delta),
               k6 = bar("K6", p.m6, p.I6, tip7 + (p.zf - p.fa) * e(omega + epsilon), omega + epsilon),
               k7 = bar("K7", p.m7, p.I7, A + p.ua * n(epsilon) + p.ub * e(epsilon), epsilon);
  const JointId motor = m.joint("revolute", "O", m.ground(), k1, {});
  m.joint("revolute", "K1-K2", k1, k2, {.at = tip});
  m.joint("revolute", "K2-K3", k2, k3, {.at = P});
  m.joint("revolute", "K2-K4", k2, k4, {.at = P});
  m.joint("revolute", "K2-K6", k2, k6, {.at = P});
  m.joint("revolute", "B", m.ground(), k3, {.at = B});
  m.joint("revolute", "A-K5", m.ground(), k5, {.at = A});
  m.joint("revolute", "K5-K4", k5, k4, {.at = tip5});
  m.joint("revolute", "A-K7", m.ground(), k7, {.at = A});
  m.joint("revolute", "K7-K6", k7, k6, {.at = tip7});
  m.force("actuator", "motor", motor, "angle", {{"force", p.mom}});
  m.force("spring-damper", "spring", m.marker(m.ground(), C),
          m.marker(k3, WorldPlace{.at = B + p.sd * e(gamma) + p.sc * n(gamma)}),
          {{"stiffness", p.c0}, {"rest", p.l0}});
  return m;
}

}  // namespace driftless::benchmarks
