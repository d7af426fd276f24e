// Kepler's problem in the plane as a system of order 1 with invariants, x = (p1, p2, v1, v2):
//   p' = v,   v' = -K p/r^3,   r = |p|
// Invariants: the energy |v|^2/2 - K/r and the angular momentum p1 v2 - p2 v1.
#pragma once

#include <array>
#include <cmath>

namespace driftless::problems {

struct Kepler {
  static constexpr int order = 1, nq = 4, ni = 1;
  static constexpr std::array<const char*, 4> coordinate_names{"p1", "p2", "v1", "v2"};
  static constexpr std::array<const char*, 1> invariant_names{"angular-momentum"};
  double K = 1;

  void force(auto, auto x, auto f) const {
    using std::sqrt;
    const auto r2 = x[0] * x[0] + x[1] * x[1], r3 = r2 * sqrt(r2);
    f[0] = x[2];
    f[1] = x[3];
    f[2] = -K * x[0] / r3;
    f[3] = -K * x[1] / r3;
  }
  auto energy(auto, auto x) const {
    using std::sqrt;
    return (x[2] * x[2] + x[3] * x[3]) / 2 - K / sqrt(x[0] * x[0] + x[1] * x[1]);
  }
  void invariants(auto, auto x, auto out) const { out[0] = x[0] * x[3] - x[1] * x[2]; }
};

// The same as a system of order 2, q = p, so that positions and velocities can be told apart.
struct KeplerOfOrder2 {
  static constexpr int nq = 2, ni = 1;
  static constexpr std::array<const char*, 2> coordinate_names{"p1", "p2"}, velocity_names{"v1", "v2"};
  static constexpr std::array<const char*, 1> invariant_names{"angular-momentum"};
  double K = 1;

  void force(auto, auto p, auto, auto f) const {
    using std::sqrt;
    const auto r2 = p[0] * p[0] + p[1] * p[1], r3 = r2 * sqrt(r2);
    f[0] = -K * p[0] / r3;
    f[1] = -K * p[1] / r3;
  }
  auto energy(auto, auto p, auto v) const {
    using std::sqrt;
    return (v[0] * v[0] + v[1] * v[1]) / 2 - K / sqrt(p[0] * p[0] + p[1] * p[1]);
  }
  void invariants(auto, auto p, auto v, auto out) const { out[0] = p[0] * v[1] - p[1] * v[0]; }
};

}  // namespace driftless::problems
