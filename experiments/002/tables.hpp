// The tables of the paper, and checks beyond them, one function for each.
#pragma once

#include <vector>

#include "experiments/common/entry.hpp"

namespace driftless::experiments::paper002 {

std::vector<Entry> table1();                // Example 2.1: the runs chosen by a scan of tolerances
std::vector<Entry> table1_fits();           // and all of them: steps at the same error
std::vector<Entry> table2();                // Andrews' mechanism at one tolerance: errors
std::vector<Entry> table3();                // and effort
std::vector<Entry> averages();              // the same, averaged over tolerances
std::vector<Entry> proportions();           // of the errors of p, v and lambda
std::vector<Entry> other_inverses();        // constrained least squares and Gauss-Newton in place of ssf
std::vector<Entry> equivalence_theorems();  // Theorems 3.1 and 4.1

}  // namespace driftless::experiments::paper002
