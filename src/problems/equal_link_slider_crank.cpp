// equal-link-slider-crank: slider-crank with crank and rod of the same length, thrown so fast that the crank turns round. On the smooth
// branch rod = -crank and x = 2 length cos crank: the slider passes both dead points, crank = 0 and pi with the links stretched
// out, and in between, at crank = +-pi/2, the rod lies folded on the upright crank and the slider in the pivot. These two
// configurations are singular: there the branch crosses another one, on which the slider rests in the pivot and crank and
// folded rod turn together (rod = crank + pi, x = 0). Exact motion from the energy E, with c = cos crank, s = sin crank, w = crank':
//   I w^2/2 + V = E,   I = length^2 (m1/3 + 4 m2/3 - m2 cos 2 crank + 4 m3 s^2),   V = (m1 + m2) gravity length s/2
// by quadrature of dt/dcrank. The multipliers stay smooth:
//   lambda1 = -m3 x'',   lambda2 = -gravity (m1 + 3 m2)/4 - (m1 + 2 m2) length (crank''/c)/6
// A throw too slow to turn round has no reference.
#include <cmath>
#include <memory>
#include <numbers>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>
#include <driftless/problems/crank_and_rod.hpp>

#include "common/parameters.hpp"
#include "common/phase_clock.hpp"

namespace driftless::problems {

namespace {

const std::vector<Parameter<CrankAndRod>>& parameters() {
  using C = CrankAndRod;
  static const std::vector<Parameter<C>> table = {{"length", &C::l, "of crank and rod", 0},
                                                  {"m1", &C::m1, "mass of the crank", 0},
                                                  {"m2", &C::m2, "mass of the rod", 0},
                                                  {"m3", &C::m3, "mass of the slider", 0},
                                                  {"gravity", &C::gravity, "gravity, along -y"}};
  return table;
}

double inertia(const CrankAndRod& p, double crank) {
  const double s = std::sin(crank);
  return p.l * p.l * ((p.m1 + 4 * p.m2) / 3 - p.m2 * std::cos(2 * crank) + 4 * p.m3 * s * s);
}
double potential(const CrankAndRod& p, double crank) {
  return (p.m1 + p.m2) * p.gravity * p.l / 2 * std::sin(crank);
}

void place(const CrankAndRod& p, double crank, double w, State& state) {
  state.q() << crank, -crank, 2 * p.l * std::cos(crank);
  state.v() << w, -w, -2 * p.l * std::sin(crank) * w;
}

Reference exact_motion(const CrankAndRod& p, const State& start) {
  const double crank0 = start.q()(0), w0 = start.v()(0), direction = w0 < 0 ? -1 : 1;
  const double energy = inertia(p, crank0) * w0 * w0 / 2 + potential(p, crank0);
  if (!(energy > std::abs(potential(p, std::numbers::pi / 2)) * (1 + 1e-9))) return {};
  const auto rate = [=](double crank) {
    return std::sqrt(2 * (energy - potential(p, crank)) / inertia(p, crank));
  };
  const auto clock = std::make_shared<const PhaseClock>(
      [=](double phase) { return 1 / rate(crank0 + direction * phase); }, 2 * std::numbers::pi);
  const auto at = [=](double t) -> std::optional<State> {
    const double crank = crank0 + direction * clock->phase(t), w = direction * rate(crank);
    const double s = std::sin(crank), c = std::cos(crank);
    // crank''/c, from I crank'' + I' w^2/2 = -V'
    const double push =
        -((p.m1 + p.m2) * p.gravity * p.l / 2 + p.l * p.l * (2 * p.m2 + 4 * p.m3) * s * w * w) /
        inertia(p, crank);
    State state = start;
    state.t = t;
    place(p, crank, w, state);
    state.lambda << 2 * p.m3 * p.l * c * (s * push + w * w),
        -p.gravity * (p.m1 + 3 * p.m2) / 4 - (p.m1 + 2 * p.m2) * p.l * push / 6;
    return state;
  };
  return {.at = at,
          .source = "exact on the branch of the moving slider, by quadrature of the energy integral"};
}

ProblemInstance make(const OptionValues& o) {
  CrankAndRod model = model_of(parameters(), o);
  model.r = model.l;
  ProblemInstance instance;
  instance.problem = make_problem(model);
  instance.start = make_state(*instance.problem, {});
  place(model, o.number("angle"), o.number("w"), instance.start);
  instance.t_end = 10;
  instance.reference = exact_motion(model, instance.start);
  return instance;
}

}  // namespace

ProblemEntry equal_link_slider_crank() {
  ProblemEntry entry{.summary =
                         "slider-crank with equal links that turns through its singular points (3 "
                         "coordinates, 2 constraints)",
                     .parameters = specs_of(parameters()),
                     .make = make};
  entry.parameters.insert(
      entry.parameters.end(),
      {{.name = "angle", .fallback = "0", .help = "start angle of the crank; 0: stretched out"},
       {.name = "w", .fallback = "8", .help = "start rate of the crank"}});
  return entry;
}

}  // namespace driftless::problems
