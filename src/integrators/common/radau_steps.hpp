// The steps of radau5 (radau5.cpp), for y' = f and F(t, y, y') = 0: stages, error estimate and dense output put together.
#pragma once

#include <memory>

#include <driftless/core/integrator.hpp>

#include "radau_newton.hpp"

namespace driftless::integrators {

struct RadauSettings {
  RadauNewtonSettings newton = {};
  double tolerance = 1e-10;  // of Newton's method, relative to 1 + |y|, where steps are not judged
  bool tolerance_given = false;
  bool own_multipliers = false;  // of the last stage, else those of the accepted state
};

std::unique_ptr<Integrator> radau_steps(const RadauSettings& settings);

}  // namespace driftless::integrators
