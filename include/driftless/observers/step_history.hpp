// StepHistory: size and order of every accepted step; they become Solution::steps.
#pragma once

#include <vector>

#include <driftless/core/observer.hpp>

namespace driftless::observers {

class StepHistory final : public Observer {
 public:
  void step(const AcceptedStep& step) override {
    steps_.push_back({step.to.t, step.to.t - step.from.t, step.order, step.rejected});
  }
  void finish(Solution& solution) override { solution.steps = std::move(steps_); }

 private:
  std::vector<StepRecord> steps_;
};

}  // namespace driftless::observers
