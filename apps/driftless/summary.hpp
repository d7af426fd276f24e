// A run, for people.
#pragma once

#include <string>

#include <driftless/io/run_report.hpp>

namespace driftless::app {

std::string method_text(const io::MethodWords& method);  // "index1 + dopri5 + post:F=block"
std::string accuracy_text(const io::RunReport& report);  // "step 0.01" or "rtol = 1e-06, atol = 1e-06"
std::string summary(const io::RunReport& report, const std::string& problem_summary);

}  // namespace driftless::app
