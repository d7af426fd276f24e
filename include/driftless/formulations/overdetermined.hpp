// Formulations `overdetermined-index1` and `overdetermined-index2` with their options, for programs.
#pragma once

#include <memory>
#include <optional>

#include <driftless/core/formulation.hpp>
#include <driftless/linalg/generalized_inverse.hpp>

namespace driftless::formulations {

struct OverdeterminedOptions {
  // What more equations than unknowns have for a solution; none: the ssf solution by (30), which is the fastest.
  std::optional<linalg::GeneralizedSolution> definition = {};
  // A_2 stays where A_1 was made: what is converged to then depends on where that was.
  bool frozen = false;
  // Of overdetermined-index1: lambda is what the corrector leaves, not that of the accepted state. Nothing else feels it, so that it may run away.
  bool own_lambda = false;
  // A_2^T in the unit of time of the model (core/unit_of_time.hpp).
  bool model_time = false;
};

std::unique_ptr<Formulation> overdetermined_index1(const OverdeterminedOptions& options);
std::unique_ptr<Formulation> overdetermined_index2(const OverdeterminedOptions& options);

}  // namespace driftless::formulations
