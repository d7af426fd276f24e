// Run: what the loop carries from step to step, how it retries and how it ends. Private to core.
#pragma once

#include <string>
#include <vector>

#include <driftless/core/manifold.hpp>
#include <driftless/core/solve.hpp>

#include "output_times.hpp"

namespace driftless {

class Run {
 public:
  Run(const Problem& problem, Pipeline& pipeline, const State& start, const Options& options,
      const std::vector<Observer*>& observers);

  void begin();  // integrator, observers, first step, first output
  bool more() const { return running_ && state.t < options_.t_end; }
  double next_step();  // the size to try now: hmax and the end of the run respected
  bool last_step() const { return last_; }
  bool underflow();  // is that size too small? then the run has ended

  void retry(Status status, double t, VectorIn y);            // the step failed: a smaller one, or the end
  void retry(const Correction& fix, const State& candidate);  // the stabilizer failed
  void reject(double next_h);                                 // the error was too large
  void advance(const State& candidate, double next_h);        // accepted: observers and outputs
  void end(EndReason reason, std::string message);

  Solution finish();

  State state;  // the last accepted one
  Manifold manifold;
  Vector error;  // workspace for the judged error
  Work work;

 private:
  void end_by(Status status, double t, VectorIn y);
  void write_outputs();
  double smallest_step() const;
  bool shrink();

  const Problem& problem_;
  Pipeline& pipeline_;
  const Options& options_;
  const std::vector<Observer*>& observers_;
  OutputTimes outputs_;
  State previous_, between_;
  Solution solution_;
  double h_ = 0;
  bool last_ = false;
  bool running_ = true;
};

}  // namespace driftless
