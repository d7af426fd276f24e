// index3: the equations of motion as they are,
//   x_j' = x_{j+1},   M x_{m-1}' = f - B lambda - K^T kappa,   0 = g^(m-2),   0 = w
// For mechanisms (m = 2) that is 0 = g: Ascher, Petzold (1993), (2.3) in first-order form. Positions stay on the
// constraints to the last digit; velocities obey g' = 0 to the order of the method only. Velocity constraints are of
// index 2 here. Errors of positions reach velocities divided by h and multipliers divided by h^2: Newton's method must be
// solved tightly, and very small steps lose digits of lambda (roundoff/h^2).
#include <fmt/format.h>

#include <driftless/core/entries.hpp>

#include "common/constrained_system.hpp"

namespace driftless::formulations {

namespace {

class Index3 final : public Formulation {
 public:
  Index3()
      : Formulation({.answer = OwnAnswer::positions, .answered = FormulationTraits::Answered::positions}) {}
  std::optional<std::string> refuses(const Shape& shape) const override {
    if (shape.order >= 2) return std::nullopt;
    return "the system has order 1, so that with g = 0 itself it has index 2; use index2";
  }
  std::unique_ptr<System> build(const Problem& problem) const override {
    const int m = problem.shape().order;
    return constrained_system(problem, {.imposed = {only(m - 2, m)},
                                        .lambda_index = 3,
                                        .velocity_index = 2,
                                        .mechanical = Imposed::positions});
  }
};

}  // namespace

FormulationEntry index3() {
  return {.summary = "equations of motion with g = 0 imposed, as they are",
          .shapes = {SystemShape::dae, SystemShape::mechanical_positions},
          .options = {},
          .make = [](const OptionValues&) { return std::make_unique<Index3>(); },
          .stabilizer = "none"};
}

}  // namespace driftless::formulations
