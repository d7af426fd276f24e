// ggl from C++, where D may be the user's own:
//   ggl({.D = {.given = [](double t, VectorIn z, MatrixOut D) { .. }}})->build(problem)
// The equations are in src/formulations/ggl.cpp.
#pragma once

#include <memory>

#include <driftless/core/formulation.hpp>
#include <driftless/formulations/directions.hpp>

namespace driftless::formulations {

struct GglOptions {
  Directions D = {};
};

std::unique_ptr<Formulation> ggl(const GglOptions& options);

}  // namespace driftless::formulations
