#include "output_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

namespace driftless {

OutputTimes::OutputTimes(const Output& output, double t_start, double t_from, double t_end)
    : output_(output), t_start_(t_start), t_end_(t_end) {
  if (output_.kind == Output::Kind::every && !(output_.interval > 0 && std::isfinite(output_.interval)))
    throw InputError(fmt::format("the output interval is {} (must be above 0); give `output = every=DT`",
                                 output_.interval));
  if (output_.kind == Output::Kind::every && (t_end - t_start) / output_.interval > 1e8)
    throw InputError(
        fmt::format("the output interval {} asks for {:.3g} states (limit 1e8); give a larger one",
                    output_.interval, (t_end - t_start) / output_.interval));
  std::sort(output_.times.begin(), output_.times.end());
  for (const double t : output_.times)
    if (!(t >= t_from && t <= t_end))
      throw InputError(
          fmt::format("output time {} lies outside of the run from {} to {}; leave it out or change `t_end`",
                      t, t_from, t_end));
  while (output_.kind == Output::Kind::every && next() < t_from) ++taken_;
}

double OutputTimes::next() const {
  constexpr double never = std::numeric_limits<double>::infinity();
  if (output_.kind == Output::Kind::at) return taken_ < output_.times.size() ? output_.times[taken_] : never;
  const double t = t_start_ + static_cast<double>(taken_) * output_.interval;
  // The end belongs to the grid when it is a multiple of the interval up to roundoff.
  if (std::abs(t - t_end_) <= 1e-9 * std::min(output_.interval, t_end_ - t_start_)) return t_end_;
  return t < t_end_ ? t : never;
}

bool OutputTimes::due(double t) const {
  return !every_step() && next() <= t;
}

double OutputTimes::take() {
  const double t = next();
  ++taken_;
  return t;
}

}  // namespace driftless
