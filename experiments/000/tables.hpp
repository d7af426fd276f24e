// The tables of the paper and what they do not say, one function for each.
#pragma once

#include <vector>

#include "experiments/common/entry.hpp"

namespace driftless::experiments::paper000 {

std::vector<Entry> table41();              // Example 1
std::vector<Entry> table42();              // Example 2
std::vector<Entry> tables43_to_48();       // Example 3
std::vector<Entry> table49();              // Example 4
std::vector<Entry> other_readings();       // of Tables 4.1, 4.3 and 4.7
std::vector<Entry> euler_factor();         // why the direct method and D = B fail
std::vector<Entry> first_order();          // in h, whatever nu is
std::vector<Entry> velocity_projection();  // after the steps of (4.14)
std::vector<Entry> other_variants();       // (4.16), (4.17) and the projection (4.18) to (4.22) in Example 3

}  // namespace driftless::experiments::paper000
