// The pendulum (see pendulum.hpp) with its constraint written twice, the second time with a factor and, on purpose, with a mistake:
//   g1 = (x^2 + y^2 - length^2)/2,   g2 = scale (x^2 + y^2 - length^2 - gap - growth t^3)/2
// With gap = growth = 0 the second row is redundant and consistent. With a gap no position meets both; growth lets the contradiction begin
// at t = 0, where g2, g2' and g2'' still agree with g1.
#pragma once

#include <array>

#include <driftless/linalg/saddle_point.hpp>

namespace driftless::problems {

struct RedundantPendulum {
  static constexpr int nq = 2, ng = 2;
  static constexpr std::array<const char*, 2> coordinate_names{"x", "y"};
  static constexpr std::array<const char*, 2> velocity_names{"vx", "vy"};
  static constexpr std::array<const char*, 2> constraint_names{"rod length", "rod length again"};
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;

  double m = 1, gravity = 9.81, length = 1, scale = 1, gap = 0, growth = 0;
  bool moving = growth != 0;

  void mass(auto, auto, auto M) const { M(0, 0) = M(1, 1) = m; }
  void force(auto, auto, auto, auto f) const { f[1] = -m * gravity; }
  void constraint(auto t, auto q, auto g) const {
    const auto off = q[0] * q[0] + q[1] * q[1] - length * length;
    g[0] = off / 2.0;
    g[1] = scale * (off - gap - growth * t * t * t) / 2.0;
  }
  auto energy(auto, auto q, auto v) const { return m * ((v[0] * v[0] + v[1] * v[1]) / 2.0 + gravity * q[1]); }
};

}  // namespace driftless::problems
