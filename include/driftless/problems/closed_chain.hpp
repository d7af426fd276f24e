// A planar closed chain: five uniform links (length, m), pinned to each other and, at both ends, to the
// ground at (0, 0) and (span, 0); q = (x, y, angle) of every link, x and y of its centre. Pin j joins the
// right end of link j - 1 to the left end of link j, the ground standing in at the ends:
//   M = diag(m, m, m length^2/12, ..),   weight along -y
//   g = left end of link j - right end of link j - 1,   two rows for each of six pins
// Twelve rows on fifteen coordinates: three degrees of freedom. Loses rank only where all links lie in line.
#pragma once

#include <array>
#include <cmath>

#include <driftless/linalg/saddle_point.hpp>

namespace driftless::problems {

struct ClosedChain {
  static constexpr int links = 5, nq = 3 * links, ng = 2 * (links + 1);
  static constexpr std::array<const char*, nq> coordinate_names{"x1", "y1", "angle1", "x2", "y2", "angle2",
                                                                "x3", "y3", "angle3", "x4", "y4", "angle4",
                                                                "x5", "y5", "angle5"};
  static constexpr std::array<const char*, nq> velocity_names{
      "x1'",     "y1'", "angle1'", "x2'",     "y2'", "angle2'", "x3'",    "y3'",
      "angle3'", "x4'", "y4'",     "angle4'", "x5'", "y5'",     "angle5'"};
  static constexpr std::array<const char*, ng> constraint_names{"pin 0 x", "pin 0 y", "pin 1 x", "pin 1 y",
                                                                "pin 2 x", "pin 2 y", "pin 3 x", "pin 3 y",
                                                                "pin 4 x", "pin 4 y", "pin 5 x", "pin 5 y"};
  static constexpr auto mass_structure = linalg::MassStructure::diagonal;

  double length = 1, m = 1, span = 3, gravity = 9.81;

  void mass(auto, auto, auto M) const {
    for (int i = 0; i < nq; i += 3) {
      M(i, i) = M(i + 1, i + 1) = m;
      M(i + 2, i + 2) = m * length * length / 12;
    }
  }
  void force(auto, auto, auto, auto f) const {
    for (std::size_t i = 1; i < nq; i += 3) f[i] = -m * gravity;
  }
  void constraint(auto, auto q, auto g) const {
    using std::cos, std::sin;
    for (std::size_t i = 0; i < links; ++i) {
      const auto x = length / 2 * cos(q[3 * i + 2]), y = length / 2 * sin(q[3 * i + 2]);
      g[2 * i] += q[3 * i] - x;
      g[2 * i + 1] += q[3 * i + 1] - y;
      g[2 * i + 2] -= q[3 * i] + x;
      g[2 * i + 3] -= q[3 * i + 1] + y;
    }
    g[2 * links] += span;
  }
  auto energy(auto, auto q, auto v) const {
    using T = std::remove_cvref_t<decltype(q[0])>;
    T energy(0.0);
    for (std::size_t i = 0; i < nq; i += 3)
      energy += m * ((v[i] * v[i] + v[i + 1] * v[i + 1] + length * length / 12 * v[i + 2] * v[i + 2]) / 2.0 +
                     gravity * q[i + 1]);
    return energy;
  }

  // By hand, one sine and cosine for each link.
  void dynamics(double t, auto q, auto v, auto M, auto f, auto G, auto c) const {
    mass(t, q, M);
    force(t, q, v, f);
    for (int i = 0; i < links; ++i) {
      const auto angle = static_cast<std::size_t>(3 * i + 2), row = static_cast<std::size_t>(2 * i);
      const double x = length / 2 * std::cos(q[angle]), y = length / 2 * std::sin(q[angle]);
      link_rows(i, x, y, G);
      const double ww = v[angle] * v[angle];
      c[row] += x * ww, c[row + 1] += y * ww;
      c[row + 2] += x * ww, c[row + 3] += y * ww;
    }
  }
  void jacobian(double, auto q, auto G) const {
    for (int i = 0; i < links; ++i) {
      const double angle = q[static_cast<std::size_t>(3 * i + 2)];
      link_rows(i, length / 2 * std::cos(angle), length / 2 * std::sin(angle), G);
    }
  }
  void rate_jacobian(double, auto q, auto v, auto L) const {
    for (int i = 0; i < links; ++i) {
      const auto angle = static_cast<std::size_t>(3 * i + 2);
      const int row = 2 * i, column = 3 * i + 2;
      L(row, column) = L(row + 2, column) = length / 2 * std::cos(q[angle]) * v[angle];
      L(row + 1, column) = L(row + 3, column) = length / 2 * std::sin(q[angle]) * v[angle];
    }
  }

 private:
  // What link i, with the half link (x, y), contributes to G: left end in pin i, right end in pin i + 1.
  static void link_rows(int i, double x, double y, auto G) {
    const int row = 2 * i, column = 3 * i;
    G(row, column) = G(row + 1, column + 1) = 1;
    G(row + 2, column) = G(row + 3, column + 1) = -1;
    G(row, column + 2) = G(row + 2, column + 2) = y;
    G(row + 1, column + 2) = G(row + 3, column + 2) = -x;
  }
};

}  // namespace driftless::problems
