// A slider-crank with a motor that runs up to 10 rad/s within a second, and a spring-damper on the slider. Prints
//   slider at x = 0.697539, v = 0.369801
//   the bearing of the motor carries 82.606 N
//   |g| <= 8.3e-17, energy balance +5.0e-09 J, work of motor and buffer 2.416 J, 302 steps
#include <cstdio>
#include <driftless/driftless.hpp>
#include <driftless/mechanics/mechanism.hpp>

using namespace driftless::mechanics;

int main() {
  Mechanism press;
  const auto crank = press.body(PlanarBody{.name = "crank", .mass = 1, .inertia = 0.02, .at = {0.1, 0, 0}}),
             rod = press.body(PlanarBody{.name = "rod", .mass = 1, .inertia = 0.03, .at = {0.45, 0, 0}}),
             slider = press.body(PlanarBody{.name = "slider", .mass = 2, .inertia = 0.01, .at = {0.7, 0, 0}});
  const auto motor = press.joint("revolute", "motor", press.ground(), crank, {.at = {0, 0, 0}});
  press.joint("revolute", "crank pin", crank, rod, {.at = {0.2, 0, 0}});
  press.joint("revolute", "slider pin", rod, slider, {.at = {0.7, 0, 0}});
  const auto guide =
      press.joint("prismatic", "guide", press.ground(), slider, {.at = {0.7, 0, 0}, .axis = {1, 0, 0}});
  // angle' = 10 (3 t^2 - 2 t^3) for a second, then 10.
  press.drive("run up", motor, "angle", "if(t < 1, 10*t^3 - 5*t^4, 5 + 10*(t - 1))");
  press.force("spring-damper", "buffer", guide, "position", {{"stiffness", 500}, {"damping", 20}});

  const auto problem = press.problem();
  const auto run = driftless::solve(*problem, press.start(), {}, {.t_end = 3, .rtol = 1e-9});
  const auto torque = press.reaction(run.final, motor);
  std::printf("slider at x = %.6f, v = %.6f\n", run.final.q()[6], run.final.v()[6]);
  std::printf("the bearing of the motor carries %.3f N\n", norm(torque.force));
  std::printf("|g| <= %.1e, energy balance %+.1e J, work of motor and buffer %.3f J, %ld steps\n",
              run.drift->position, run.energy->balance, run.energy->work, run.work.steps);
}
