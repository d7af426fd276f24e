// sundials-slider-crank: the slider-crank of SUNDIALS' example idaSlCrank (C2), from rest with the crank
// upright. Reference: recomputed to ten decimals; the values that IDA prints agree within 2.4e-5. The crank
// must be shorter than the rod: otherwise the start is singular, or impossible.
#include <driftless/problems/sundials_slider_crank.hpp>

#include <cmath>
#include <numbers>

#include <driftless/core/auto_problem.hpp>

#include "common/parameters.hpp"
#include "common/reference.hpp"

namespace driftless::problems {

namespace {

const std::vector<Parameter<SundialsSliderCrank>>& parameters() {
  using S = SundialsSliderCrank;
  static const std::vector<Parameter<S>> table = {{"a", &S::a, "length of the crank, the rod's being 1", 0},
                                                  {"J1", &S::J1, "inertia of the crank", 0},
                                                  {"m2", &S::m2, "mass of the slider", 0},
                                                  {"J2", &S::J2, "inertia of the rod", 0},
                                                  {"k", &S::k, "stiffness of the spring"},
                                                  {"c", &S::c, "damping of the spring"},
                                                  {"l0", &S::l0, "rest length of the spring"},
                                                  {"F", &S::F, "constant force on the slider"}};
  return table;
}

Reference reference() {
  return table_reference(
      "recomputed to ten decimals",
      {{.t = 1, .q = {1.3154205709, 1.0014918072, -0.5049734706}, .v = {}, .lambda = {}},
       {.t = 5, .q = {-1.4299969676, 0.9390306136, 0.5178947565}, .v = {}, .lambda = {}},
       {.t = 10, .q = {1.2756758487, 1.0235785590, -0.4988130492}, .v = {}, .lambda = {}}});
}

ProblemInstance make(const OptionValues& o) {
  const auto model = model_of(parameters(), o);
  ProblemInstance instance;
  instance.problem = make_problem(model);
  const double p = -std::asin(model.a);
  instance.start = make_state(*instance.problem, {{std::numbers::pi / 2, std::cos(p), p}});
  instance.t_end = 10;
  if (!o.changed()) instance.reference = reference();
  return instance;
}

}  // namespace

ProblemEntry sundials_slider_crank() {
  ProblemEntry entry{.summary = "slider-crank of SUNDIALS' IDA example (3 coordinates, 2 constraints)",
                     .parameters = specs_of(parameters()),
                     .make = make};
  entry.parameters.front().below = 1;
  return entry;
}

}  // namespace driftless::problems
