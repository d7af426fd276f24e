// 001-slider-crank: Ascher, Chin, Reich (1992), Example 4. Start p = (0, r + l1, 0, 0), p' = (-1, 0, -(l -
// l1) r/l, -r/l). The end time is not stated in the paper; 10 here. Reference: a reduced equation for theta
// alone, integrated with tolerance 1e-12.
#include <driftless/core/auto_problem.hpp>
#include <driftless/problems/slider_crank.hpp>

#include "common/reference.hpp"

namespace driftless::problems {

namespace {

Reference reference() {
  return table_reference("reduced equation for the crank angle, tolerance 1e-12",
                         {{.t = 1,
                           .q = {-1.0612702824, 2.4012145661, -0.2909919280, -0.2952634693},
                           .v = {-1.0741410602, -1.0439354473, -0.1746422855, -0.1825416842},
                           .lambda = {}},
                          {.t = 2,
                           .q = {-2.07093812, 1.43297811, -0.29250486, -0.29684521},
                           .v = {-0.90579233, -0.70626784, 0.14479089, 0.15141309},
                           .lambda = {}},
                          {.t = 10,
                           .q = {-0.5870330706, 2.7982034998, -0.1846310785, -0.1856964741},
                           .v = {0.5775899822, 0.3801506449, 0.1602981056, 0.1631021748},
                           .lambda = {}}});
}

ProblemInstance make(const OptionValues& o) {
  SliderCrank model{.J1 = o.number("J1"),
                    .J2 = o.number("J2"),
                    .m2 = o.number("m2"),
                    .g0 = o.number("g"),
                    .r = o.number("r"),
                    .l = o.number("l"),
                    .l1 = o.number("l1")};
  ProblemInstance instance;
  instance.problem = make_problem(model);
  const double ratio = model.r / model.l;
  instance.start = make_state(
      *instance.problem, {{0, model.r + model.l1, 0, 0}, {-1, 0, -(model.l - model.l1) * ratio, -ratio}});
  instance.t_end = 10;
  if (!o.changed()) instance.reference = reference();
  return instance;
}

}  // namespace

ProblemEntry paper_001_slider_crank() {
  return {.summary = "driven slider-crank of Ascher, Chin, Reich (4 coordinates, 3 constraints)",
          .parameters = {{.name = "J1", .fallback = "10", .help = "inertia of the crank", .above = 0},
                         {.name = "J2", .fallback = "1", .help = "inertia of the rod", .above = 0},
                         {.name = "m2", .fallback = "1", .help = "mass of the rod", .above = 0},
                         {.name = "g", .fallback = "9.81", .help = "gravity"},
                         {.name = "r", .fallback = "1", .help = "length of the crank", .above = 0},
                         {.name = "l", .fallback = "3", .help = "length of the rod", .above = 0},
                         {.name = "l1",
                          .fallback = "2",
                          .help = "distance from the crank pin to the centre of the rod",
                          .above = 0}},
          .make = make};
}

}  // namespace driftless::problems
