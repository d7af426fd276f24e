// PhaseClock: the inverse of t(phase) = integral of dt/dphase, for a motion of one degree of freedom whose energy gives dt/dphase
// as a smooth positive function with a period. Whole periods are counted, so that errors do not grow with t but by roundoff.
#pragma once

#include <functional>

namespace driftless::problems {

class PhaseClock {
 public:
  // dt/dphase repeats itself after `period`; the clock begins with phase 0 at t = 0.
  PhaseClock(std::function<double(double)> dt_dphase, double period);
  double phase(double t) const;
  double turn() const { return turn_; }  // how long one period takes

 private:
  std::function<double(double)> dt_dphase_;
  double period_, turn_;
};

}  // namespace driftless::problems
