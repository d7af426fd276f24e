// Parallelogram linkage: two equal cranks (length, m), uniform bars, hang from the ground pins (0, 0) and (span, 0) and carry a coupler
// (span, mc). q = (a1, a2, x, y, angle): crank angles from the hanging position, counter-clockwise, centre and angle of the coupler.
//   M = diag(m length^2/3, m length^2/3, mc, mc, mc span^2/12),   tips at pin + length (sin a, -cos a),   weight along -y
//   g = (left end of the coupler - tip of the left crank;  right end - tip of the right crank),   two rows each
// One degree of freedom with a1 = a2 and angle = 0; singular where cranks and coupler lie in line, a = +-pi/2.
// The braced one has a third bar, without mass, of the cranks' length, from the ground at (at span, 0) to the same place of the coupler:
//   g5 = (distance^2 - length^2)/2
// It allows the same motion. On it row 5 = length u.((1 - at) rows 1, 2 + at rows 3, 4), u = (sin a, -cos a): redundant.
#pragma once

#include <array>
#include <cmath>

#include <driftless/linalg/saddle_point.hpp>

namespace driftless::problems {

struct Parallelogram {
  static constexpr int nq = 5, ng = 4;
  static constexpr std::array<const char*, nq> coordinate_names{"left crank", "right crank", "coupler x",
                                                                "coupler y", "coupler angle"};
  static constexpr std::array<const char*, nq> velocity_names{"left crank'", "right crank'", "coupler x'",
                                                              "coupler y'", "coupler angle'"};
  static constexpr std::array<const char*, ng> constraint_names{
      "coupler to left crank, x", "coupler to left crank, y", "coupler to right crank, x",
      "coupler to right crank, y"};
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;

  double length = 1, span = 2, m = 1, mc = 1, gravity = 9.81;

  void mass(auto, auto, auto M) const {
    M(0, 0) = M(1, 1) = m * length * length / 3;
    M(2, 2) = M(3, 3) = mc;
    M(4, 4) = mc * span * span / 12;
  }
  void force(auto, auto q, auto, auto f) const {
    using std::sin;
    f[0] = -m * gravity * length / 2 * sin(q[0]);
    f[1] = -m * gravity * length / 2 * sin(q[1]);
    f[3] = -mc * gravity;
  }
  void constraint(auto, auto q, auto g) const {
    using std::cos, std::sin;
    const auto x = span / 2 * cos(q[4]), y = span / 2 * sin(q[4]);
    g[0] = q[2] - x - length * sin(q[0]);
    g[1] = q[3] - y + length * cos(q[0]);
    g[2] = q[2] + x - length * sin(q[1]) - span;
    g[3] = q[3] + y + length * cos(q[1]);
  }
  auto energy(auto, auto q, auto v) const {
    using std::cos;
    return m * length * (length / 6 * (v[0] * v[0] + v[1] * v[1]) - gravity / 2 * (cos(q[0]) + cos(q[1]))) +
           mc * ((v[2] * v[2] + v[3] * v[3] + span * span / 12 * v[4] * v[4]) / 2.0 + gravity * q[3]);
  }
};

struct BracedParallelogram : Parallelogram {
  static constexpr int ng = 5;
  static constexpr std::array<const char*, ng> constraint_names{
      "coupler to left crank, x", "coupler to left crank, y", "coupler to right crank, x",
      "coupler to right crank, y", "length of the third bar"};
  double at = 0.5;

  void constraint(auto t, auto q, auto g) const {
    using std::cos, std::sin;
    Parallelogram::constraint(t, q, g);
    const double along = (at - 0.5) * span;
    const auto dx = q[2] + along * cos(q[4]) - at * span, dy = q[3] + along * sin(q[4]);
    g[4] = (dx * dx + dy * dy - length * length) / 2.0;
  }
};

}  // namespace driftless::problems
