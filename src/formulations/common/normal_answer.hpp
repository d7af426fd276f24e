// NormalAnswer: the displacement delta = F r with which `invariant-stabilized` answers a residual r of the
// manifold.
//   by NormalMap          full, block, split, transpose, input
//   by a user's D         F = D (H D)^-1
#pragma once

#include <memory>

#include <driftless/core/manifold.hpp>
#include <driftless/core/normal_map.hpp>
#include <driftless/formulations/invariant_stabilized.hpp>

namespace driftless::formulations {

class NormalAnswer {
 public:
  virtual ~NormalAnswer() = default;
  virtual void measure_time_by(double /*tau*/) {}  // before factor; core/unit_of_time.hpp
  virtual Status factor(double t, VectorIn z, const Manifold& manifold) = 0;  // after manifold.linearize
  virtual double strength() { return 1; }  // largest eigenvalue of H F, after factor
  virtual void apply(const Manifold& manifold, VectorIn r, VectorOut delta) = 0;
};

std::unique_ptr<NormalAnswer> normal_answer(const Manifold& manifold,
                                            const InvariantStabilizedOptions& options);

}  // namespace driftless::formulations
