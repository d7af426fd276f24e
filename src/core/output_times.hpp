// The times at which a run writes a state: after every step, at an interval, or at given times.
#pragma once

#include <driftless/core/options.hpp>

namespace driftless {

class OutputTimes {
 public:
  // Intervals count from t_start; a run that is taken up again goes on from a later time.
  // Throws InputError for an interval that is not positive or times outside of the run.
  OutputTimes(const Output& output, double t_start, double t_from, double t_end);

  bool every_step() const { return output_.kind == Output::Kind::steps; }
  bool due(double t) const;  // is there an output time left up to t?
  double take();             // the next one

 private:
  double next() const;
  Output output_;
  double t_start_, t_end_;
  std::size_t taken_ = 0;
};

}  // namespace driftless
