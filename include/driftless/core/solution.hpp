// Solution: everything a run leaves behind, also one that ended early.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <driftless/core/checkpoint.hpp>
#include <driftless/core/event.hpp>
#include <driftless/core/singularity.hpp>
#include <driftless/core/state.hpp>
#include <driftless/core/system.hpp>

namespace driftless {

enum class EndReason {
  reached_end,
  event,           // a terminal event
  step_underflow,  // the step became too small to advance t
  max_steps,
  not_finite,     // the model returned NaN or infinity and smaller steps did not help
  rank_loss,      // dependent constraints and smaller steps did not help
  lock_up,        // constraints can no longer be met by finite velocities
  impasse,        // the forces of constraint can no longer keep them: multipliers without bound
  contradiction,  // dependent constraints demand different things, or the model contradicts itself
  singular_mass,
  singular_step,
  no_convergence,
  exception,  // the model or an observer threw
  interrupted,
};
const char* name_of(EndReason reason);

struct Drift {
  double position = 0;  // max |g| over accepted steps
  double velocity = 0;  // max of |g'| and |w|
};

struct EnergyBalance {
  double start = 0;
  double end = 0;
  double work = 0;     // integral of the power input
  double balance = 0;  // end - start - work
};

// An accepted step, for looking at how a run went.
struct StepRecord {
  double t;       // where it ended
  double h;       // its size
  int order;      // of the method
  long rejected;  // attempts before it that failed
};

struct Solution {
  std::vector<State> states;  // at the output times asked for
  State final;
  EndReason end = EndReason::reached_end;
  std::string end_message;  // one sentence; empty when the end was reached
  std::optional<Drift> drift;
  std::optional<EnergyBalance> energy;
  Work work;
  std::vector<EventRecord> events;
  std::vector<Singularity> singularities;  // in the order of time
  std::vector<StepRecord> steps;           // of a run that chose its steps
  Checkpoint checkpoint;
  std::vector<std::string> notes;  // what the run wants to be known: a moved start, for instance
  double seconds = 0;

  bool complete() const { return end == EndReason::reached_end || end == EndReason::event; }
};

}  // namespace driftless
