// Power: what goes into a system from outside, so that E(t) - E(0) - W = 0 for an exact solution, W' = power:
//   P                               the model's own power input, if it has one
//   - v . (B lambda + K^T kappa)    of the constraint forces, where constraints move or B is given (order 2)
// Constraints that stand still, with B = G^T, do no work.
#pragma once

#include <driftless/core/problem.hpp>

namespace driftless {

class Power {
 public:
  // Do constraint forces put power in?
  static bool of_constraints(const Shape& shape) {
    return shape.order == 2 && shape.multipliers() > 0 && (shape.moving || shape.given_input);
  }
  // Or does the energy alone tell?
  static bool any(const Shape& shape) { return shape.has_power || of_constraints(shape); }

  // With the multipliers there; they are not looked at where constraints do no work.
  double at(const Problem& problem, double t, VectorIn z, VectorIn lambda, VectorIn kappa);

 private:
  Evaluation parts_;
};

}  // namespace driftless
