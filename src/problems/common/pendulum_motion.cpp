#include "pendulum_motion.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace driftless::problems {

namespace {

// Jacobi's amplitude am(u, k) by the arithmetic-geometric mean (Abramowitz, Stegun 16.4), 0 <= k < 1.
double amplitude(double u, double k) {
  std::array<double, 40> a{}, c{};
  a[0] = 1;
  c[0] = k;
  double b = std::sqrt((1 - k) * (1 + k));
  int n = 0;
  while (n < 38 && std::abs(c[static_cast<std::size_t>(n)]) > 1e-17) {
    const auto i = static_cast<std::size_t>(n);
    a[i + 1] = (a[i] + b) / 2;
    c[i + 1] = (a[i] - b) / 2;
    b = std::sqrt(a[i] * b);
    ++n;
  }
  double phi = std::ldexp(a[static_cast<std::size_t>(n)] * u, n);
  for (int i = n; i > 0; --i) {
    const auto j = static_cast<std::size_t>(i);
    phi = (phi + std::asin(c[j] * std::sin(phi) / a[j])) / 2;
  }
  return phi;
}

}  // namespace

PendulumMotion pendulum_motion(double w, PendulumMotion start, double t) {
  const double half = std::sin(start.angle / 2);
  const double k = std::sqrt(start.rate * start.rate / (4 * w * w) + half * half);
  if (k == 0) return start;
  if (std::abs(k - 1) < 1e-10)
    return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  const double sign = start.rate < 0 ? -1 : 1;
  if (k < 1) {  // swings; work with a start that moves forward
    const double phi0 = std::atan2(sign * half, std::abs(start.rate) / (2 * w));
    const double phi = amplitude(w * t + std::ellint_1(k, phi0), k);
    return {sign * 2 * std::asin(k * std::sin(phi)), sign * 2 * k * w * std::cos(phi)};
  }
  const double phi = amplitude(k * w * t + std::ellint_1(1 / k, sign * start.angle / 2), 1 / k);
  return {sign * 2 * phi, sign * 2 * k * w * std::sqrt(1 - std::sin(phi) * std::sin(phi) / (k * k))};
}

PendulumMotion angle_motion(double stiffness, PendulumMotion start, double t) {
  if (stiffness == 0) return {start.angle + start.rate * t, start.rate};
  const double lowest = stiffness < 0 ? std::numbers::pi : 0;
  const double from_lowest = std::remainder(start.angle - lowest, 2 * std::numbers::pi);
  const PendulumMotion now = pendulum_motion(std::sqrt(std::abs(stiffness)), {from_lowest, start.rate}, t);
  return {start.angle + (now.angle - from_lowest), now.rate};
}

}  // namespace driftless::problems
