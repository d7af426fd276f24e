// The runs of Example 1.
#pragma once

#include <string>

namespace driftless::experiments::paper001 {

std::string example1_command(const std::string& formulation, const std::string& stabilizer);

}  // namespace driftless::experiments::paper001
