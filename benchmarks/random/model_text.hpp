// A sketch as the text of a model file, in SI.
#pragma once

#include <string>

#include "sketch.hpp"

namespace driftless::benchmarks::random {

std::string model_text(const Sketch& sketch, const std::string& title);

}  // namespace driftless::benchmarks::random
