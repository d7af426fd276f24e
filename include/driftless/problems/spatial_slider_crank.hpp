// The spatial rigid slider-crank of the IFToMM library: the crank turns by phi about the x axis through
// A = (0, yA, zA) and carries B = A + l1 (0, -sin phi, cos phi); the rod goes from a ball joint at B to a
// universal joint at C = (s, 0, 0) on the slider, which slides along x without turning.
//   q = (phi, rod centre x, rod quaternion p, s),   v = (phi', x', body rates w of the rod, s')
//   g1..3 = x - l2/2 r1 - B,   g4..6 = x + l2/2 r1 - C,   g7 = r2 . (1, 0, 0)
// with the columns r1, r2, r3 of R(p), r1 from B to C. The last row is the universal joint: its axis on the
// slider is x, its axis on the rod the body y axis. It decides the rod's turn about itself and nothing else.
// Singular where the rod points along x.
#pragma once

#include <array>
#include <cmath>

#include <driftless/linalg/saddle_point.hpp>
#include <driftless/problems/quaternion.hpp>

namespace driftless::problems {

struct SpatialSliderCrank {
  static constexpr int nq = 9, nv = 8, ng = 7;
  static constexpr std::array<const char*, 9> coordinate_names{"phi", "x",  "y",  "z", "p0",
                                                               "p1",  "p2", "p3", "s"};
  static constexpr std::array<const char*, 8> velocity_names{"phi'", "x'", "y'", "z'",
                                                             "wx",   "wy", "wz", "s'"};
  static constexpr std::array<const char*, 7> constraint_names{
      "ball joint x",      "ball joint y",      "ball joint z",        "universal joint x",
      "universal joint y", "universal joint z", "universal joint axes"};
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;

  double yA = 0.1, zA = 0.12, l1 = 0.08, l2 = 0.3;
  double m1 = 0.12, m2 = 0.5, m3 = 2;      // crank, rod, slider
  double J1 = 1e-4, Ja = 4e-4, Jt = 4e-3;  // crank about its centre and x; rod along and across its axis
  double gravity = 9.81;                   // along -z

  void mass(auto, auto, auto M) const {
    M(0, 0) = J1 + m1 * l1 * l1 / 4;
    M(1, 1) = M(2, 2) = M(3, 3) = m2;
    M(4, 4) = Ja;
    M(5, 5) = M(6, 6) = Jt;
    M(7, 7) = m3;
  }
  void force(auto, auto q, auto v, auto f) const {
    using std::sin;
    f[0] = m1 * gravity * l1 / 2 * sin(q[0]);
    f[3] = -m2 * gravity;
    quaternion::gyroscopic(Ja, Jt, Jt, v.subspan(4, 3), f.subspan(4, 3));
  }
  void kinematics(auto, auto q, auto v, auto rates) const {
    for (std::size_t i = 0; i < 4; ++i) rates[i] = v[i];
    quaternion::rates(q.subspan(4, 4), v.subspan(4, 3), rates.subspan(4, 4));
    rates[8] = v[7];
  }
  void normalize(auto q) const { quaternion::normalize(q.subspan(4, 4)); }
  void constraint(auto, auto q, auto g) const {
    using std::cos, std::sin;
    const auto p = q.subspan(4, 4);
    const auto r1 = quaternion::x_axis(p);
    for (std::size_t i = 0; i < 3; ++i) {
      g[i] = q[1 + i] - l2 / 2 * r1[i];
      g[3 + i] = q[1 + i] + l2 / 2 * r1[i];
    }
    g[1] -= yA - l1 * sin(q[0]);
    g[2] -= zA + l1 * cos(q[0]);
    g[3] -= q[8];
    g[6] = quaternion::y_axis(p)[0];
  }
  auto energy(auto, auto q, auto v) const {
    using std::cos;
    return ((J1 + m1 * l1 * l1 / 4) * v[0] * v[0] + m2 * (v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) +
            Ja * v[4] * v[4] + Jt * (v[5] * v[5] + v[6] * v[6]) + m3 * v[7] * v[7]) /
               2.0 +
           gravity * (m1 * (zA + l1 / 2 * cos(q[0])) + m2 * q[3]);
  }

