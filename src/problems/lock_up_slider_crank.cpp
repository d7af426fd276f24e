// lock-up-slider-crank: a slider-crank whose crank r is longer than its rod l, the crank driven at the rate omega from the stretched
// position. At t* = asin(l/r)/omega the rod stands upright on the slider's line and cannot follow: rod' and the slider's velocity grow
// like (t* - t)^(-1/2), no motion goes on. Until then, with crank = omega t,
//   sin rod = -(r/l) sin crank,   rod' = -r omega cos crank/(l cos rod),   rod'' = (r omega^2 sin crank + l rod'^2 sin rod)/(l cos rod)
// and the multipliers from the equations of slider, rod and crank, in this order. The default end, 1.5 t*, lies beyond t*: no method
// gets there.
#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>
#include <driftless/problems/crank_and_rod.hpp>

#include "common/parameters.hpp"

namespace driftless::problems {

namespace {

const std::vector<Parameter<DrivenCrankAndRod>>& parameters() {
  using C = DrivenCrankAndRod;
  static const std::vector<Parameter<C>> table = {
      {"m1", &C::m1, "mass of the crank", 0},
      {"m2", &C::m2, "mass of the rod", 0},
      {"m3", &C::m3, "mass of the slider", 0},
      {"gravity", &C::gravity, "gravity, along -y"},
      {"omega", &C::omega, "rate at which the crank is driven", 0}};
  return table;
}

State motion(const DrivenCrankAndRod& p, const State& blank, double t) {
  const double crank = p.omega * t, s = p.r * std::sin(crank), c = p.r * std::cos(crank), w = p.omega;
  const double ls = -s, lc = std::sqrt((p.l - s) * (p.l + s)), rod = std::atan2(ls, lc);
  const double rod_rate = -c * w / lc, rod_rate2 = (s * w * w + ls * rod_rate * rod_rate) / lc;
  State state = blank;
  state.t = t;
  state.q() << crank, rod, c + lc;
  state.v() << w, rod_rate, -s * w - ls * rod_rate;
  const double slider_rate2 = -c * w * w - lc * rod_rate * rod_rate - ls * rod_rate2;
  const double twist = p.coupling() * std::sin(crank - rod);
  const double lambda1 = -p.m3 * slider_rate2;
  const double lambda2 =
      (twist * w * w - p.m2 * p.gravity * lc / 2 - p.m2 * p.l * p.l / 3 * rod_rate2 - ls * lambda1) / lc;
  const double lambda3 = -twist * rod_rate * rod_rate - (p.m1 / 2 + p.m2) * p.gravity * c -
                         p.coupling() * std::cos(crank - rod) * rod_rate2 - s * lambda1 - c * lambda2;
  state.lambda << lambda1, lambda2, lambda3;
  return state;
}

ProblemInstance make(const OptionValues& o) {
  DrivenCrankAndRod model = model_of(parameters(), o);
  model.r = o.number("r");
  model.l = o.number("l");
  if (!(model.l < model.r))
    throw InputError(fmt::format(
        "the rod's length l is {} (must lie below the crank's length r = {}, so that the rod cannot "
        "follow); choose a shorter rod",
        model.l, model.r));
  const double lock_up = std::asin(model.l / model.r) / model.omega;
  ProblemInstance instance;
  instance.problem = make_problem(model);
  const State blank = make_state(*instance.problem, {});
  instance.start = motion(model, blank, 0);
  instance.start.lambda.setZero();
  instance.t_end = 1.5 * lock_up;
  instance.reference = {.at = [=](double t) -> std::optional<State> {
                          if (!(t < lock_up)) return std::nullopt;
                          return motion(model, blank, t);
                        },
                        .source = "exact until the rod stands upright"};
  return instance;
}

}  // namespace

ProblemEntry lock_up_slider_crank() {
  ProblemEntry entry{
      .summary = "driven slider-crank whose rod is too short: it locks up (3 coordinates, 3 constraints)",
      .parameters = specs_of(parameters()),
      .make = make};
  entry.parameters.insert(
      entry.parameters.begin(),
      {{.name = "r", .fallback = "1", .help = "length of the crank", .above = 0},
       {.name = "l", .fallback = "0.5", .help = "length of the rod, shorter than the crank", .above = 0}});
  return entry;
}

}  // namespace driftless::problems
