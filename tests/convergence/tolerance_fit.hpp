// Error over tolerance: runs with rtol = atol = 10^(-j/2), and the straight line through log10 of the errors. Serves the test that asks
// for a slope near 1 and the program that writes docs/bdf-accuracy.md.
#pragma once

#include <string>
#include <vector>

#include "support/run.hpp"

namespace driftless::tests {

struct ToleranceCase {
  std::string problem;
  std::string what;       // in words
  std::string reference;  // how far it can be trusted
};
const std::vector<ToleranceCase>& tolerance_cases();

// What bdf runs with: the form that it is made for, and the ordinary differential equation with post-stabilization.
const std::vector<Method>& bdf_methods();

inline constexpr int loosest = 8, tightest = 20;  // j, six decades

struct ToleranceFit {
  std::vector<double> errors;  // of q at the end, absolute
  double slope = 0;            // least squares
  double scatter = 0;          // standard deviation of log10 of the errors around the line
};
ToleranceFit fit_tolerances(const std::string& problem, const Method& method);

}  // namespace driftless::tests