  // By hand: r_k' = R (w x e_k) and, for constant w, r_k'' = w_k R w - |w|^2 r_k.
  void dynamics(double t, auto q, auto v, auto M, auto f, auto G, auto c) const {
    const Frame k(q);
    mass(t, q, M);
    f[0] = m1 * gravity * l1 / 2 * k.sin_phi;
    f[3] = -m2 * gravity;
    quaternion::gyroscopic(Ja, Jt, Jt, v.subspan(4, 3), f.subspan(4, 3));
    jacobian_by(k, G);
    const double w1 = v[4], w2 = v[5], w3 = v[6], ww = w1 * w1 + w2 * w2 + w3 * w3;
    for (std::size_t i = 0; i < 3; ++i) {
      const double bend = l2 / 2 * (w1 * (w1 * k.r1[i] + w2 * k.r2[i] + w3 * k.r3[i]) - ww * k.r1[i]);
      c[i] = -bend;
      c[3 + i] = bend;
    }
    c[1] -= l1 * k.sin_phi * v[0] * v[0];
    c[2] += l1 * k.cos_phi * v[0] * v[0];
    c[6] = w2 * (w1 * k.r1[0] + w2 * k.r2[0] + w3 * k.r3[0]) - ww * k.r2[0];
  }
  void jacobian(double, auto q, auto G) const { jacobian_by(Frame(q), G); }
  void rate_jacobian(double, auto q, auto v, auto L) const {
    const Frame k(q);
    const double w1 = v[4], w2 = v[5], w3 = v[6];
    for (std::size_t i = 0; i < 3; ++i) {
      const int row = static_cast<int>(i);
      const double turn[] = {w2 * k.r2[i] + w3 * k.r3[i], -w2 * k.r1[i], -w3 * k.r1[i]};
      for (int j = 0; j < 3; ++j) {
        L(row, 4 + j) = -l2 / 2 * turn[j];
        L(3 + row, 4 + j) = l2 / 2 * turn[j];
      }
    }
    L(1, 0) = -l1 * k.sin_phi * v[0];
    L(2, 0) = l1 * k.cos_phi * v[0];
    L(6, 4) = -w1 * k.r2[0];
    L(6, 5) = w1 * k.r1[0] + w3 * k.r3[0];
    L(6, 6) = -w3 * k.r2[0];
  }

 private:
  struct Frame {
    explicit Frame(auto q)
        : r1(quaternion::x_axis(q.subspan(4, 4))),
          r2(quaternion::y_axis(q.subspan(4, 4))),
          r3(quaternion::z_axis(q.subspan(4, 4))),
          sin_phi(std::sin(q[0])),
          cos_phi(std::cos(q[0])) {}
    std::array<double, 3> r1, r2, r3;
    double sin_phi, cos_phi;
  };

  void jacobian_by(const Frame& k, auto G) const {
    for (std::size_t i = 0; i < 3; ++i) {
      const int row = static_cast<int>(i);
      G(row, 1 + row) = G(3 + row, 1 + row) = 1;
      G(row, 5) = l2 / 2 * k.r3[i], G(row, 6) = -l2 / 2 * k.r2[i];
      G(3 + row, 5) = -l2 / 2 * k.r3[i], G(3 + row, 6) = l2 / 2 * k.r2[i];
    }
    G(1, 0) = l1 * k.cos_phi;
    G(2, 0) = l1 * k.sin_phi;
    G(3, 7) = -1;
    G(6, 4) = k.r3[0], G(6, 6) = -k.r1[0];
  }
};

}  // namespace driftless::problems
