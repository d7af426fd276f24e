#include "push_metric.hpp"

#include <cmath>

namespace driftless::formulations {

namespace {

constexpr double long_lever = 1024;  // the square of it is what G G^T may lose of its digits

}  // namespace

Vector push_metric(const Problem& problem) {
  const Vector levers = problem.scales(0, Vector::Zero(problem.shape().nq)).levers;
  if (levers.size() == 0 || !(levers.maxCoeff() > long_lever) || !levers.allFinite()) return {};
  return levers.unaryExpr([](double lever) { return std::ldexp(1.0, -2 * std::ilogb(lever)); });
}

}  // namespace driftless::formulations
