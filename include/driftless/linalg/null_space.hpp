// An orthonormal basis of the motions that constraints allow: C Z = 0, Z^T Z = I, Z of size n x (n - rank C).
// From C^T P = Q [R; 0] of the row-normalised C: Z is the last columns of Q. Off the fast path; allocates.
#pragma once

#include <driftless/linalg/factor_status.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless::linalg {

/// Rows of C closer than the tolerance to the span of the others (as an angle) count as dependent. The basis
/// is not a continuous function of C; follow one along a path by projecting the old basis.
Matrix null_space(MatrixIn C, double tolerance = row_angle_limit);

}  // namespace driftless::linalg
