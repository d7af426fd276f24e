// 001-slider-crank: Ascher, Chin, Reich (1992), Example 4. Start p = (0, r + l1, 0, 0), p' = (-1, 0, -(l -
// l1) r/l, -r/l). The end time is not stated in the paper; 10 here. Reference: a reduced equation for theta
// alone, m(theta) theta'' + m'(theta) theta'^2/2 = sin t - theta' - m2 g y2'(theta), integrated by
// extrapolation of the midpoint rule in arithmetic with 30 digits; all digits given are right.
#include <driftless/core/auto_problem.hpp>
#include <driftless/problems/slider_crank.hpp>

#include "common/reference.hpp"

namespace driftless::problems {

namespace {

Reference reference() {
  return table_reference(
      "reduced equation for the crank angle, extrapolation with 30 digits",
      {{.t = 1,
        .q = {-1.0612702823979524, 2.4012145661167686, -0.29099192798484267, -0.29526346926284171},
        .v = {-1.074141060176316, -1.0439354473165059, -0.17464228554156305, -0.18254168417495115},
        .lambda = {}},
       {.t = 2,
        .q = {-2.0709381160982673, 1.4329781076256383, -0.29250485855197106, -0.29684521366481538},
        .v = {-0.90579232831389204, -0.70626784126457868, 0.14479089329596144, 0.15141309068620084},
        .lambda = {}},
       {.t = 3,
        .q = {-2.8072926413844393, 1.0433621494515019, -0.10936933789745797, -0.1095885596352935},
        .v = {-0.55452694046839094, -0.14352038532703561, 0.17460948232095561, 0.17566325438023199},
        .lambda = {}},
       {.t = 8,
        .q = {-2.1274176706883021, 1.3899103846028805, -0.28301498908399555, -0.28693616775054792},
        .v = {0.79191529479604002, 0.59006720317208895, -0.13946171803415237, -0.145406596008834},
        .lambda = {}},
       {.t = 10,
        .q = {-0.58703307062855054, 2.7982034997828359, -0.18463107849784761, -0.18569647409865289},
        .v = {0.57758998220120905, 0.38015064489273823, 0.16029810557529127, 0.16310217476023371},
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
