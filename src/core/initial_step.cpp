#include <algorithm>
#include <cmath>

#include <driftless/core/solve.hpp>

namespace driftless {

double initial_step(System& system, const State& start, const Tolerance& tolerance, int order, double span) {
  OdeSystem* ode = system.ode();
  if (!ode) return 1e-4 * span;
  const int n = system.size();
  Vector y0(n), f0(n), y1(n), f1(n);
  system.pack(start, y0);
  if (ode->rhs(start.t, y0, f0) != Status::ok) return 1e-6 * span;
  const double d0 = tolerance.norm(y0, y0, y0), d1 = tolerance.norm(f0, y0, y0);
  const double h0 = std::min(span, d0 < 1e-5 || d1 < 1e-5 ? 1e-6 * span : 0.01 * d0 / d1);
  y1 = y0 + h0 * f0;
  if (ode->rhs(start.t + h0, y1, f1) != Status::ok) return 0.01 * h0;
  f1 -= f0;
  const double d2 = tolerance.norm(f1, y0, y0) / h0;
  const double steepest = std::max(d1, d2);
  const double h1 =
      steepest <= 1e-15 ? std::max(1e-6 * span, 1e-3 * h0) : std::pow(0.01 / steepest, 1.0 / (order + 1));
  return std::min({100 * h0, h1, span});
}

}  // namespace driftless
