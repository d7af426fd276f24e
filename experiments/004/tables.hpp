// The examples and claims of the paper, and checks beyond them, one function for each.
#pragma once

#include <vector>

#include "experiments/common/entry.hpp"

namespace driftless::experiments::paper004 {

std::vector<Entry> gain_convention();  // what U means, by the stability of its loop
std::vector<Entry> coefficients();     // a_k of the truncation-error model (32)
std::vector<Entry> examples();         // Examples 1 and 2: simulated, predicted, exact equilibrium
std::vector<Entry> claims();           // orders in h, no energy control, no control, frequency
std::vector<Entry> third_order();      // AB-3
std::vector<Entry> pendulum();         // controls (7) and (10) on a pendulum
std::vector<Entry> pendulum_gain();    // what they do for its positions
std::vector<Entry> slider_crank();     // and on the slider-crank of paper 001

}  // namespace driftless::experiments::paper004
