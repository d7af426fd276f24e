// SUNDIALS' CVODE, variable order and step: Adams with fixed-point iteration, or BDF with fixed-point or Newton iteration, and BDF with
// its own feature of projecting solution and error estimate after every step.
#pragma once

#include "outcome.hpp"
#include "right_hand_side.hpp"

namespace driftless::benchmarks {

struct CvodeSettings {
  bool adams = false;  // else BDF
  bool newton = true;  // else fixed-point iteration
  bool own_matrix =
      true;  // of Newton's method: by difference quotients; else the Jacobian of Driftless's `index1`
  bool projected = false;
};

Outcome run_cvode(const Task& task, Ode& ode, const CvodeSettings& settings);

}  // namespace driftless::benchmarks
