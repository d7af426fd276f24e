#include "alpha_matrices.hpp"

#include <driftless/core/sparse_dynamics.hpp>

namespace driftless::integrators {

AlphaMatrices::AlphaMatrices(MechanicalSystem& system, Parts parts_of_residual)
    : system_(system),
      problem_(system.problem()),
      shape_(problem_.shape()),
      both_(imposes_both(system)),
      residual_parts_(parts_of_residual),
      masses_(Vector::Ones(shape_.nv)) {}

SparseDirections* sparse_directions_of(System& system) {
  auto* directions = dynamic_cast<SparseDirections*>(&system);
  return directions && directions->has_sparse_directions() ? directions : nullptr;
}

std::unique_ptr<AlphaMatrices> alpha_matrices(MechanicalSystem& system, SparseDirections* directions) {
  const bool sparse = sparse_dynamics(system.problem()) && (directions || !imposes_both(system));
  return sparse ? sparse_alpha_matrices(system, directions) : whole_alpha_matrices(system);
}

}  // namespace driftless::integrators
