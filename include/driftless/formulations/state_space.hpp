// state-space from C++, where R is a matrix:
//   state_space({.R = R})->build(problem)      R has nv - ng rows and nq columns; empty: coordinates are chosen
// The equations are in src/formulations/state_space.cpp.
#pragma once

#include <memory>

#include <driftless/core/formulation.hpp>

namespace driftless::formulations {

struct StateSpaceOptions {
  Matrix R =
      {};  // the coordinates are u = R x for ever; without rows they are chosen, and changed where they must
};

std::unique_ptr<Formulation> state_space(const StateSpaceOptions& options);

}  // namespace driftless::formulations
