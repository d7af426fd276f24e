// When an iteration has converged, from the sizes of its increments (Hairer, Wanner II, IV.8):
//   - the rate is the larger of the last two ratios of successive sizes: one alone misleads, since errors of q and v take turns in second-order
//     systems. With a matrix that does not change, the first ratio is not trusted unless the increment itself may be left;
//   - converged when  rate/(1 - rate) times the increment may be left;
//   - hopeless when the rate says that the iterations left will not do (with a matrix that does not change), or when increments have grown twice.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless::integrators {

class Contraction {
 public:
  enum class Matrix { kept, fresh };  // the same in all iterations, or one in each
  enum class Verdict { go_on, converged, hopeless };

  Contraction(int iterations, Matrix matrix) : iterations_(iterations), kept_(matrix == Matrix::kept) {}

  // Of an increment of that size to the one before; 0 for the first.
  double ratio(double size) const { return count_ == 0 ? 0 : size / last_; }

  // After an increment of that size; `judged` is it in units of what may be left.
  Verdict observe(double size, double judged) {
    const double ratio_now = ratio(size);
    last_ = size;
    if (++count_ == 1) return Verdict::go_on;
    rate_ = std::max(ratio_now, last_ratio_);
    last_ratio_ = ratio_now;
    const double error = rate_ < 1 ? judged * rate_ / (1 - rate_) : std::numeric_limits<double>::infinity();
    if ((count_ > 2 || !kept_ || judged <= 1) && error <= 1) return Verdict::converged;
    if (kept_ && !(error * std::pow(rate_, iterations_ - count_) <= 1)) return Verdict::hopeless;
    if (ratio_now >= 1 && ++grown_ == 2) return Verdict::hopeless;
    return Verdict::go_on;
  }

  double rate() const { return rate_; }

 private:
  const int iterations_;
  const bool kept_;
  double last_ = 0, last_ratio_ = 0, rate_ = 0;
  int count_ = 0, grown_ = 0;
};

}  // namespace driftless::integrators
