#include "experiments/003/error_equation.hpp"

#include <algorithm>
#include <cmath>

namespace driftless::experiments::paper003 {

namespace {

struct Equation {
  Method method;
  double epsilon, gamma;

  double rate(double t, double e) const {
    const double t2 = t * t, weight = method == Method::direct ? t2 : t2 * t2,
                 over = method == Method::direct ? t : t * t2;
    return (epsilon - over * (gamma * t + 1) * e) / (weight + epsilon);
  }

  // Runge's classical step of order 4.
  double step(double t, double e, double h) const {
    const double k1 = rate(t, e), k2 = rate(t + h / 2, e + h / 2 * k1), k3 = rate(t + h / 2, e + h / 2 * k2),
                 k4 = rate(t + h, e + h * k3);
    return e + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
};

}  // namespace

ErrorOfExample51 error_of_example51(Method method, double epsilon, double gamma) {
  constexpr double tolerance = 1e-9;  // relative, of one step
  const Equation equation{method, epsilon, gamma};
  ErrorOfExample51 found;
  double t = -1, e = 0, h = 1e-6;
  for (const double stop : {-0.5, 1.0}) {
    while (t < stop) {
      const double now = std::min(h, stop - t), whole = equation.step(t, e, now),
                   half = equation.step(t + now / 2, equation.step(t, e, now / 2), now / 2),
                   wrong = std::abs(half - whole) / 15,
                   allowed = tolerance * (std::abs(half) + epsilon * now);
      if (wrong <= allowed) {
        t = now < h ? stop : t + now;
        e = half + (half - whole) / 15;
        found.largest = std::max(found.largest, std::abs(e));
      }
      h = now * std::clamp(0.9 * std::pow(allowed / std::max(wrong, 1e-300), 0.2), 0.2, 3.0);
    }
    (stop < 0 ? found.left : found.right) = e;
  }
  return found;
}

}  // namespace driftless::experiments::paper003
