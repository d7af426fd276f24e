// A row of N four-bar linkages side by side (IFToMM / LIM A02): 2N + 1 uniform bars of 1 kg and 1 m, I = 1/12. Cranks k = 0..N are
// pinned to the ground at A_k = (k, 0); coupler k = 1..N joins the tips of cranks k - 1 and k. q = (x, y, angle) of every bar, x and y
// of its centre, first the cranks 0..N, then the couplers 1..N. Angles are positive counter-clockwise; a crank at angle 0 stands
// upright, a coupler at angle 0 lies along +x:
//   u = (-sin a, cos a) along a crank, from its ground pin to its tip;   u = (cos a, sin a) along a coupler, from left to right
//   ends = centre +- u/2,   M = diag(1, 1, 1/12, ..),   weight along -y
//   g = (ground end of crank k - A_k, k = 0..N;  left end of coupler k - tip of crank k - 1,
//        right end of coupler k - tip of crank k, k = 1..N),   two rows each
// 6N + 2 rows on 6N + 3 coordinates: one degree of freedom, the parallelogram motion with all cranks parallel. Where the cranks lie
// flat all bars are in line and G loses the rank N: N + 1 degrees of freedom, each loop may fold over.
#pragma once

#include <cmath>
#include <string>
#include <type_traits>

#include <driftless/linalg/saddle_point.hpp>

namespace driftless::problems {

struct NFourBar {
  explicit NFourBar(int loops = 2, double weight = 9.81)
      : N(loops), nq(3 * (2 * loops + 1)), ng(6 * loops + 2), gravity(weight) {}

  static constexpr auto mass_structure = linalg::MassStructure::diagonal;
  static constexpr double inertia = 1.0 / 12;
  int N, nq, ng;
  double gravity;

  std::string coordinate_name(int i) const {
    return bar_name(i / 3) + (i % 3 == 0 ? " x" : i % 3 == 1 ? " y" : " angle");
  }
  std::string velocity_name(int i) const { return coordinate_name(i) + "'"; }
  std::string constraint_name(int row) const {
    const std::string axis = row % 2 == 0 ? ", x" : ", y";
    if (row < 2 * (N + 1)) return bar_name(row / 2) + " to ground" + axis;
    const int pin = (row - 2 * (N + 1)) / 2, coupler = pin / 2 + 1;  // left and right pins take turns
    return bar_name(N + coupler) + " to " + bar_name(pin % 2 == 0 ? coupler - 1 : coupler) + axis;
  }

  void mass(auto, auto, auto M) const {
    for (int i = 0; i < nq; i += 3) M(i, i) = M(i + 1, i + 1) = 1.0, M(i + 2, i + 2) = inertia;
  }
  void force(auto, auto, auto, auto f) const {
    for (int i = 1; i < nq; i += 3) f[index(i)] = -gravity;
  }
  void constraint(auto, auto q, auto g) const {
    for (int k = 0; k <= N; ++k) g[index(2 * k)] = -static_cast<double>(k);
    for (int bar = 0; bar <= 2 * N; ++bar) {
      const auto x = q[index(3 * bar)], y = q[index(3 * bar + 1)];
      const auto u = direction(bar, q[index(3 * bar + 2)]);
      for_ends(bar, [&](int row, double sign, double side) {
        g[index(row)] += sign * (x + side * u.x);
        g[index(row + 1)] += sign * (y + side * u.y);
      });
    }
  }
  auto energy(auto, auto q, auto v) const {
    using T = std::remove_cvref_t<decltype(q[0] + v[0])>;
    T energy(0.0);
    for (std::size_t i = 0; i < q.size(); i += 3)
      energy +=
          (v[i] * v[i] + v[i + 1] * v[i + 1] + inertia * v[i + 2] * v[i + 2]) / 2.0 + gravity * q[i + 1];
    return energy;
  }

