#include "phase_clock.hpp"

#include <cmath>

#include "quadrature.hpp"

namespace driftless::problems {

PhaseClock::PhaseClock(std::function<double(double)> dt_dphase, double period)
    : dt_dphase_(std::move(dt_dphase)), period_(period), turn_(integral(dt_dphase_, 0, period)) {}

// Newton's method inside a bracket: t(phase) grows, but not always evenly.
double PhaseClock::phase(double t) const {
  const double whole = std::floor(t / turn_), rest = t - whole * turn_;
  double low = 0, high = period_, phase = period_ * rest / turn_, before = 0, time = 0;
  for (int i = 0; i < 100; ++i) {
    time += integral(dt_dphase_, before, phase);
    before = phase;
    (time < rest ? low : high) = phase;
    double next = phase + (rest - time) / dt_dphase_(phase);
    if (!(next >= low && next <= high)) next = (low + high) / 2;
    if (std::abs(next - phase) <= 1e-15 * period_) break;
    phase = next;
  }
  return whole * period_ + phase;
}

}  // namespace driftless::problems
