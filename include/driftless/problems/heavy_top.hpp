// Heavy top in absolute coordinates: q = (x, p), its centre and a unit quaternion; v = (x', w), world
// velocity of the centre and body rates. The pivot is the origin, the centre lies at X = (0, 1, 0) in body
// axes:
//   m x'' = (0, 0, -m gravity) - lambda,   J w' = -w x J w + X x R^T lambda,   g = x - R X = 0
// so that -lambda is the force of the pivot on the top.
#pragma once

#include <array>

#include <driftless/linalg/saddle_point.hpp>
#include <driftless/problems/quaternion.hpp>

namespace driftless::problems {

struct HeavyTop {
  static constexpr int nq = 7, nv = 6, ng = 3;
  static constexpr std::array<const char*, 7> coordinate_names{"x", "y", "z", "p0", "p1", "p2", "p3"};
  static constexpr std::array<const char*, 6> velocity_names{"x'", "y'", "z'", "wx", "wy", "wz"};
  static constexpr std::array<const char*, 3> constraint_names{"pivot x", "pivot y", "pivot z"};
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;

  double m = 15, J1 = .234375, J2 = .46875, J3 = .234375, gravity = 9.81;

  void mass(auto, auto, auto M) const {
    for (int i = 0; i < 3; ++i) M(i, i) = m;
    M(3, 3) = J1;
    M(4, 4) = J2;
    M(5, 5) = J3;
  }
  void force(auto, auto, auto v, auto f) const {
    f[2] = -m * gravity;
    quaternion::gyroscopic(J1, J2, J3, v.subspan(3, 3), f.subspan(3, 3));
  }
  void kinematics(auto, auto q, auto v, auto rates) const {
    for (std::size_t i = 0; i < 3; ++i) rates[i] = v[i];
    quaternion::rates(q.subspan(3, 4), v.subspan(3, 3), rates.subspan(3, 4));
  }
  void normalize(auto q) const { quaternion::normalize(q.subspan(3, 4)); }
  void constraint(auto, auto q, auto g) const {
    const auto y = quaternion::y_axis(q.subspan(3, 4));
    for (std::size_t i = 0; i < 3; ++i) g[i] = q[i] - y[i];
  }
  auto energy(auto, auto q, auto v) const {
    return (m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + J1 * v[3] * v[3] + J2 * v[4] * v[4] +
            J3 * v[5] * v[5]) /
               2.0 +
           m * gravity * q[2];
  }

  // By hand: with the columns of R,  r2' = w1 r3 - w3 r1  and, for constant w,  r2'' = w2 R w - |w|^2 r2.
  void dynamics(double t, auto q, auto v, auto M, auto f, auto G, auto c) const {
    mass(t, q, M);
    force(t, q, v, f);
    const Axes r(q);
    jacobian_by(r, G);
    const double w1 = v[3], w2 = v[4], w3 = v[5], ww = w1 * w1 + w2 * w2 + w3 * w3;
    for (std::size_t i = 0; i < 3; ++i) c[i] = ww * r.y[i] - w2 * (w1 * r.x[i] + w2 * r.y[i] + w3 * r.z[i]);
  }
  void jacobian(double, auto q, auto G) const { jacobian_by(Axes(q), G); }
  void rate_jacobian(double, auto q, auto v, auto L) const {
    const Axes r(q);
    const double w1 = v[3], w3 = v[5];
    for (std::size_t i = 0; i < 3; ++i) {
      const int row = static_cast<int>(i);
      L(row, 3) = w1 * r.y[i];
      L(row, 4) = -w1 * r.x[i] - w3 * r.z[i];
      L(row, 5) = w3 * r.y[i];
    }
  }

 private:
  struct Axes {
    explicit Axes(auto q)
        : x(quaternion::x_axis(q.subspan(3, 4))),
          y(quaternion::y_axis(q.subspan(3, 4))),
          z(quaternion::z_axis(q.subspan(3, 4))) {}
    std::array<double, 3> x, y, z;
  };

  static void jacobian_by(const Axes& r, auto G) {
    for (std::size_t i = 0; i < 3; ++i) {
      const int row = static_cast<int>(i);
      G(row, row) = 1;
      G(row, 3) = -r.z[i];
      G(row, 5) = r.x[i];
    }
  }
};

}  // namespace driftless::problems
