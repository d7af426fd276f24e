// Stabilizers that find their correction by iterations from z~, the integrator's result: first with the F that is kept
// from an earlier step, if there is one, and where that does not converge with an F of the place itself.
#pragma once

#include "correction.hpp"

namespace driftless::stabilizers {

class IteratingStabilizer : public CorrectingStabilizer {
 public:
  using CorrectingStabilizer::CorrectingStabilizer;

  void start(const Manifold& manifold) override {
    CorrectingStabilizer::start(manifold);
    begin_ = move_;
  }

  Correction apply(Manifold& manifold, State& state, const Occasion& occasion) final {
    begin(manifold, occasion);
    if (manifold.empty()) return {.move = normalize_only(manifold, state)};
    begin_move(manifold, state);
    begin_ = state.z;
    Correction result;
    iterate(manifold, state, occasion.purpose, result);
    if (result.status == Status::no_convergence && with_kept()) {
      give_up_kept();
      iterate(manifold, state, Purpose::output, result);  // with an F of its own
    }
    if (result.status == Status::ok) result.move = end_move(state);
    return result;
  }

 protected:
  // From begin_ to a corrected state.z, with status and counts in the result.
  virtual void iterate(Manifold& manifold, State& state, Purpose purpose, Correction& result) = 0;

  Vector begin_;  // z~
};

}  // namespace driftless::stabilizers
