// Who works with whole matrices says so before it makes any.
#pragma once

#include <driftless/core/problem.hpp>

namespace driftless {

// Throws InputError where they would not fit into memory.
void check_whole_matrices(int velocities);

}  // namespace driftless
