// The runs of Example 2 and its continuation (3.8).
#pragma once

#include <string>
#include <vector>

#include "experiments/common/runner.hpp"

namespace driftless::experiments::paper001 {

std::string example2_command(const std::string& z0, const std::string& stabilizer, const std::string& step,
                             const std::string& t_end);
std::string keeping_h(const char* scheme, const std::string& alpha);  // the stabilizer

// y of (3.8) at the steps of such a run, from y = 1: y_n+1 = y_n exp(-h (1 + nu (z_n - t_n^3))).
std::vector<double> continued(const Table& table, double nu);

}  // namespace driftless::experiments::paper001
