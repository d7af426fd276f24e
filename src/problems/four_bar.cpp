// four-bar: crank, coupler and rocker under their weight, the crank held by a torsion spring, let go at rest at the crank
// angle phi (or with the rate w); `assembly` says which of the two ways the loop closes. Conservative.
// Reference at t = 2 for the default values: the reduced equation for the crank angle, integrated by extrapolation
// of the midpoint rule in arithmetic with 30 digits. Lengths and angles that cannot be closed are refused.
#include <driftless/problems/four_bar.hpp>

#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>

#include "common/parameters.hpp"
#include "common/reference.hpp"

namespace driftless::problems {

namespace {

const std::vector<Parameter<FourBar>>& parameters() {
  using F = FourBar;
  static const std::vector<Parameter<F>> table = {
      {"l0", &F::l0, "distance between the ground pins", 0},
      {"l1", &F::l1, "length of the crank", 0},
      {"l2", &F::l2, "length of the coupler", 0},
      {"l3", &F::l3, "length of the rocker", 0},
      {"m1", &F::m1, "mass of the crank", 0},
      {"m2", &F::m2, "mass of the coupler", 0},
      {"m3", &F::m3, "mass of the rocker", 0},
      {"gravity", &F::gravity, "gravity, along -y"},
      {"k", &F::k, "torsion spring at the crank's ground pin"},
      {"a0", &F::a0, "crank angle at which the spring is relaxed"}};
  return table;
}

// Coupler and rocker bridge the gap from the crank's end to the far ground pin.
State start(const Problem& problem, const FourBar& bars, double phi, double w, double side) {
  const double bx = bars.l1 * std::cos(phi), by = bars.l1 * std::sin(phi), gap = std::hypot(bars.l0 - bx, by),
               longest = bars.l2 + bars.l3, shortest = std::abs(bars.l2 - bars.l3);
  if (!(gap > shortest && gap < longest))
    throw InputError(fmt::format(
        "the crank at phi = {} ends {} from the far ground pin (must lie above {} and below {}, what "
        "coupler and rocker can bridge); choose another angle or other lengths",
        phi, gap, shortest, longest));
  const double cosine = (gap * gap + bars.l2 * bars.l2 - bars.l3 * bars.l3) / (2 * gap * bars.l2);
  const double a2 = std::atan2(-by, bars.l0 - bx) + side * std::acos(cosine);
  const double cx = bx + bars.l2 * std::cos(a2), cy = by + bars.l2 * std::sin(a2),
               a3 = std::atan2(cy, cx - bars.l0);
  // l1 n1 w + l2 n2 w2 = l3 n3 w3, with the bars' normals n; its component along the rocker and along the coupler:
  const double w2 = -bars.l1 * std::sin(phi - a3) / (bars.l2 * std::sin(a2 - a3)) * w,
               w3 = bars.l1 * std::sin(phi - a2) / (bars.l3 * std::sin(a3 - a2)) * w;
  return make_state(
      problem, {{bx / 2, by / 2, phi, (bx + cx) / 2, (by + cy) / 2, a2, (bars.l0 + cx) / 2, cy / 2, a3},
                {-by / 2 * w, bx / 2 * w, w, -by * w - (cy - by) / 2 * w2, bx * w + (cx - bx) / 2 * w2, w2,
                 -cy / 2 * w3, (cx - bars.l0) / 2 * w3, w3}});
}

Reference reference() {
  return table_reference(
      "reduced equation for the crank angle, extrapolation with 30 digits",
      {{.t = 2,
        .q = {0.230543109161861629, 0.443677669956447045, 1.0915774095349839, 1.61557420312219134,
              1.36658127092661975, 0.393453965342670076, 2.38503109396032971, 0.922903600970172701,
              1.17555481302813129},
        .v = {0.267309301029539828, -0.138898848286152393, -0.60248536072545604, 0.52087342296589961,
              -0.244684621746800475, 0.0286820436951404555, 0.253564121936359783, -0.105785773460648082,
              -0.274746053292899348},
        .lambda = {17.2384822346091403, -16.510123661708856, 16.5518601978213128, -6.54787613770201112,
                   -13.0495951848310827, -18.8982545517377706, -11.6210272480145537, -38.9506640552759061}}});
}

ProblemInstance make(const OptionValues& o) {
  const auto model = model_of(parameters(), o);
  ProblemInstance instance;
  instance.problem = make_problem(model);
  instance.start =
      start(*instance.problem, model, o.number("phi"), o.number("w"), o.word("assembly") == "open" ? 1 : -1);
  instance.t_end = 2;
  if (!o.changed()) instance.reference = reference();
  return instance;
}

}  // namespace

ProblemEntry four_bar() {
  ProblemEntry entry{
      .summary =
          "four-bar linkage with a torsion spring, absolute coordinates (9 coordinates, 8 constraints)",
      .parameters = specs_of(parameters()),
      .make = make};
  entry.parameters.insert(
      entry.parameters.end(),
      {{.name = "phi", .fallback = "1", .help = "start angle of the crank"},
       {.name = "w", .fallback = "0", .help = "start rate of the crank"},
       {.name = "assembly",
        .fallback = "open",
        .help = "which way the loop closes: coupler above the line to the far pin, or below it",
        .choices = {"open", "crossed"}}});
  return entry;
}

}  // namespace driftless::problems
