// index2: the constraint differentiated m - 1 times,
//   x_j' = x_{j+1},   M x_{m-1}' = f - B lambda - K^T kappa,   0 = g^(m-1),   0 = w
// Ascher, Petzold (1993), (3.11) with all roots 0. For mechanisms that is 0 = g': velocities stay on the constraints,
// positions drift off linearly in t. For order 1 nothing is differentiated: 0 = g, the direct index-2 discretization. Fails
// where B is far from G^T and M ill-conditioned: implicit methods then have the step restriction of explicit ones (Example
// 2), and the matrix of a step may become singular (Example 3, Table 4.7).
#include <driftless/core/entries.hpp>

#include "common/constrained_system.hpp"

namespace driftless::formulations {

namespace {

class Index2 final : public Formulation {
 public:
  std::unique_ptr<System> build(const Problem& problem) const override {
    const int m = problem.shape().order;
    return constrained_system(problem, {.imposed = {only(m - 1, m)}, .mechanical = Imposed::velocities});
  }
};

}  // namespace

FormulationEntry index2() {
  return {.summary = "equations of motion with g' = 0 imposed (order 1: g = 0)",
          .shapes = {SystemShape::dae, SystemShape::mechanical_velocities},
          .options = {},
          .make = [](const OptionValues&) { return std::make_unique<Index2>(); },
          .stabilizer = "none"};
}

}  // namespace driftless::formulations
