// S u = mu M u for symmetric S and positive definite M: the stiffness and the mass of a motion, mu = omega^2.
// The vectors are orthonormal in M. Off the fast path; allocates.
#pragma once

#include <driftless/linalg/types.hpp>

namespace driftless::linalg {

struct SymmetricPencil {
  Vector values;   // rising
  Matrix vectors;  // columns
};

/// Only the lower triangles are read. Where M is not positive definite, or not finite, both are empty.
SymmetricPencil symmetric_pencil(MatrixIn S, MatrixIn M);

}  // namespace driftless::linalg
