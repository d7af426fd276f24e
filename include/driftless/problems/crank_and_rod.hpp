// Slider-crank in the angles of its links: q = (crank, rod, slider), the angles of crank (length r, mass m1) and rod (l, m2), uniform
// bars, counter-clockwise from +x, and the place x of the slider (m3) on the x-axis through the crank's pivot, gravity along -y:
//   M = [(m1/3 + m2) r^2, C cos d, 0;  C cos d, m2 l^2/3, 0;  0, 0, m3],   C = m2 r l/2,   d = crank - rod
//   f = (-C sin d rod'^2 - (m1/2 + m2) r gravity cos crank,  C sin d crank'^2 - m2 l/2 gravity cos rod,  0)
//   g = (x - r cos crank - l cos rod,  r sin crank + l sin rod)
// G loses rank where both links stand upright, cos crank = cos rod = 0: possible with r = l only, the rod folded on the crank and the
// slider in the pivot.
#pragma once

#include <array>
#include <cmath>

namespace driftless::problems {

struct CrankAndRod {
  static constexpr int nq = 3, ng = 2;
  static constexpr std::array<const char*, 3> coordinate_names{"crank", "rod", "slider"};
  static constexpr std::array<const char*, 3> velocity_names{"crank'", "rod'", "slider'"};
  static constexpr std::array<const char*, 2> constraint_names{"rod to slider, x", "rod to slider, y"};
  static constexpr std::array mass_blocks{2, 1};

  double r = 1, l = 1, m1 = 1, m2 = 1, m3 = 1, gravity = 9.81;

  double coupling() const { return m2 * r * l / 2; }

  void mass(auto, auto q, auto M) const {
    using std::cos;
    M(0, 0) = (m1 / 3 + m2) * r * r;
    M(0, 1) = M(1, 0) = coupling() * cos(q[0] - q[1]);
    M(1, 1) = m2 * l * l / 3;
    M(2, 2) = m3;
  }
  void force(auto, auto q, auto v, auto f) const {
    using std::cos, std::sin;
    const auto twist = coupling() * sin(q[0] - q[1]);
    f[0] = -twist * v[1] * v[1] - (m1 / 2 + m2) * r * gravity * cos(q[0]);
    f[1] = twist * v[0] * v[0] - m2 * l / 2 * gravity * cos(q[1]);
  }
  void constraint(auto, auto q, auto g) const {
    using std::cos, std::sin;
    g[0] = q[2] - r * cos(q[0]) - l * cos(q[1]);
    g[1] = r * sin(q[0]) + l * sin(q[1]);
  }
  auto energy(auto, auto q, auto v) const {
    using std::cos, std::sin;
    return ((m1 / 3 + m2) * r * r * v[0] * v[0] + m2 * l * l / 3 * v[1] * v[1] + m3 * v[2] * v[2]) / 2.0 +
           coupling() * cos(q[0] - q[1]) * v[0] * v[1] +
           gravity * ((m1 / 2 + m2) * r * sin(q[0]) + m2 * l / 2 * sin(q[1]));
  }
};

// The crank is driven: crank = omega t. With l < r the rod cannot follow beyond sin crank = l/r, where it stands upright.
struct DrivenCrankAndRod : CrankAndRod {
  static constexpr int ng = 3;
  static constexpr bool moving = true;
  static constexpr std::array<const char*, 3> constraint_names{"rod to slider, x", "rod to slider, y",
                                                               "drive of the crank"};
  double omega = 1;

  void constraint(auto t, auto q, auto g) const {
    CrankAndRod::constraint(t, q, g);
    g[2] = q[0] - omega * t;
  }
};

}  // namespace driftless::problems
