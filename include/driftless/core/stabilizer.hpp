// Stabilizer: pulls a state back to the manifold after a step. It does not decide acceptance.
#pragma once

#include <optional>
#include <string>

#include <driftless/core/manifold.hpp>
#include <driftless/core/state.hpp>

namespace driftless {

struct Correction {
  Status status = Status::ok;
  const Vector* move = nullptr;  // displacement of z that was made (entries of z); null: nothing was moved
  double violation = 0;          // max |h| before
  double remaining = 0;          // max |h| after, where the stabilizer knows it (projection), else 0
  int iterations = 0;
};

class Stabilizer {
 public:
  virtual ~Stabilizer() = default;
  virtual std::optional<std::string> refuses(const Shape&) const { return std::nullopt; }
  virtual void start(const Problem&) {}
  // Moves state.z; leaves the multipliers alone (they are evaluated at the accepted state).
  virtual Correction apply(Manifold& manifold, State& state) = 0;
  // After apply: takes from an error estimate (entries of z) the part that the correction removes.
  virtual void remove_normal_part(Manifold&, const State&, VectorOut /*error*/) {}
};

}  // namespace driftless
