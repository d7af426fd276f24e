// What a run does about events.
#include <algorithm>

#include <fmt/format.h>

#include <driftless/core/consistent_state.hpp>

#include "run.hpp"

namespace driftless {

void Run::end_by_event(const EventWatch::Trouble& trouble) {
  end_by(trouble.status,
         trouble.message.empty() ? problem_.explain(trouble.status, trouble.t, trouble.z) : trouble.message);
}

bool Run::find_events() {
  const auto trouble = watch_.search(interior_);
  for (const EventWatch::Root& root : watch_.roots()) {
    if (root.t == state.t) {
      between_ = interior_.end();
    } else {
      between_ = state;
      const Status status = interior_.with_multipliers(root.t, between_);
      if (status != Status::ok) {
        end_by(status, problem_.explain(status, between_.t, between_.z));
        return false;
      }
    }
    solution_.events.push_back({root.t, watch_.event(root).name, between_});
  }
  if (trouble) end_by_event(*trouble);
  if (!watch_.cut()) return false;
  state = between_;
  interior_.renew(Multipliers::evaluated);
  return true;
}

// What the events at `state` do: actions on a copy, so that a broken one leaves nothing behind.
void Run::react() {
  between_ = state;
  std::string names;
  bool terminal = false, changed = false;
  for (const EventWatch::Root& root : watch_.roots()) {
    if (root.t != state.t) continue;
    const Event& event = watch_.event(root);
    if (event.action) event.action(between_);
    changed = changed || event.action;
    terminal = terminal || event.terminal;
    names += (names.empty() ? "'" : "', '") + event.name;
  }
  names += "'";
  if (changed && !take_over_change(names, {})) return;
  begin_at_state();
  if (const auto trouble = watch_.start(state); trouble && running_) end_by_event(*trouble);
  if (running_ && changed && more() && !pipeline_.controller->fixed_step())
    h_ = first_step(target_ -
                    previous_.t);  // of the size of the last one: the end of the run has no say in it
  if (running_ && terminal)
    end(EndReason::event, fmt::format("event {} ended the run at t = {:.15g}", names, state.t));
}

// Makes the state after actions, in between_, consistent and goes on from there.
bool Run::take_over_change(const std::string& names, const ConsistencyOptions& how) {
  between_.t = state.t;
  try {
    if (between_.layout != state.layout || between_.z.size() != state.z.size())
      throw InputError("the action changed the number of entries of the state; let it change values only");
    between_ = consistent_state(problem_, between_, how).state;
  } catch (const InputError& refusal) {
    end(EndReason::no_convergence,
        fmt::format("after event {} at t = {:.10g}: {}", names, state.t, refusal.what()));
    return false;
  }
  for (Observer* observer : observers_) observer->reset(state, between_);
  state = between_;
  manifold.anchor(state.t, state.z);
  pipeline_.stabilizer->jumped();
  pipeline_.system->anchor(state);
  if (outputs_.every_step()) show_output(state);
  resets_without_progress_ = state.t - last_reset_ < smallest_step() ? resets_without_progress_ + 1 : 0;
  last_reset_ = state.t;
  if (resets_without_progress_ < 100) return true;
  end(EndReason::step_underflow,
      fmt::format(
          "event {} happens again and again at t = {:.10g} without any time passing (100 times); let its "
          "action leave the root, or make it terminal",
          names, state.t));
  return false;
}

}  // namespace driftless
