// projected-invariants from C++, where D may be the user's own:
//   projected_invariants({.levels = 1, .D = {.given = [](double t, VectorIn z, MatrixOut D) { .. }}})->build(problem)
// The equations are in src/formulations/projected_invariants.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <driftless/core/formulation.hpp>
#include <driftless/formulations/directions.hpp>

namespace driftless::formulations {

struct ProjectedInvariantsOptions {
  std::optional<int> levels = {};            // k: how many of g, g', .. are imposed; none: all m
  bool coupled = true;                       // mu_j also moves the levels below j, along H^T (variant c)
  Directions D = {};                         // B_j
  std::vector<std::string> invariants = {};  // that are imposed too, by name
  bool model_time = false;                   // H^T in the unit of time of the model (core/unit_of_time.hpp)
};

std::unique_ptr<Formulation> projected_invariants(const ProjectedInvariantsOptions& options);

}  // namespace driftless::formulations
