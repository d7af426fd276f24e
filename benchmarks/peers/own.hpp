// Driftless itself, with a method in the words of the command line.
#pragma once

#include "outcome.hpp"

namespace driftless::benchmarks {

Outcome run_own(const Task& task, const Method& method);

}  // namespace driftless::benchmarks
