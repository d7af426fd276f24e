// The root of a function inside a bracket (Chandrupatla 1997): inverse quadratic interpolation where it is safe,
// bisection elsewhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {

// f(a) and f(b) have opposite signs. The bracket shrinks to a few units in the last place of t; not a number where f is not one.
template <class Function>
double root_between(double a, double fa, double b, double fb, Function f) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double floor = epsilon * std::abs(b - a);  // for roots at t = 0
  double x1 = a, f1 = fa, x2 = b, f2 = fb, part = 0.5;
  for (int i = 0; i < 200; ++i) {
    const double x = x1 + part * (x2 - x1), fx = f(x);
    if (!std::isfinite(fx)) return std::numeric_limits<double>::quiet_NaN();
    double x3 = x1, f3 = f1;
    if ((fx > 0) != (f1 > 0)) {
      x3 = x2, f3 = f2;
      x2 = x1, f2 = f1;
    }
    x1 = x, f1 = fx;
    const double best = std::abs(f1) < std::abs(f2) ? x1 : x2;
    const double limit = (2 * epsilon * std::abs(best) + floor) / std::abs(x2 - x1);
    if (limit > 0.5 || f1 == 0) return f1 == 0 ? x1 : best;
    const double xi = (x1 - x2) / (x3 - x2), phi = (f1 - f2) / (f3 - f2);
    part = 0.5;
    if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)
      part = f1 / (f2 - f1) * (f3 / (f2 - f3)) + (x3 - x1) / (x2 - x1) * (f1 / (f3 - f1)) * (f2 / (f3 - f2));
    part = std::clamp(part, limit, 1 - limit);
  }
  return std::abs(f1) < std::abs(f2) ? x1 : x2;
}

// Where a function that is zero at b became zero: it may have been so for a while.
template <class Function>
double first_zero(double a, double fa, double b, Function f) {
  while (b - a > 2 * std::numeric_limits<double>::epsilon() * std::abs(b)) {
    const double middle = a + (b - a) / 2, value = f(middle);
    if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
    if (middle == a || middle == b) break;
    (value != 0 && (value > 0) == (fa > 0) ? a : b) = middle;
  }
  return b;
}

}  // namespace driftless