  // By hand: every bar touches the rows of its two ends only.
  void dynamics(double t, auto q, auto v, auto M, auto f, auto G, auto c) const {
    mass(t, q, M);
    force(t, q, v, f);
    for (int bar = 0; bar <= 2 * N; ++bar) {
      const auto u = direction(bar, q[index(3 * bar + 2)]);
      jacobian_of(bar, u, G);
      curvature_of(bar, u, v, c);
    }
  }
  void equations(double t, auto q, auto v, auto M, auto f, auto g, auto G) const {
    mass(t, q, M);
    force(t, q, v, f);
    constraint(t, q, g);
    jacobian(t, q, G);
  }
  void jacobian(double, auto q, auto G) const {
    for (int bar = 0; bar <= 2 * N; ++bar) jacobian_of(bar, direction(bar, q[index(3 * bar + 2)]), G);
  }
  void curvature(double, auto q, auto v, auto c) const {
    for (int bar = 0; bar <= 2 * N; ++bar) curvature_of(bar, direction(bar, q[index(3 * bar + 2)]), v, c);
  }
  void rate_jacobian(double, auto q, auto v, auto L) const {
    for (int bar = 0; bar <= 2 * N; ++bar) {
      const int angle = 3 * bar + 2;
      const auto u = direction(bar, q[index(angle)]);
      for_ends(bar, [&](int row, double sign, double side) {
        L(row, angle) = -sign * side * u.x * v[index(angle)];
        L(row + 1, angle) = -sign * side * u.y * v[index(angle)];
      });
    }
  }
  void force_jacobian(double, auto, auto, auto, auto) const {}   // weight is constant
  void mass_product_jacobian(double, auto, auto, auto) const {}  // and so is M
  void multiplier_jacobian(double, auto q, auto lambda, auto out) const {
    for (int bar = 0; bar <= 2 * N; ++bar) {
      const int angle = 3 * bar + 2;
      const auto u = direction(bar, q[index(angle)]);
      for_ends(bar, [&](int row, double sign, double side) {
        out(angle, angle) -= sign * side * (u.x * lambda[index(row)] + u.y * lambda[index(row + 1)]);
      });
    }
  }

 private:
  template <class T>
  struct Direction {
    T x, y;
  };
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  std::string bar_name(int bar) const {
    return bar <= N ? "crank " + std::to_string(bar) : "coupler " + std::to_string(bar - N);
  }
  // u; its derivative by the angle is (-u.y, u.x), for cranks and couplers alike.
  auto direction(int bar, const auto& angle) const {
    using std::cos, std::sin;
    using T = std::remove_cvref_t<decltype(angle)>;
    const T c = cos(angle), s = sin(angle);
    return bar <= N ? Direction<T>{T(-s), c} : Direction<T>{c, s};
  }
  // Calls use(row, sign, side) for every pin that the bar takes part in: its end centre + side u enters the rows `row` and `row + 1`
  // with that sign.
  void for_ends(int bar, auto use) const {
    const auto left = [this](int coupler) { return 2 * (N + 1) + 4 * (coupler - 1); };
    if (bar > N) {
      use(left(bar - N), 1.0, -0.5);
      use(left(bar - N) + 2, 1.0, 0.5);
      return;
    }
    use(2 * bar, 1.0, -0.5);
    if (bar > 0) use(left(bar) + 2, -1.0, 0.5);
    if (bar < N) use(left(bar + 1), -1.0, 0.5);
  }
  void jacobian_of(int bar, const Direction<double>& u, auto G) const {
    for_ends(bar, [&](int row, double sign, double side) {
      G(row, 3 * bar) = G(row + 1, 3 * bar + 1) = sign;
      G(row, 3 * bar + 2) = -sign * side * u.y;
      G(row + 1, 3 * bar + 2) = sign * side * u.x;
    });
  }
  void curvature_of(int bar, const Direction<double>& u, auto v, auto c) const {
    const double w = v[index(3 * bar + 2)];
    for_ends(bar, [&](int row, double sign, double side) {
      c[index(row)] -= sign * side * u.x * w * w;
      c[index(row + 1)] -= sign * side * u.y * w * w;
    });
  }
};

}  // namespace driftless::problems
