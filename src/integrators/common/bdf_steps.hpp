// The steps of bdf (bdf.cpp), for y' = f and F(t, y, y') = 0: history, corrector and error estimates put together.
//
// A run with a fixed step has one order. It begins with steps in pieces: the first from 12 of h/2^18 on, 6 of each size
// up to h/32, as fast as pieces may grow without amplifying errors, and then in sixteenths, as the following ones until there are enough values
// at whole steps. What low orders leave in it is some 1e-10 h^2, what the changes of size leave belongs to h/16.
//
// Errors of steps. Those of the discretization, e, are differences of the history; they enter F as c F_y' e, so that the unknowns are wrong by
//   E = (c F_y' + F_y)^-1 c F_y' e
// Where all unknowns are differential E is e, but for stiff parts. In index 3 (M v' = f - G^T lambda, q' = v, g = 0) the first rows read c E_q - E_v = c e_q,
// and G E_q = 0: along the constraints E_q = e_q, across them E_q = 0 and E_v = -c e_q, c = (1 + 1/2 + .. + 1/k)/h. That is what g' shows, and
// what every term of f with velocities feels; e_v, in which jumps of e_q/h from step to step look like roughness, does not show it. So E is judged there,
// which behaves like h^k across the constraints and like h^(k+1) along them. Positions are known to roundoff only, velocities to c times that: so
// much of E_v is no error of the step.
#pragma once

#include <memory>

#include <driftless/core/integrator.hpp>
#include <driftless/core/step_controller.hpp>

#include "bdf_history.hpp"
#include "corrector.hpp"
#include "counted_entries.hpp"

namespace driftless::integrators {

struct BdfSettings {
  int order = BdfHistory::largest_order;  // the largest one, or the only one
  bool only = false;
  CorrectorSettings corrector = {};
  bool corrector_given = false;
  double tolerance = 1e-10;  // of the corrector, relative to 1 + |y|, where steps are not judged
  bool tolerance_given = false;
  CountedEntries error_test, corrector_test;
  bool error_test_given = false;
};

std::unique_ptr<Integrator> bdf_steps(const BdfSettings& settings);

}  // namespace driftless::integrators
