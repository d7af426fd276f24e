// The tables and claims of the paper, one function for each.
#pragma once

#include <vector>

#include "experiments/common/entry.hpp"

namespace driftless::experiments::paper001 {

std::vector<Entry> table11();              // Example 1
std::vector<Entry> table11_over_time();    // its other reading
std::vector<Entry> example1_schemes();     // Example 1 with stabilization after the step
std::vector<Entry> example2();             // Example 2
std::vector<Entry> continuation();         // (3.8)
std::vector<Entry> small_models();         // section 4, (4.5) and (4.6); section 2, Remark 1
std::vector<Entry> table31();              // Example 3
std::vector<Entry> kepler_claims();        // what the text says about it
std::vector<Entry> slider_crank();         // Example 4, Figures 4.2 to 4.13
std::vector<Entry> slider_crank_states();  // states of these runs
std::vector<Entry> slider_crank_claims();  // what the text says about them
std::vector<Entry> orders();               // Theorems 3.1 to 3.3
std::vector<Entry> sizes();                // errors and drifts of these runs
std::vector<Entry> theorems();             // what follows from them

}  // namespace driftless::experiments::paper001
