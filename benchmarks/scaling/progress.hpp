// What is being measured, for those who wait, on standard error.
#pragma once

#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace driftless::benchmarks::scaling {

inline void show_progress(const std::string& text) {
  fmt::print(stderr, "{}\n", text);
}

}  // namespace driftless::benchmarks::scaling
