// rotary-damper: torques against the relative spin w = w_b - w_a of two bodies, however far they have turned, about the axes of the marker on b:
//   torque on b = -(ctx (x_b . w) x_b + cty (y_b . w) y_b + ctz (z_b . w) z_b);    the opposite acts on a
// Three equal ones make -c w: a ball joint in grease, a body in oil.
#include <driftless/mechanics/force.hpp>

namespace driftless::mechanics::forces {

ForceEntry rotary_damper() {
  constexpr Dimension ct{.length = 1, .time = 1, .angle = -1, .force = 1};
  return {.summary = "torques against the relative spin of two bodies, about the axes of b",
          .settings =
              {{.name = "ctx",
                .help = "torque for a unit of spin about x",
                .dimension = ct,
                .optional = true,
                .not_negative = true},
               {.name = "cty", .help = "about y", .dimension = ct, .optional = true, .not_negative = true},
               {.name = "ctz",
                .help = "about z, the axis",
                .dimension = ct,
                .optional = true,
                .not_negative = true}},
          .of_joints = false,
          .build = [](ForceElements& force) {
            bool acts = false;
            for (int i = 0; i < 3; ++i) {
              const std::string axis(1, "xyz"[i]);
              if (!force.has("ct" + axis)) continue;
              acts = true;
              if (force.between().planar() && i < 2)
                force.refuse("connects planar bodies, which turn about z only; leave out ct" + axis);
              force.act(force.between().spin(i), SpringLaw{.damping = force.setting("ct" + axis)}, axis);
            }
            if (!acts) force.refuse("does nothing; give it a damping");
          }};
}

}  // namespace driftless::mechanics::forces
