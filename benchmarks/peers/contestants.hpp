// Who takes part: programs with their methods and settings, one line each.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "outcome.hpp"

namespace driftless::benchmarks {

struct Contestant {
  std::string program, method;
  std::string setting = "";  // contestants that differ in this alone are a scan: the best one stands for all
  bool rhs_of_driftless = false;
  std::function<Outcome(const Task&)> run;
};

std::vector<Contestant> contestants(const std::string& problem);

}  // namespace driftless::benchmarks
