// Which formulations take the mass matrix itself, whatever the integrator; others come by accelerations without it where the problem does
// (relative coordinates: by recursion), as long as the integrator is explicit.
#pragma once

#include <string_view>

namespace driftless::catalog {

bool takes_mass_matrix(std::string_view formulation);

}  // namespace driftless::catalog
