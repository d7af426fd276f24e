// Where stabilizing multipliers push: the columns of D in  x' = x_1 + D mu.
//   transpose   D = G^T                 the shortest way back
//   input       D = M^-1 B              along the constraint forces (M^-1 G^T for mechanisms)
//   unit        D = unit vectors        along chosen coordinates
//   given       a user's D, from C++
// G D must be regular: otherwise the multipliers cannot bring x back to g = 0.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <driftless/linalg/types.hpp>

namespace driftless::formulations {

enum class Direction { transpose, input, unit };

struct Directions {
  Direction kind = Direction::transpose;
  std::vector<std::string> coordinates = {};  // for unit: ng coordinates by name; none: the last ng
  // If given: writes D, nv rows and ng columns, all zeros before, whatever `kind` says.
  std::function<void(double t, VectorIn z, MatrixOut D)> given = {};
};

}  // namespace driftless::formulations
