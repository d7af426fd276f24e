// stabilized-index1: the extended system of Fuehrer, Leimkuhler (1991), (31)-(35): everything that the exact solution satisfies is
// imposed, and multipliers mu, eta make room for it. For mechanisms
//   q' = N (v + G^T mu + L^T eta),   M v' = f - B lambda - K^T kappa + G^T eta,   0 = g,  0 = g',  0 = g''
// (their signs of mu, eta are the opposite). 0 = g'' determines lambda at every state; it is eliminated:
//   z' = f(z) + diag(I, .., M^-1) H^T (mu, eta),   0 = h(z)        f of `index1`, h = (g, .., g^(m-1), w), H its Jacobian
// so that lambda has index 1, mu and eta index 2. The discrete solution is the one closest to that of the underlying ODE in the
// sense of (27): this is what `overdetermined` methods compute without the multipliers. For order 1 it is z' = f(z) + M^-1 G^T mu,
// 0 = g. Costs derivatives of the curvature; fails where constraints lose rank, like all that resolve lambda.
#include <driftless/core/entries.hpp>

#include "common/constrained_system.hpp"

namespace driftless::formulations {

namespace {

class StabilizedIndex1 final : public Formulation {
 public:
  std::unique_ptr<System> build(const Problem& problem) const override {
    const int m = problem.shape().order;
    ConstrainedForm form{
        .top = ConstrainedForm::Top::acceleration, .stabilized = m, .coupled = true, .mass_metric = true};
    for (int level = 0; level < m; ++level) form.imposed.push_back(only(level, m));
    return constrained_system(problem, form);
  }
};

}  // namespace

FormulationEntry stabilized_index1() {
  return {.summary = "extended system: g, g' and g'' = 0 imposed at once, multipliers mu and eta make room",
          .shapes = {SystemShape::dae},
          .options = {},
          .make = [](const OptionValues&) { return std::make_unique<StabilizedIndex1>(); },
          .stabilizer = "none"};
}

}  // namespace driftless::formulations
