// X of least norm among those that make A X - R least: A^+ R, whatever the rank of A (rows and columns that are
// dependent within roundoff count as such). Off the fast path; allocates.
#pragma once

#include <driftless/linalg/types.hpp>

namespace driftless::linalg {

Matrix least_norm_solution(MatrixIn A, MatrixIn R);

}  // namespace driftless::linalg
