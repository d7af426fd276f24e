// What a run does about events.
#include <algorithm>

#include <fmt/format.h>

#include <driftless/core/consistent_state.hpp>

#include "run.hpp"

namespace driftless {

void Run::end_by_event(const EventWatch::Trouble& trouble) {
  if (trouble.message.empty())
    end_by(trouble.status, problem_.explain(trouble.status, trouble.t, between_.z));
  else
    end_by(trouble.status, trouble.message);
}

bool Run::find_events() {
  if (const auto trouble = watch_.search(interior_)) {
    end_by_event(*trouble);
    return false;
  }
  for (const EventWatch::Root& root : watch_.roots()) {
    between_ = state;
    if (root.t != state.t) {
      const Status status = interior_.with_multipliers(root.t, between_);
      if (status != Status::ok) {
        end_by(status, problem_.explain(status, root.t, between_.z));
        return false;
      }
    }
    solution_.events.push_back({root.t, watch_.event(root).name, between_});
  }
  if (!watch_.cut()) return false;
  state = between_;
  return true;
}

void Run::react() {
  previous_ = state;
  std::string names;
  bool terminal = false, changed = false;
  for (const EventWatch::Root& root : watch_.roots()) {
    if (root.t != state.t) continue;
    const Event& event = watch_.event(root);
    if (event.action) event.action(state);
    changed = changed || event.action;
    terminal = terminal || event.terminal;
    names += (names.empty() ? "'" : "', '") + event.name;
  }
  names += "'";
  state.t = previous_.t;
  try {
    if (changed) state = consistent_state(problem_, state).state;
  } catch (const InputError& refusal) {
    return end(EndReason::no_convergence,
               fmt::format("after event {} at t = {:.10g}: {}", names, state.t, refusal.what()));
  }
  if (terminal) end(EndReason::event, fmt::format("event {} ended the run at t = {:.15g}", names, state.t));
  if (!changed) return;
  resets_without_progress_ = state.t - last_reset_ < smallest_step() ? resets_without_progress_ + 1 : 0;
  last_reset_ = state.t;
  if (resets_without_progress_ >= 100)
    return end(
        EndReason::step_underflow,
        fmt::format("event {} happens again and again at t = {:.10g} without any time passing (100 times); "
                    "let its action leave the root, or make it terminal",
                    names, state.t));
  if (running_) begin_at_state();
  if (running_ && more() && !pipeline_.controller->fixed_step()) h_ = first_step();
  if (const auto trouble = watch_.start(state); trouble && running_) end_by_event(*trouble);
  for (Observer* observer : observers_) observer->reset(previous_, state);
  if (outputs_.every_step()) show_output(state);
}

}  // namespace driftless
