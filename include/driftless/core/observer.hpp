// Observer: sees accepted steps and output states and records; it does not steer.
#pragma once

#include <driftless/core/integrator.hpp>
#include <driftless/core/problem.hpp>
#include <driftless/core/solution.hpp>
#include <driftless/core/state.hpp>

namespace driftless {

struct RunInfo {
  const Problem& problem;
  const State& start;
  double t_end;
};

struct AcceptedStep {
  const State& from;
  const State& to;
  Integrator& dense;  // interpolates between the two
  int order = 0;      // of the method in this step
  long rejected = 0;  // attempts before it that failed
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void start(const RunInfo&) {}
  virtual void step(const AcceptedStep&) {}
  virtual void output(const State&) {}
  // The action of an event changed the state and made it consistent.
  virtual void reset(const State& /*before*/, const State& /*after*/) {}
  virtual void finish(Solution&) {}
};

}  // namespace driftless
