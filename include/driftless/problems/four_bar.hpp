// Planar four-bar linkage: crank, coupler and rocker, three uniform bars (lengths l1, l2, l3, masses m1, m2, m3)
// pinned to each other and to the ground at (0, 0) and (l0, 0); q = (x, y, angle) of every bar, x and y of its
// centre. The crank points from the left ground pin to the coupler, the coupler on to the rocker, the rocker
// from the right ground pin to the coupler. A torsion spring k holds the crank at the angle a0.
//   M = diag(m, m, m l^2/12, ..),   weight along -y,   torque -k (angle1 - a0) on the crank
//   g = (left end of the crank; coupler's left end - crank's right end; coupler's right end - rocker's right
//        end; left end of the rocker - (l0, 0)),   two rows for each of four pins
// Eight rows on nine coordinates: one degree of freedom. Loses rank only where all bars lie in line.
#pragma once

#include <array>
#include <cmath>

#include <driftless/linalg/saddle_point.hpp>

namespace driftless::problems {

struct FourBar {
  static constexpr int nq = 9, ng = 8;
  static constexpr std::array<const char*, nq> coordinate_names{"x1",     "y1", "angle1", "x2",    "y2",
                                                                "angle2", "x3", "y3",     "angle3"};
  static constexpr std::array<const char*, nq> velocity_names{"x1'",     "y1'", "angle1'", "x2'",    "y2'",
                                                              "angle2'", "x3'", "y3'",     "angle3'"};
  static constexpr std::array<const char*, ng> constraint_names{
      "crank pin x",          "crank pin y",          "crank and coupler x", "crank and coupler y",
      "coupler and rocker x", "coupler and rocker y", "rocker pin x",        "rocker pin y"};
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;

  double l0 = 2, l1 = 1, l2 = 2.5, l3 = 2, m1 = 1, m2 = 2.5, m3 = 2, gravity = 9.81, k = 50, a0 = 1.5;

  void mass(auto, auto, auto M) const {
    const std::array m = {m1, m2, m3}, l = {l1, l2, l3};
    for (int i = 0; i < 3; ++i) {
      const double bar = m[static_cast<std::size_t>(i)], length = l[static_cast<std::size_t>(i)];
      M(3 * i, 3 * i) = M(3 * i + 1, 3 * i + 1) = bar;
      M(3 * i + 2, 3 * i + 2) = bar * length * length / 12;
    }
  }
  void force(auto, auto q, auto, auto f) const {
    f[1] = -m1 * gravity;
    f[2] = -k * (q[2] - a0);
    f[4] = -m2 * gravity;
    f[7] = -m3 * gravity;
  }
  void constraint(auto, auto q, auto g) const {
    using std::cos, std::sin;
    const auto x1 = l1 / 2 * cos(q[2]), y1 = l1 / 2 * sin(q[2]), x2 = l2 / 2 * cos(q[5]),
               y2 = l2 / 2 * sin(q[5]), x3 = l3 / 2 * cos(q[8]), y3 = l3 / 2 * sin(q[8]);
    g[0] = q[0] - x1;
    g[1] = q[1] - y1;
    g[2] = q[3] - x2 - q[0] - x1;
    g[3] = q[4] - y2 - q[1] - y1;
    g[4] = q[3] + x2 - q[6] - x3;
    g[5] = q[4] + y2 - q[7] - y3;
    g[6] = q[6] - x3 - l0;
    g[7] = q[7] - y3;
  }
  auto energy(auto, auto q, auto v) const {
    using T = std::remove_cvref_t<decltype(q[0] + v[0])>;
    const std::array m = {m1, m2, m3}, l = {l1, l2, l3};
    T energy(k / 2 * (q[2] - a0) * (q[2] - a0));
    for (std::size_t i = 0; i < 3; ++i) {
      const auto vx = v[3 * i], vy = v[3 * i + 1], w = v[3 * i + 2];
      energy += m[i] * ((vx * vx + vy * vy + l[i] * l[i] / 12 * w * w) / 2.0 + gravity * q[3 * i + 1]);
    }
    return energy;
  }
};

}  // namespace driftless::problems
