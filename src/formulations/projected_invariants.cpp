// projected-invariants: the underlying ODE with its invariants h imposed, and multipliers that make room for them,
//   x_0' = N (x_1 + D mu_0 [+ tau^2 L^T mu_1 ..]),   x_j' = x_{j+1} + D mu_j [+ ..],   x_{m-1}' = a(t, z) + D mu_{m-1}
//   0 = g,  ..,  0 = g^(k-1)                                                     Ascher, Petzold (1993), (3.25)-(3.27)
// a is the acceleration of `index1`, D = B_j of the paper: G^T, M^-1 B, unit vectors or the user's (directions.hpp). mu_j = 0
// for j >= k. Variants of Example 4, for mechanisms:
//   a   k = 1: positions only                                    (4.14)
//   b   k = m: positions and velocities, each along D            (4.16)
//   c   as b, and mu_1 moves positions too, along L^T, so that the push is H^T mu for D = G^T     (4.17)
// tau is the time in which the motion changes (core/unit_of_time.hpp), and 1 in the paper: time=model.
// Velocity constraints are imposed with k = m; further invariants (energy, the problem's own) push along their gradients.
// D is free, unlike how lambda enters `ggl`: with D = G^T this is the formulation that survives all examples of that paper. Fails
// with variant b where constraints turn fast (velocities inherit the errors of positions times |L|), with D = input where B is far
// from G^T. Where constraints move fast (a shaken pivot) velocities that are pushed along G^T, and not along M^-1 G^T, change the momentum of the
// free motion: `ggl`, `stabilized-index1` and D = input do not.
#include <driftless/formulations/projected_invariants.hpp>

#include <fmt/format.h>

#include <driftless/core/entries.hpp>
#include <driftless/core/invariants_option.hpp>
#include <driftless/core/unit_of_time.hpp>

#include "common/constrained_system.hpp"
#include "common/direction_map.hpp"

namespace driftless::formulations {

namespace {

using Settings = ProjectedInvariantsOptions;

class ProjectedInvariants final : public Formulation {
 public:
  explicit ProjectedInvariants(const Settings& settings) : settings_(settings) {}

  std::optional<std::string> refuses(const Shape& shape) const override {
    if (settings_.levels && *settings_.levels > shape.order)
      return fmt::format(
          "k is {} (at most {}, the order of the system: g, .., g^(k-1) are imposed); lower it, or leave it "
          "out",
          *settings_.levels, shape.order);
    if (settings_.levels && *settings_.levels < shape.order && shape.ng == 0 && shape.nk > 0)
      return "with k below the order only positions are imposed, and the problem has velocity constraints "
             "only; use variant=b "
             "or variant=c";
    if (const auto reason = refuse_time_of_model(settings_.model_time, shape)) return reason;
    return refuse_directions(settings_.D, shape);
  }

  // Ascher and Petzold recommend such a projection; their own Example 4 speaks against it.
  std::string warning(const Shape& shape, const Stabilizer& stabilizer) const override {
    if (shape.multipliers() == 0 && settings_.invariants.empty() && (shape.ni > 0 || shape.has_energy))
      return "projected-invariants imposes nothing: the problem has no constraints, and no invariant was "
             "named; use "
             "invariants=all or some of them";
    const bool open = settings_.levels && *settings_.levels < shape.order && shape.ng > 0;
    if (!open || !stabilizer.traits.moves_velocities) return {};
    return "velocities are projected after projected-invariants has imposed positions only: where "
           "constraints vary fast the "
           "error of positions times the rate of G goes into velocities; variant=c imposes both without that";
  }

  std::unique_ptr<System> build(const Problem& problem) const override {
    const int m = problem.shape().order, k = settings_.levels.value_or(m);
    ConstrainedForm form{.top = ConstrainedForm::Top::acceleration,
                         .velocities = k == m,
                         .stabilized = k,
                         .coupled = settings_.coupled,
                         .model_time = settings_.model_time,
                         .D = settings_.D,
                         .invariants = settings_.invariants};
    for (int level = 0; level < k; ++level) form.imposed.push_back(only(level, m));
    return constrained_system(problem, form);
  }

 private:
  Settings settings_;
};

std::unique_ptr<Formulation> make(const OptionValues& o) {
  if (o.given("k") && o.given("variant"))
    throw InputError("projected-invariants takes variant or k; leave one out");
  Settings settings{.D = directions_of(o), .invariants = invariant_names(o)};
  const std::string& variant = o.word("variant");
  if (o.given("k")) settings.levels = o.integer("k");
  if (o.given("k") || variant != "c") settings.coupled = false;
  if (!o.given("k") && variant == "a") settings.levels = 1;
  const bool compares = settings.coupled || !settings.invariants.empty();
  settings.model_time = time_of_model(o, compares, "variant=c");
  return projected_invariants(settings);
}

}  // namespace

std::unique_ptr<Formulation> projected_invariants(const ProjectedInvariantsOptions& options) {
  if (options.levels && *options.levels < 1)
    throw InputError(fmt::format("k of projected-invariants is {} (at least 1); raise it, or use index1",
                                 *options.levels));
  return std::make_unique<ProjectedInvariants>(options);
}

FormulationEntry projected_invariants() {
  std::vector<OptionSpec> options = {
      {.name = "variant",
       .fallback = "c",
       .help = "a: positions only; b: all levels, each along D; c: as b, levels coupled",
       .choices = {"a", "b", "c"}},
      {.name = "k",
       .fallback = "",
       .help = "impose g, .., g^(k-1), each along D, instead of variant",
       .at_least = 1,
       .integer = true}};
  for (const OptionSpec& option : direction_options()) options.push_back(option);
  options.push_back(invariants_option());
  options.back().help =
      "imposed like constraints: energy, names of the problem's own, or all; separated by ';'";
  options.push_back(unit_of_time_option());
  return {.summary = "underlying ODE with g = 0 (and g' = 0) imposed, z' = f + D mu",
          .shapes = {SystemShape::dae},
          .options = options,
          .make = make,
          .stabilizer = "none"};
}

}  // namespace driftless::formulations
