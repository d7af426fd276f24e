// The examples and theorems of the paper, and checks beyond them, one function for each. The paper prints figures and
// verdicts, no tables; numbers are those of an independent program.
#pragma once

#include <vector>

#include "experiments/common/entry.hpp"

namespace driftless::experiments::paper003 {

std::vector<Entry> example51_errors();      // Example 5.1, Figures 5.1 to 5.4
std::vector<Entry> example51_robustness();  // and from thirty starts
std::vector<Entry> orders_in_epsilon();     // Theorem 3.2, on Example 5.1
std::vector<Entry> constant_rank();         // Theorem 3.1
std::vector<Entry> example52_counts();  // Example 5.2, Figures 5.6 to 5.14: of 24 releases, how many succeed
std::vector<Entry> example52_crossings();  // and how many crossings of the singularity each survives
std::vector<Entry> example52_further();    // other epsilon, tolerances and forms
std::vector<Entry> drift_maps();           // what one crossing does to the drift of positions
std::vector<Entry> many_crossings();       // and many of them
std::vector<Entry> curvature_offsets();    // (4.4) without the curvature term
std::vector<Entry> stability_limits();     // (4.14) for order m
std::vector<Entry> singular_masses();      // (4.11)

}  // namespace driftless::experiments::paper003
