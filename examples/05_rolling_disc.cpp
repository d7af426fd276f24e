// A coin that rolls on a table, leaning: it runs on a curve and rises and sinks on the way. Nothing slips: two velocity constraints that no
// position constraint could express. Prints
//   at t = 5 the centre is at (-1.5163, 8.3165), between 0.0949 and 0.0955 high
//   contact and slip: |g| <= 2.8e-17, |w| <= 2.2e-15
//   energy -3.5e-12 J of 0.384 J, 1800 steps
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <driftless/driftless.hpp>
#include <driftless/mechanics/mechanism.hpp>
#include <numbers>

using namespace driftless::mechanics;

int main() {
  const double radius = 0.1, mass = 0.05, lean = 0.3, spin = 30;
  Mechanism table;
  // The coin's axis is its third axis; it touches the table at the origin, leans about x and rolls along it.
  const Mat3 axes = turned({1, 0, 0}, -std::numbers::pi / 2 - lean);
  const auto coin = table.body(SpatialBody{
      .name = "coin",
      .mass = mass,
      .inertia = {mass * radius * radius / 4, mass * radius * radius / 4, mass * radius * radius / 2},
      .at = {0, radius * std::sin(lean), radius * std::cos(lean)},
      .axes = axes,
      .velocity = {radius * spin, 0, 0},
      .rates = {0, 0, spin}});
  table.joint("rolling", "table", table.marker(table.ground(), Vec3{}), table.marker(coin, Vec3{}),
              {{"radius", radius}});
  table.gravity({0, 0, -9.81});

  const auto problem = table.problem();
  driftless::Options options{.t_end = 5, .rtol = 1e-9};
  options.output = {.kind = driftless::Output::Kind::every, .interval = 0.01};
  const auto run =
      driftless::solve(*problem, driftless::consistent_state(*problem, table.start()).state, {}, options);
  double lowest = radius, highest = 0;
  for (const auto& state : run.states) {
    lowest = std::min(lowest, state.q()[2]);
    highest = std::max(highest, state.q()[2]);
  }
  std::printf("at t = 5 the centre is at (%.4f, %.4f), between %.4f and %.4f high\n", run.final.q()[0],
              run.final.q()[1], lowest, highest);
  std::printf("contact and slip: |g| <= %.1e, |w| <= %.1e\n", run.drift->position, run.drift->velocity);
  std::printf("energy %+.1e J of %.3f J, %ld steps\n", run.energy->balance, run.energy->start,
              run.work.steps);
}
