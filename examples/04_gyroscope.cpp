// A gyroscope: a spinning wheel on a horizontal arm that turns about a fixed point. Its arm sinks, rises again and precesses; the mean rate
// of a fast wheel is m g l / (J spin). Prints
//   precession 0.9779 rad/s, fast-wheel formula 0.9810 rad/s
//   the arm sinks by at most 8.81 mm
//   |g| <= 1.1e-16, energy -2.0e-09 J of 200.0 J, 2065 steps
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <driftless/driftless.hpp>
#include <driftless/mechanics/mechanism.hpp>
#include <numbers>

using namespace driftless::mechanics;

int main() {
  const double mass = 1, length = 0.2, axial = 0.01, spin = 200, t_end = 5;
  Mechanism gyroscope;
  // The wheel's axis is its third axis and points along x.
  const Mat3 axes{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  const auto wheel = gyroscope.body(SpatialBody{.name = "wheel",
                                                .mass = mass,
                                                .inertia = {0.005, 0.005, axial},
                                                .at = {length, 0, 0},
                                                .axes = axes,
                                                .rates = {0, 0, spin}});
  gyroscope.joint("spherical", "pivot", gyroscope.ground(), wheel, {});
  gyroscope.gravity({0, 0, -9.81});

  driftless::Options options{.t_end = t_end, .rtol = 1e-9};
  options.output = {.kind = driftless::Output::Kind::every, .interval = 0.01};
  const auto run =
      driftless::solve(*gyroscope.problem(), gyroscope.start(), {.integrator = "dop853"}, options);
  double turned = 0, before = 0, lowest = 0;
  for (const auto& state : run.states) {
    const double heading = std::atan2(state.q()[1], state.q()[0]);
    turned += std::remainder(heading - before, 2 * std::numbers::pi);
    before = heading;
    lowest = std::min(lowest, state.q()[2]);
  }
  std::printf("precession %.4f rad/s, fast-wheel formula %.4f rad/s\n", turned / t_end,
              mass * 9.81 * length / (axial * spin));
  std::printf("the arm sinks by at most %.2f mm\n", -1000 * lowest);
  std::printf("|g| <= %.1e, energy %+.1e J of %.1f J, %ld steps\n", run.drift->position, run.energy->balance,
              run.energy->start, run.work.steps);
}
