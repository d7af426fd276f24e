// How position rows curve along displacements. Private to core.
#pragma once

#include <vector>

#include <driftless/core/problem.hpp>

namespace driftless {

// c(q, u) of position rows: its quadratic part as forms of the directions in the columns of U, and which rows have another part,
// because they move.
struct Curvatures {
  std::vector<Matrix> forms;
  std::vector<char> moves;
};
Curvatures curvatures(const Problem& problem, double t, VectorIn z, const Matrix& U);

}  // namespace driftless
