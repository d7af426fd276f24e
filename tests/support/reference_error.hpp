// Errors at a problem's end time against its reference, of which entries may be unknown (NaN).
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "support/run.hpp"

namespace driftless::tests {

// The largest one, relative to the size of the entry but at least to `small`; small = infinity: never, the absolute error instead.
inline double largest_error(const Vector& value, const Vector& exact, double small) {
  double largest = 0;
  for (Eigen::Index i = 0; i < exact.size(); ++i) {
    if (!std::isfinite(exact(i))) continue;
    const double unit = std::isfinite(small) ? std::max(small, std::abs(exact(i))) : 1;
    largest = std::max(largest, std::abs(value(i) - exact(i)) / unit);
  }
  return largest;
}

// From the start to the end of a named problem, with rtol = atol. Throws where the run does not reach its end.
inline Solution run_to_end(const ProblemInstance& instance, const Method& method, double tolerance,
                           const Output& output = {}) {
  Solution solution =
      solve(*instance.problem, instance.start, method,
            {.t_end = instance.t_end, .rtol = tolerance, .atol = tolerance, .output = output});
  if (!solution.complete()) throw std::runtime_error(solution.end_message);
  return solution;
}

// Absolute, of q: what `driftless run` reports.
inline double q_error_at_end(const std::string& problem, const Method& method, double tolerance) {
  const ProblemInstance instance = catalog::make_problem(problem);
  const Solution solution = run_to_end(instance, method, tolerance);
  return largest_error(solution.final.q(), instance.reference.at(instance.t_end)->q(), INFINITY);
}

}  // namespace driftless::tests
