// Whether a problem offers its matrices without zeros, M included (core/sparse_dynamics.hpp).
#pragma once

#include <driftless/core/problem.hpp>
#include <driftless/core/sparse_dynamics.hpp>

namespace driftless::formulations {

inline SparseDynamics::Branches branches_of(const Problem& problem) {
  const auto* dynamics = dynamic_cast<const SparseDynamics*>(&problem);
  return dynamics ? dynamics->branches() : SparseDynamics::Branches{};
}

inline bool offers_blocks(const Problem& problem) {
  return problem.shape().sparse() && !branches_of(problem).sizes.empty();
}

}  // namespace driftless::formulations
