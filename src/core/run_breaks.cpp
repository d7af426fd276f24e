// How a run passes the times at which the problem is not smooth (time_breaks.hpp). Steps end there, or just before (next_step).
#include <algorithm>

#include "run.hpp"

namespace driftless {

void Run::pass_breaks() {
  while (running_ && breaks_.limit() - state.t < smallest_step()) {
    if (const TimeBreak* jump = breaks_.jump()) take_jump(*jump);
    breaks_.leave();
  }
}

void Run::take_jump(const TimeBreak& jump) {
  // The number next to 0 is of no use to formulas, whose derivatives leave the numbers there.
  constexpr double least = 1e-290;
  state.t = std::max(state.t, jump.t > 0 ? std::max(jump.t, least) : jump.t);
  if (jump.kind == TimeBreak::Kind::velocity) {
    solution_.events.push_back({state.t, jump.name, interior_.end()});
    between_ = state;
    if (!take_over_change("'" + jump.name + "'", {.metric = ConsistencyOptions::Metric::mass})) return;
  }
  begin_at_state();
  if (!running_) return;
  if (!watch_.idle())
    if (const auto trouble = watch_.start(interior_.end())) return end_by_event(*trouble);
  while (running_ && outputs_.due(state.t)) {
    outputs_.take();
    show_output(interior_.end());
  }
  if (running_ && more() && !pipeline_.controller->fixed_step())
    h_ = first_step(std::max({h_, cut_from_, target_ - previous_.t}));
}

}  // namespace driftless
