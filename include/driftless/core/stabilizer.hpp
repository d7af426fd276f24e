// Stabilizer: pulls a state back to the manifold after a step. It does not decide acceptance.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <driftless/core/manifold.hpp>
#include <driftless/core/state.hpp>
#include <driftless/core/traits.hpp>

namespace driftless {

struct Correction {
  Status status = Status::ok;
  const Vector* move = nullptr;  // displacement of z that was made (entries of z); null: nothing was moved
  double violation = 0;          // max |h| before
  double remaining = 0;          // max |h| after, where the stabilizer knows it (projection), else 0
  int iterations = 0;
};

// Why and after what a stabilizer is called: the state before the step, its size, and whether this is the candidate of a step (which
// may still be rejected) or an output state inside one.
struct Occasion {
  enum class Purpose { candidate, output };
  const State& from;
  double h;
  Purpose purpose = Purpose::candidate;
};

class Stabilizer {
 public:
  explicit Stabilizer(const StabilizerTraits& known = {}) : traits(known) {}
  virtual ~Stabilizer() = default;
  const StabilizerTraits traits;
  virtual std::optional<std::string> refuses(const Shape&) const { return std::nullopt; }
  // Which invariants of the problem join the constraints in h.
  virtual Invariants invariants(const Problem&) const { return {}; }
  virtual void start(const Manifold&) {}
  // Moves state.z; leaves the multipliers alone (they are evaluated at the accepted state).
  virtual Correction apply(Manifold& manifold, State& state, const Occasion& occasion) = 0;
  virtual void accepted() {}  // the last candidate was accepted
  virtual void jumped() {}    // the state was changed from outside: what was kept no longer belongs to it
  // After apply: takes from an error estimate (entries of z) the part that the correction removes.
  virtual void remove_normal_part(Manifold&, const State&, VectorOut /*error*/) {}
  // Where it factored the constraint rows [G; K] at the last candidate: their squared lengths and pivots (see SaddlePoint). False: it did not.
  virtual bool row_pivots(VectorOut /*squares*/, VectorOut /*pivots*/) const { return false; }
  // What it keeps from step to step, always as many numbers. After start(), remember() makes the next steps the
  // same bit by bit; false: the numbers make no sense.
  virtual std::vector<double> memory() const { return {}; }
  virtual bool remember(const std::vector<double>& /*memory*/) { return true; }
};

}  // namespace driftless
