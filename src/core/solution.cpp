#include <driftless/core/solution.hpp>

namespace driftless {

const char* name_of(EndReason reason) {
  switch (reason) {
    case EndReason::reached_end:
      return "reached-end";
    case EndReason::event:
      return "event";
    case EndReason::step_underflow:
      return "step-underflow";
    case EndReason::max_steps:
      return "max-steps";
    case EndReason::not_finite:
      return "not-finite";
    case EndReason::rank_loss:
      return "rank-loss";
    case EndReason::lock_up:
      return "lock-up";
    case EndReason::impasse:
      return "impasse";
    case EndReason::contradiction:
      return "contradiction";
    case EndReason::singular_mass:
      return "singular-mass";
    case EndReason::singular_step:
      return "singular-step";
    case EndReason::no_convergence:
      return "no-convergence";
    case EndReason::exception:
      return "exception";
    case EndReason::interrupted:
      return "interrupted";
  }
  return "unknown";
}

}  // namespace driftless
