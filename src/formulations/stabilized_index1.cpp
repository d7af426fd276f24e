// stabilized-index1: the extended system of Fuehrer, Leimkuhler (1991), (31)-(35): everything that the exact solution satisfies is
// imposed, and multipliers mu, eta make room for it. For mechanisms
//   q' = N (v + G^T mu + tau^2 L^T eta),   M v' = f - B lambda - K^T kappa + G^T eta,   0 = g,  0 = g',  0 = g''
// (their signs of mu, eta are the opposite; they have tau = 1, which is time=model. Here tau is the time in which the motion changes,
// core/unit_of_time.hpp, divided by the root of the mean mass, since eta is an impulse.) 0 = g'' determines lambda at every state; it is eliminated:
//   z' = f(z) + diag(tau^2, .., M^-1) H^T (mu, eta),   0 = h(z)    f of `index1`, h = (g, .., g^(m-1), w), H its Jacobian
// so that lambda has index 1, mu and eta index 2. The discrete solution is the one closest to that of the underlying ODE in the
// sense of (27): this is what `overdetermined` methods compute without the multipliers. For order 1 it is z' = f(z) + M^-1 G^T mu,
// 0 = g. Costs derivatives of the curvature; fails where constraints lose rank, like all that resolve lambda.
#include <driftless/core/entries.hpp>
#include <driftless/core/unit_of_time.hpp>

#include "common/constrained_system.hpp"

namespace driftless::formulations {

namespace {

class StabilizedIndex1 final : public Formulation {
 public:
  explicit StabilizedIndex1(bool model_time) : model_time_(model_time) {}

  std::optional<std::string> refuses(const Shape& shape) const override {
    return refuse_time_of_model(model_time_, shape);
  }
  std::unique_ptr<System> build(const Problem& problem) const override {
    const int m = problem.shape().order;
    ConstrainedForm form{.top = ConstrainedForm::Top::acceleration,
                         .stabilized = m,
                         .coupled = true,
                         .mass_metric = true,
                         .model_time = model_time_};
    for (int level = 0; level < m; ++level) form.imposed.push_back(only(level, m));
    return constrained_system(problem, form);
  }

 private:
  bool model_time_;
};

}  // namespace

FormulationEntry stabilized_index1() {
  return {
      .summary = "extended system: g, g' and g'' = 0 imposed at once, multipliers mu and eta make room",
      .shapes = {SystemShape::dae},
      .options = {unit_of_time_option()},
      .make =
          [](const OptionValues& o) { return std::make_unique<StabilizedIndex1>(o.word("time") == "model"); },
      .stabilizer = "none"};
}

}  // namespace driftless::formulations
