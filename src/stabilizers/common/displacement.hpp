// The work that `post` and `projection` share: one corrected displacement of a state, and the error estimate
// less its normal part.
#pragma once

#include <driftless/core/stabilizer.hpp>

#include "normal_map.hpp"

namespace driftless::stabilizers {

class Displacement {
 public:
  void start(const Problem& problem, Kind kind);
  // Normalizes the coordinates, linearizes there and computes delta = -alpha F h.
  Status prepare(Manifold& manifold, State& state, double alpha);
  void perform(Manifold& manifold, State& state);
  void remove_normal_part(Manifold& manifold, const State& state, VectorOut error);

  double violation() const { return violation_; }
  // Largest entry of delta on each level relative to 1 + the largest entry of that level; the largest of
  // these.
  double size(const State& state) const;

 private:
  NormalMap map_;
  Vector delta_;
  Vector error_delta_;
  double violation_ = 0;
};

}  // namespace driftless::stabilizers
