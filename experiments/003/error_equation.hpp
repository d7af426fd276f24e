// The error e = x - t - 1 of Example 5.1 in continuous time, by itself, from e(-1) = 0:
//   direct  e' = eps/(t^2 + eps) - t (gamma t + 1)/(t^2 + eps) e
//   trust   e' = eps/(t^4 + eps) - t^3 (gamma t + 1)/(t^4 + eps) e
// For eps = 0 it is that of Baumgarte, e' = -(gamma + 1/t) e, and e = 0.
#pragma once

namespace driftless::experiments::paper003 {

enum class Method { direct, trust };

struct ErrorOfExample51 {
  double largest = 0, left = 0, right = 0;  // largest |e|, e(-0.5), e(1)
};

// Runge-Kutta steps of order 5, far below the digits that are compared.
ErrorOfExample51 error_of_example51(Method method, double epsilon, double gamma);

}  // namespace driftless::experiments::paper003
