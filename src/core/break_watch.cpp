#include "break_watch.hpp"

#include <algorithm>
#include <cmath>

#include <driftless/core/observer.hpp>

namespace driftless {

namespace {

// So that no stage of the step before it, at t + h with its roundoff, comes to lie behind it.
double just_before(double t) {
  return t - 4 * std::numeric_limits<double>::epsilon() * std::abs(t);
}

}  // namespace

std::unique_ptr<Observer> PiecewiseInTime::watch() const {
  return nullptr;
}

BreakWatch::BreakWatch(const Problem& problem, double start, double t, double end) {
  if (const auto* pieces = dynamic_cast<const PiecewiseInTime*>(&problem); pieces && end > start)
    breaks_ = pieces->time_breaks(start, end);
  next_ = static_cast<std::size_t>(
      std::upper_bound(breaks_.begin(), breaks_.end(), t,
                       [](double now, const TimeBreak& next) { return now < next.t; }) -
      breaks_.begin());
}

double BreakWatch::limit() const {
  if (next_ == breaks_.size()) return std::numeric_limits<double>::infinity();
  const TimeBreak& next = breaks_[next_];
  return next.kind == TimeBreak::Kind::kink ? next.t : just_before(next.t);
}

const TimeBreak* BreakWatch::jump() const {
  const TimeBreak& next = breaks_[next_];
  return next.kind == TimeBreak::Kind::kink ? nullptr : &next;
}

}  // namespace driftless
