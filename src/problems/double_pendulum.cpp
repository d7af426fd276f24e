// double-pendulum: two point masses on rods, let go at rest from angles phi1 and phi2 (from the downward
// vertical, towards +x). Conservative, chaotic for large swings. Reference at t = 2 for the default values: the equations
// for the two angles, integrated by extrapolation of the midpoint rule in arithmetic with 30 digits.
#include <driftless/problems/double_pendulum.hpp>

#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>

#include "common/parameters.hpp"
#include "common/reference.hpp"

namespace driftless::problems {

namespace {

const std::vector<Parameter<DoublePendulum>>& parameters() {
  using D = DoublePendulum;
  static const std::vector<Parameter<D>> table = {{"m1", &D::m1, "mass at the end of the first rod", 0},
                                                  {"m2", &D::m2, "mass at the end of the second rod", 0},
                                                  {"l1", &D::l1, "length of the first rod", 0},
                                                  {"l2", &D::l2, "length of the second rod", 0},
                                                  {"gravity", &D::gravity, "gravity, along -y"}};
  return table;
}

Reference reference() {
  return table_reference(
      "two angles, extrapolation with 30 digits",
      {{.t = 2,
        .q = {-0.353783257842548762, -0.935327432758343007, -0.982839759337447798, -1.7126870136004383},
        .v = {2.35591238230148999, -0.891112917905365249, 4.86705119384517759, -2.92318177572600867},
        .lambda = {37.2880821915264239, 22.9226024019920144}}});
}

ProblemInstance make(const OptionValues& o) {
  const auto model = model_of(parameters(), o);
  const double phi1 = o.number("phi1"), phi2 = o.number("phi2"), w1 = o.number("w1"), w2 = o.number("w2");
  const double x1 = model.l1 * std::sin(phi1), y1 = -model.l1 * std::cos(phi1),
               dx = model.l2 * std::sin(phi2), dy = -model.l2 * std::cos(phi2);
  ProblemInstance instance;
  instance.problem = make_problem(model);
  instance.start =
      make_state(*instance.problem,
                 {{x1, y1, x1 + dx, y1 + dy}, {-y1 * w1, x1 * w1, -y1 * w1 - dy * w2, x1 * w1 + dx * w2}});
  instance.t_end = 2;
  if (!o.changed()) instance.reference = reference();
  return instance;
}

}  // namespace

ProblemEntry double_pendulum() {
  ProblemEntry entry{.summary = "two point masses on two rods (4 coordinates, 2 constraints)",
                     .parameters = specs_of(parameters()),
                     .make = make};
  entry.parameters.insert(
      entry.parameters.end(),
      {{.name = "phi1", .fallback = "1.5", .help = "start angle of the first rod, 0 hanging"},
       {.name = "phi2", .fallback = "1", .help = "start angle of the second rod, 0 hanging"},
       {.name = "w1", .fallback = "0", .help = "start rate of the first rod"},
       {.name = "w2", .fallback = "0", .help = "start rate of the second rod"}});
  return entry;
}

}  // namespace driftless::problems
