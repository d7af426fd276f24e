// index1: the underlying ODE. The position constraints are differentiated m times, the velocity constraints once,
//   M a + B lambda + K^T kappa = f,   G a + c = 0,   K a + ck = 0        (g^(m) = 0, w' = 0)
// and a is the highest derivative. Ascher, Petzold (1993), (3.1) and (3.5) with gamma = 0.
// Cheap, and exact on the manifold; but nothing pulls the solution back: |g| grows like t^m, so
// that it wants a stabilizer.
#include <driftless/core/entries.hpp>

#include "common/acceleration_system.hpp"

namespace driftless::formulations {

namespace {

class Index1 final : public Formulation {
 public:
  std::unique_ptr<System> build(const Problem& problem) const override {
    return acceleration_system(problem, {});
  }
};

}  // namespace

FormulationEntry index1() {
  return {.summary = "underlying ODE: constraints differentiated until the highest derivative appears",
          .shapes = {SystemShape::ode},
          .options = {},
          .make = [](const OptionValues&) { return std::make_unique<Index1>(); }};
}

}  // namespace driftless::formulations
