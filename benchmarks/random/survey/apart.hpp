// A run in a process of its own, which may be stuck or crash.
#pragma once

#include <string>

#include "../runs.hpp"

namespace driftless::benchmarks::random {

Run run_apart(const std::string& text, Way way, double size, double seconds_limit);

}  // namespace driftless::benchmarks::random
