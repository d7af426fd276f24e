// Recorder: keeps the output states; they become Solution::states.
#pragma once

#include <vector>

#include <driftless/core/observer.hpp>

namespace driftless::observers {

class Recorder final : public Observer {
 public:
  void output(const State& state) override { states_.push_back(state); }
  void finish(Solution& solution) override { solution.states = std::move(states_); }

 private:
  std::vector<State> states_;
};

}  // namespace driftless::observers
