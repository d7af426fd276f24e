// flyball: the stiff flyball governor, IFToMM / LIM benchmark A05 (B5), as a symmetric model. Start: rods 30
// degrees below the horizontal, springs at rest length, shaft turning once a second. Reference: an implicit
// method, self-consistent to 5e-11; the turn theta is not part of it, nor are s' and b'. Explicit methods
// take some 1e5 steps. Some public versions run a softened problem (k and c times 0.005, speed times 0.16).
#include <driftless/problems/flyball.hpp>

#include <driftless/core/auto_problem.hpp>

#include "common/parameters.hpp"
#include "common/reference.hpp"

namespace driftless::problems {

namespace {

const std::vector<Parameter<Flyball>>& parameters() {
  using F = Flyball;
  static const std::vector<Parameter<F>> table = {
      {"k", &F::k, "stiffness of each spring"},        {"c", &F::c, "damping of each spring"},
      {"l0", &F::l0, "rest length of the springs"},    {"gravity", &F::gravity, "gravity"},
      {"ms", &F::ms, "mass of the slider", 0},         {"mr", &F::mr, "mass of each rod and of the shaft", 0},
      {"mp", &F::mp, "mass at the tip of each rod", 0}};
  return table;
}

Reference reference() {
  const auto known = [](double t, double s, double b, double theta_rate) {
    return KnownState{.t = t, .q = {unknown, s, b}, .v = {theta_rate, unknown, unknown}, .lambda = {}};
  };
  return table_reference(
      "independent implicit integration, s, b and theta' only",
      {known(0.1, 0.5238364756, 0.4961738691, 6.1037178088),
       known(0.5, 0.7432494248, 0.2594913815, 5.1034154220),
       known(1, 0.5014209224, 0.5218333016, 6.2711257419), known(2, 0.5059092943, 0.5166637974, 6.2362236144),
       known(3, 0.5132460783, 0.5082455270, 6.1806727063), known(5, 0.5355631037, 0.4828745766, 6.0224964998),
       known(10, 0.6196229171, 0.3900737018, 5.5482036227)});
}

ProblemInstance make(const OptionValues& o) {
  ProblemInstance instance;
  instance.problem = make_problem(model_of(parameters(), o));
  instance.start =
      make_state(*instance.problem, {{0, o.number("s"), o.number("b")}, {o.number("speed"), 0, 0}});
  instance.t_end = 10;
  if (!o.changed()) instance.reference = reference();
  return instance;
}

}  // namespace

ProblemEntry flyball() {
  ProblemEntry entry{.summary = "stiff flyball governor, IFToMM A05 (3 coordinates, no constraints)",
                     .parameters = specs_of(parameters()),
                     .make = make};
  entry.parameters.insert(entry.parameters.end(),
                          {{.name = "speed",
                            .fallback = fmt::format("{}", 2 * std::numbers::pi),
                            .help = "start speed of the shaft, once a second"},
                           {.name = "s", .fallback = "0.5", .help = "start height of the slider"},
                           {.name = "b",
                            .fallback = fmt::format("{}", std::numbers::pi / 6),
                            .help = "start angle of the rods below the horizontal"}});
  return entry;
}

}  // namespace driftless::problems
