// The shapes in which a formulation can give its equations and those that an integrator takes: what they are called, and which one is
// chosen.
#pragma once

#include <string>
#include <vector>

#include <driftless/core/entries.hpp>

namespace driftless {

bool share(const std::vector<SystemShape>& a, const std::vector<SystemShape>& b);
std::string names_of(const std::vector<SystemShape>& shapes);

// Of a formulation with its options.
std::vector<SystemShape> shapes_of(const Formulation& formulation, const FormulationEntry& entry);

// Where a formulation has several shapes that the integrator takes: multipliers as unknowns, which implicit methods want; but
// controls add to a right-hand side.
SystemShape chosen_shape(const std::vector<SystemShape>& shapes, const std::vector<SystemShape>& taken,
                         bool controlled);

}  // namespace driftless
