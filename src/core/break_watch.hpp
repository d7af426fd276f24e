// BreakWatch: which of the problem's times without smoothness comes next, and how far a step may go because of it. Private to core.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/core/time_breaks.hpp>

namespace driftless {

class BreakWatch {
 public:
  // Of a run from `start` to `end`, which stands at t now.
  BreakWatch(const Problem& problem, double start, double t, double end);

  // Where the next step has to end at the latest: the next break, or just before it, where something jumps.
  double limit() const;
  bool at_limit(double t) const { return t == limit(); }
  // A step has ended at the limit. What jumps at the break; null: nothing does, and it is left behind.
  const TimeBreak* jump() const;
  void leave() { ++next_; }

 private:
  std::vector<TimeBreak> breaks_;
  std::size_t next_ = 0;
};

}  // namespace driftless
