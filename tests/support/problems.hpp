// One problem of every shape, with a consistent start, for suites that run over all of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <driftless/core/problem.hpp>

namespace driftless::tests {

struct ShapeCase {
  std::string name;
  std::shared_ptr<const Problem> problem;
  State start;
  double t_end = 1;
};

std::ostream& operator<<(std::ostream& out, const ShapeCase& c);

// mechanical, time-dependent, nonholonomic, both-constraints, quaternions, order-1, order-3, unconstrained
const std::vector<ShapeCase>& shape_cases();
const ShapeCase& shape_case(const std::string& name);

}  // namespace driftless::tests
