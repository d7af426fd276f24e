// 003-slider-crank: Petzold, Ren, Maly (1997), Example 5.2, let go at rest at th1 = theta0 on branch A, th2 = pi - th1. The paper
// states neither start nor end; 10 s here. With theta = th1 the motion on A is that of one degree of freedom,
//   theta'^2 = 2 gravity (cos theta - cos theta0)/I,   I = 3 + 2 cos 2 theta
// and with the phase p of sin(theta/2) = sin(theta0/2) cos p it has no turning points:
//   dt/dp = sqrt(I/gravity)/cos(theta/2)
// which quadrature inverts. The multiplier is smooth through theta = 0, where G vanishes and branch B (folded links) crosses:
//   lambda = 2 c^2 (4 c theta'^2 - gravity)/I - 2 c theta'^2 - gravity,   c = cos theta
// The smooth motion that enters the crossing on A leaves it on A. Methods that hold G v = 0 only, or that step onto the crossing,
// change to B.
#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/format.h>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>
#include <driftless/problems/petzold_ren_maly.hpp>

#include "common/phase_clock.hpp"

namespace driftless::problems {

namespace {

double inertia(double theta) {
  return 3 + 2 * std::cos(2 * theta);
}

Reference on_branch_a(const State& blank, double theta0, double gravity) {
  const double k = std::sin(theta0 / 2);
  const auto angle = [k](double phase) { return 2 * std::asin(k * std::cos(phase)); };
  const auto clock = std::make_shared<const PhaseClock>(
      [=](double phase) {
        const double theta = angle(phase);
        return std::sqrt(inertia(theta) / gravity) / std::cos(theta / 2);
      },
      2 * std::numbers::pi);
  const auto at = [=](double t) -> std::optional<State> {
    const double phase = clock->phase(t), theta = angle(phase), c = std::cos(theta), I = inertia(theta),
                 rate = -2 * k * std::sin(phase) * std::sqrt(gravity / I);
    State state = blank;
    state.t = t;
    state.q() << theta, std::numbers::pi - theta;
    state.v() << rate, -rate;
    state.lambda(0) = 2 * c * c * (4 * c * rate * rate - gravity) / I - 2 * c * rate * rate - gravity;
    return state;
  };
  return {.at = at,
          .source = "exact on the branch of the moving slider, by quadrature of the energy integral"};
}

ProblemInstance make(const OptionValues& o) {
  const double theta0 = o.number("theta0"), gravity = o.number("gravity");
  const double speed = o.number("speed"), offset = o.number("offset"), opposite = -std::cos(theta0) - offset;
  if (!(std::abs(opposite) < 1))
    throw InputError(
        fmt::format("offset is {} and -cos(theta0) - offset {} (must be between -1 and 1, a cosine); "
                    "change offset or theta0",
                    offset, opposite));
  ProblemInstance instance;
  instance.problem = make_problem(TwoLinkSliderCrank{.gravity = gravity});
  const double theta2 = offset == 0 ? std::numbers::pi - theta0 : std::acos(opposite),
               speed2 = speed == 0 ? 0 : -speed * (offset == 0 ? 1 : std::sin(theta0) / std::sin(theta2));
  instance.start = make_state(*instance.problem, {{theta0, theta2}, {speed, speed2}});
  instance.start_as_given = offset != 0;
  instance.t_end = 10;
  if (speed == 0 && offset == 0) instance.reference = on_branch_a(instance.start, theta0, gravity);
  return instance;
}

}  // namespace

ProblemEntry paper_003_slider_crank() {
  return {
      .summary =
          "Petzold, Ren, Maly, Example 5.2: slider-crank through singular points (2 coordinates, 1 "
          "constraint)",
      .parameters = {{.name = "theta0",
                      .fallback = "0.7853981633974483",
                      .help = "release angle of the first link from the downward vertical, at rest",
                      .above = -std::numbers::pi,
                      .below = std::numbers::pi},
                     {.name = "speed",
                      .fallback = "0",
                      .help = "th1' at the start, with th2' on the constraint; other than 0: no reference"},
                     {.name = "offset",
                      .fallback = "0",
                      .help = "g at the start, by th2, which is then off the constraint on purpose"},
                     {.name = "gravity", .fallback = "9.8", .help = "9.8 in the paper", .above = 0}},
      .make = make};
}

}  // namespace driftless::problems
