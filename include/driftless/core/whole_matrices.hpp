// Who works with whole matrices says so before it makes any.
#pragma once

#include <driftless/core/problem.hpp>

namespace driftless {

constexpr int most_whole_velocities = 3000;  // a matrix has 72 MB then

// Throws InputError where they would not fit into memory.
void check_whole_matrices(const Shape& shape);
// Of a method, where the problem may well offer others.
void check_whole_matrices(int velocities);

}  // namespace driftless
