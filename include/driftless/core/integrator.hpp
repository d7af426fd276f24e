// Integrator: attempts one step and says what came out. It keeps history and stages; it does not loop, project or
// judge.
//   start(system, state)   the state is consistent; its multipliers are filled in
//   attempt(h)             a candidate at t + h; may be called again with another h
//   accept(state, move)    the candidate, perhaps moved by a stabilizer, becomes the new base; its multipliers are
//                          evaluated there (the next step's first stage). On failure the old base stays.
//   interpolate(t, state)  anywhere in the last accepted step, until the next attempt; some methods evaluate
//                          further stages for it, on the first call after a step; if one fails, the state
//                          shows where
#pragma once

#include <vector>

#include <driftless/core/errors.hpp>
#include <driftless/core/state.hpp>
#include <driftless/core/system.hpp>

namespace driftless {

struct Tolerance;

// What the local error of the same step would have been at other orders, in the entries of Step::error; null: not known.
struct OrderErrors {
  const Vector* two_below = nullptr;
  const Vector* below = nullptr;
  const Vector* same = nullptr;  // as comparable with the others, which need not be how steps are judged
  const Vector* above = nullptr;
};

struct Step {
  Status status = Status::ok;
  State* state = nullptr;  // owned by the integrator; a stabilizer may move it before accept
  const Vector* error =
      nullptr;  // estimated local error in the entries of State::z; null where the method has none
  const Vector* second_error =
      nullptr;          // of lower order, to be combined with the first by error_size(); null: none
  int error_order = 0;  // the estimate, combined if there are two, behaves like h^(error_order + 1)
  double failed_t = 0;  // where it failed, if it did
  const Vector* failed_y = nullptr;
  int order = 0;            // of this step, where the method has several to choose from
  OrderErrors orders = {};  // then
  // Where entries follow in the errors that are not in State::z (multipliers that are to count): sizes of all entries.
  const Vector* sizes = nullptr;
};

struct StabilityUse {
  // How fast neighbouring motions approach each other, estimated: |lambda|; where they go to and fro about each other instead, -omega.
  double rate = 0;
  double part = 0;  // h |lambda| or h omega, as a part of what the stability of the method can take there
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  // Before start(), if steps are judged by a tolerance: what an implicit method leaves unsolved must be small against it.
  virtual void judged_by(const Tolerance&) {}
  // Before start(), of a one-step method that makes the first steps of a multistep method: systems are told of that one.
  virtual void starts(const Discretization& /*multistep*/) {}
  virtual Status start(System& system, State& state) = 0;
  // After start() and between steps, by a controller that chooses orders; without it a method keeps to its own.
  virtual void use_order(int /*order*/) {}
  // The unknowns of the system have got another meaning (see System::refresh); the state is the last accepted one.
  virtual Status recharted(System& system, State& state) { return start(system, state); }
  virtual Step attempt(double h) = 0;
  // move: displacement of z made by the stabilizer, null when the candidate was not touched. Multistep
  // methods add it to the corrector increment, so that every difference sees it.
  virtual Status accept(State& state, const Vector* move) = 0;
  virtual Status interpolate(double t, State& state) = 0;
  // What it makes of linear feedback; the default is a one-step method of high order.
  virtual Discretization discretization() const { return {}; }
  // Of the last accepted step of an explicit method; zeros: not known, or no limit.
  virtual StabilityUse stability_use() const { return {}; }
  // What it keeps from step to step besides the state, always as many numbers. After start() at that state,
  // remember() makes the next steps the same bit by bit; false: the numbers make no sense.
  virtual std::vector<double> memory() const { return {}; }
  virtual bool remember(const std::vector<double>& /*memory*/) { return true; }
};

}  // namespace driftless
