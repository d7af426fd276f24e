// Catalog: names and option strings to objects. The only room that knows all methods; its tables are written
// by the build from the files in the method rooms.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <driftless/core/entries.hpp>

namespace driftless::catalog {

const std::vector<Named<FormulationEntry>>& formulation_table();
const std::vector<Named<IntegratorEntry>>& integrator_table();
const std::vector<Named<StabilizerEntry>>& stabilizer_table();
const std::vector<Named<ControlEntry>>& control_table();
const std::vector<Named<ControllerEntry>>& controller_table();
const std::vector<Named<ProblemEntry>>& problem_table();

// Look-ups throw InputError with the nearest names for one that is unknown.
const FormulationEntry& formulation(std::string_view name);
const IntegratorEntry& integrator(std::string_view name);
const StabilizerEntry& stabilizer(std::string_view name);
const ControlEntry& control(std::string_view name);
const ControllerEntry& controller(std::string_view name);
const ProblemEntry& problem(std::string_view name);

// A named problem with some of its parameters set, as in --set name=value.
ProblemInstance make_problem(std::string_view name,
                             const std::vector<std::pair<std::string, std::string>>& set = {});

}  // namespace driftless::catalog
