// A four-bar linkage of uniform bars, driven by gravity: built from bodies and joints. Prints
//   coupler at (1.7749, 0.7164), turned by 0.4741 rad
//   the pin of the crank carries 75.15 N
//   |g| <= 6.3e-15, energy +4.6e-05 J of 47.0 J, 64 steps
#include <cmath>
#include <cstdio>
#include <driftless/driftless.hpp>
#include <driftless/mechanics/mechanism.hpp>

using namespace driftless::mechanics;

int main() {
  Mechanism linkage;
  // Pins on the ground at (0, 0) and (2, 0), on the coupler at (0, 1) and (2, 1.5).
  const auto bar = [&](const char* name, Vec3 from, Vec3 to) {
    const Vec3 along = to - from;
    const double length = norm(along);
    return linkage.body(PlanarBody{.name = name,
                                   .mass = length,
                                   .inertia = length * length * length / 12,
                                   .at = 0.5 * (from + to),
                                   .angle = std::atan2(along.y, along.x)});
  };
  const auto crank = bar("crank", {0, 0, 0}, {0, 1, 0}), coupler = bar("coupler", {0, 1, 0}, {2, 1.5, 0}),
             rocker = bar("rocker", {2, 0, 0}, {2, 1.5, 0});
  const auto pin = linkage.joint("revolute", "A", linkage.ground(), crank, {.at = {0, 0, 0}});
  linkage.joint("revolute", "B", crank, coupler, {.at = {0, 1, 0}});
  linkage.joint("revolute", "C", coupler, rocker, {.at = {2, 1.5, 0}});
  linkage.joint("revolute", "D", linkage.ground(), rocker, {.at = {2, 0, 0}});
  linkage.gravity({0, -9.81, 0});

  const auto start = linkage.assembled({.rates = {{"A.angle", -2}}});  // what the others need for it is found
  const auto run = driftless::solve(*linkage.problem(), start, {}, {.t_end = 2});
  const auto q = run.final.q();
  std::printf("coupler at (%.4f, %.4f), turned by %.4f rad\n", q[3], q[4], q[5] - start.q()[5]);
  std::printf("the pin of the crank carries %.2f N\n", norm(linkage.reaction(run.final, pin).force));
  std::printf("|g| <= %.1e, energy %+.1e J of %.1f J, %ld steps\n", run.drift->position, run.energy->balance,
              run.energy->start, run.work.steps);
}
