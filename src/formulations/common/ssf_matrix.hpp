// The iteration of an overdetermined system (constrained_system.hpp with rows beside): for the square part A_1 dy = r_1 and the rows
// A_2 dy = r_2 beside it, the generalized solution of Fuehrer, Leimkuhler (1991), (30), which needs no null space,
//
//   dy = A_1^-1 (r_1 - W A_2^T m),    Q m = A_2 A_1^-1 r_1 - r_2,    Q = A_2 A_1^-1 W A_2^T
//
// with W = I in the paper, and here the squares of the unit of time (unit_of_time.hpp) on the levels below the highest one.
// A_1 is factored with its structure (level_elimination.hpp) and serves from step to step; A_2 is that of the last residual, so that the
// iteration converges to the solution of the system extended by multipliers m, wherever A_1 was made. What is made once per A_1 are the
// columns Z of A_1^-1 that belong to rows on which A_2^T acts: then Q = A_2 Z W A_2^T is a product of small matrices.
// All of A_2 and Z is along displacements of the levels.
// The rows of levels are eliminated and the others brought near 1 by powers of two, which is what the paper's row scaling by h/alpha_0 is for;
// the solution does not depend on it.
#pragma once

#include <memory>

#include <driftless/core/system.hpp>

#include "linearization.hpp"

namespace driftless::formulations {

// levels: A_2 acts on the levels 0, .., levels - 1.
std::unique_ptr<IterationMatrix<double>> ssf_matrix(const Linearization& at, int levels, Work& work);

}  // namespace driftless::formulations
