#include "bars.hpp"

#include <cmath>

namespace driftless::benchmarks::scaling {

std::string name(Mechanism mechanism) {
  return mechanism == Mechanism::n_four_bar ? "n-four-bar" : "chain-loop";
}

double usual_end(Mechanism mechanism) {
  return mechanism == Mechanism::n_four_bar ? 10 : 1;
}

double Bars::kinetic_energy(const double* velocities) const {
  double energy = 0;
  for (const Bar& bar : bars) {
    const double vx = *velocities++, vy = *velocities++, rate = *velocities++;
    energy += (bar.mass * (vx * vx + vy * vy) + bar.inertia * rate * rate) / 2;
  }
  return energy;
}

double Bars::potential_energy(const double* coordinates) const {
  double energy = 0;
  for (const Bar& bar : bars) energy += bar.mass * gravity * coordinates[1], coordinates += 3;
  return energy;
}

namespace {

Bars four_bars(int N) {
  Bars result;
  result.q.resize(3 * (2 * N + 1));
  result.v.resize(3 * (2 * N + 1));
  for (int k = 0; k <= N; ++k) {
    result.bars.push_back({1, 1.0 / 12, 0, 0.5});
    result.pins.push_back({k, -1, Pin::ground, 0, static_cast<double>(k), 0});
    result.q.segment(3 * k, 3) << k, 0.5, 0;
    result.v.segment(3 * k, 3) << 0.5, 0, -1;
  }
  for (int k = 1; k <= N; ++k) {
    result.bars.push_back({1, 1.0 / 12, 0.5, 0});
    result.pins.push_back({N + k, -1, k - 1, 1, 0, 0});
    result.pins.push_back({N + k, 1, k, 1, 0, 0});
    result.q.segment(3 * (N + k), 3) << k - 0.5, 1, 0;
    result.v.segment(3 * (N + k), 3) << 1, 0, 0;
  }
  return result;
}

// The angle by which links turn against each other on an arc of N links of length 1 with the given chord.
double bend(int N, double chord) {
  double low = 0, high = 2 * std::acos(-1.0) / N;
  for (int i = 0; i < 200; ++i) {
    const double a = (low + high) / 2, length = std::sin(N * a / 2) / std::sin(a / 2);
    (length > chord ? low : high) = a;
  }
  return (low + high) / 2;
}

Bars chain(int N) {
  constexpr double slack = 1.5;
  const double length = slack / N, mass = 1.0 / N, turn = bend(N, N / slack);
  Bars result;
  result.q.resize(3 * N);
  result.v.setZero(3 * N);
  double x = 0, y = 0;
  for (int k = 0; k < N; ++k) {
    const double angle = turn * ((N - 1) / 2.0 - k), dx = length * std::cos(angle),
                 dy = length * std::sin(angle);
    result.bars.push_back({mass, mass * length * length / 12, length / 2, 0});
    result.pins.push_back({k, -1, k == 0 ? Pin::ground : k - 1, 1, 0, 0});
    result.q.segment(3 * k, 3) << x + dx / 2, y + dy / 2, angle;
    x += dx, y += dy;
  }
  result.pins.push_back({N - 1, 1, Pin::ground, 0, 1, 0});
  return result;
}

}  // namespace

Bars make_bars(Mechanism mechanism, int N) {
  return mechanism == Mechanism::n_four_bar ? four_bars(N) : chain(N);
}

Eigen::Vector2d exact_tip(int N, double t) {
  using Real = long double;
  const Real n = N, stiffness = Real(Bars::gravity) * ((n + 1) / 2 + n) / ((n + 1) / 3 + n);
  const int steps = static_cast<int>(std::ceil(t * 1e5));
  const Real h = Real(t) / std::max(steps, 1);
  Real a = 0, rate = -1;
  for (int i = 0; i < steps; ++i) {  // the classical fourth-order method
    const Real w1 = stiffness * std::sin(a);
    const Real r2 = rate + h / 2 * w1, w2 = stiffness * std::sin(a + h / 2 * rate);
    const Real r3 = rate + h / 2 * w2, w3 = stiffness * std::sin(a + h / 2 * r2);
    const Real r4 = rate + h * w3, w4 = stiffness * std::sin(a + h * r3);
    a += h / 6 * (rate + 2 * r2 + 2 * r3 + r4);
    rate += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
  }
  return {static_cast<double>(-std::sin(a)), static_cast<double>(std::cos(a))};
}

}  // namespace driftless::benchmarks::scaling
