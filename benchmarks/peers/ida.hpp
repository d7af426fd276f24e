// SUNDIALS' IDA, variable-order BDF for F(t, y, y') = 0:
//   on the equations of a formulation of Driftless, with its residual and its matrix or difference quotients (common/ida_run.hpp)
//   on index-1 equations by hand, q' = N v, M v' + G^T lambda = f, G v' + c = 0, with the multipliers as unknowns
#pragma once

#include "../common/ida_run.hpp"
#include "outcome.hpp"
#include "right_hand_side.hpp"

namespace driftless::benchmarks {

Outcome run_ida(const Task& task, IdaSettings settings);

// With difference quotients. The multipliers may stay out of the error test.
Outcome run_ida_by_hand(const Task& task, Ode& ode, bool out_of_error_test);

}  // namespace driftless::benchmarks
