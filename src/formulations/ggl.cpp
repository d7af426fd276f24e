// ggl: the stabilized index-2 form of Gear, Gupta and Leimkuhler: the constraint and its derivatives are imposed at once, and
// multipliers mu_j make room for them,
//   x_0' = N (x_1 + D mu_0),   x_j' = x_{j+1} + D mu_j   (j < m-1),   M x_{m-1}' = f - B lambda - K^T kappa
//   0 = g,  0 = g',  ..,  0 = g^(m-1),   0 = w
// Ascher, Petzold (1993), (2.18) and (4.15), with D = G^T, M^-1 B, unit vectors or the user's (directions.hpp). The mu_j
// vanish on the exact solution; velocity constraints need none. For order 1 it is `index2`. Positions and velocities stay on the
// constraints. D does not touch how lambda enters, so that it fails where `index2` does: B far from G^T, M ill-conditioned
// (Tables 4.4, 4.6, 4.8); and constraints that turn fast spoil velocities (Table 4.9).
#include <driftless/formulations/ggl.hpp>

#include <driftless/core/entries.hpp>

#include "common/constrained_system.hpp"
#include "common/direction_map.hpp"

namespace driftless::formulations {

namespace {

class Ggl final : public Formulation {
 public:
  explicit Ggl(const GglOptions& options) : options_(options) {}

  std::optional<std::string> refuses(const Shape& shape) const override {
    if (shape.order == 1 && (options_.D.given || options_.D.kind != Direction::transpose))
      return "a system of order 1 has no level for D to push, so that it would be ignored; use index2, or "
             "leave D out";
    return refuse_directions(options_.D, shape);
  }
  std::unique_ptr<System> build(const Problem& problem) const override {
    const int m = problem.shape().order;
    ConstrainedForm form{.stabilized = m - 1, .D = options_.D, .mechanical = Imposed::both};
    for (int level = 0; level < m; ++level) form.imposed.push_back(only(level, m));
    return constrained_system(problem, form);
  }

 private:
  GglOptions options_;
};

}  // namespace

std::unique_ptr<Formulation> ggl(const GglOptions& options) {
  return std::make_unique<Ggl>(options);
}

FormulationEntry ggl() {
  return {.summary = "stabilized index 2: g = 0 and g' = 0 imposed at once, x' = v + D mu",
          .shapes = {SystemShape::dae, SystemShape::mechanical_both},
          .options = direction_options(),
          .make = [](const OptionValues& o) { return ggl(GglOptions{directions_of(o)}); },
          .stabilizer = "none"};
}

}  // namespace driftless::formulations
