// The steps of bdf (bdf.cpp), for y' = f and F(t, y, y') = 0: history, corrector and error estimates put together.
//
// A run with a fixed step has one order. It begins with steps in pieces: the first from 12 of h/2^18 on, 6 of each size
// up to h/32, as fast as pieces may grow without amplifying errors, and then in sixteenths, as the following ones until there are enough values
// at whole steps. What low orders leave in it is some 1e-10 h^2, what the changes of size leave belongs to h/16.
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
