// StepContext: all that an integrator tells a System of a step, since feedback may follow the method and the step. An integrator says it when
// it starts, with h = 0, and one of an OdeSystem or DaeSystem also at the beginning of every attempt; it says all of it every time, so that
// no call relies on an earlier one. A System that wraps another one hands it on as it is.
#pragma once

#include <driftless/core/discretization.hpp>

namespace driftless {

struct StepContext {
  const Discretization& discretization;  // of the method that the run is made with
  double t = 0;
  double h = 0;  // 0: no step begins, a run starts at t or goes on there after a jump
  // Another method makes the first steps of a multistep method. Its right-hand sides become history, in which feedback of its kind would
  // do harm, so that feedback which depends on the method waits.
  bool starting = false;
};

}  // namespace driftless
