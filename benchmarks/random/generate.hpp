// A mechanism from (seed, number), and nothing else.
#pragma once

#include <cstdint>

#include "sketch.hpp"

namespace driftless::benchmarks::random {

Sketch generate(std::uint64_t seed, std::uint64_t number);

}  // namespace driftless::benchmarks::random
