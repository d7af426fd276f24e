// The metric of stabilizing pushes. D = G^T is the shortest way back where a metre counts as much as a radian. Rows (1, 0, -r_y), (0, 1, r_x) of a
// pin at the end of a long lever r depend on angles nearly alone: G G^T has the condition r^2, no digits are left of it beyond some 1e7 m, and
// each push turns the body far more than it moves it. There displacements are measured by the points that they move (Scales::levers):
//   D = W^-1 G^T,   W = diag(levers^2)       rounded to powers of two
// Bodies of ordinary sizes are left to the plain transpose, as in the papers.
#pragma once

#include <driftless/core/problem.hpp>

namespace driftless::formulations {

// The diagonal of W^-1, nv entries; empty where the plain transpose serves.
Vector push_metric(const Problem& problem);

}  // namespace driftless::formulations
