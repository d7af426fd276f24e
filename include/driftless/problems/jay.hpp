// Jay's test of index 2 with a multiplier that enters linearly, x = (y1, y2):
//   y1' = y1 y2 z,   y2' = y1^2 y2^2 - 3 y2^2 z,   0 = g = y1^2 y2 - 1
// As x' = f - B lambda with lambda = z:  f = (0, y1^2 y2^2),  B = (-y1 y2, 3 y2^2),  G = (2 y1 y2, y1^2).
// Exact: y1 = e^t, y2 = e^-2t, z = e^2t.
#pragma once

#include <array>

namespace driftless::problems {

struct Jay {
  static constexpr int order = 1, nq = 2, ng = 1;
  static constexpr std::array<const char*, 2> coordinate_names{"y1", "y2"};
  static constexpr std::array<const char*, 1> constraint_names{"y1^2 y2 = 1"};

  void force(auto, auto x, auto f) const { f[1] = x[0] * x[0] * x[1] * x[1]; }
  void input(auto, auto x, auto B) const {
    B(0, 0) = -x[0] * x[1];
    B(1, 0) = 3 * x[1] * x[1];
  }
  void constraint(auto, auto x, auto g) const { g[0] = x[0] * x[0] * x[1] - 1; }
};

}  // namespace driftless::problems
