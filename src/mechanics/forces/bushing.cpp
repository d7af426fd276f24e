// bushing: springs and dampers between two markers that hold them together, in the directions of the axes of a and about them.
//   y = x_a . d, y_a . d, z_a . d                          stiffness along x, y, z
//   y = z_a . y_b, x_a . z_b, y_a . x_b                    sines of small turns about x, y, z
#include <driftless/mechanics/force.hpp>

namespace driftless::mechanics::forces {

ForceEntry bushing() {
  constexpr Dimension k{.length = -1, .force = 1}, c{.length = -1, .time = 1, .force = 1},
      kt{.length = 1, .angle = -1, .force = 1}, ct{.length = 1, .time = 1, .angle = -1, .force = 1};
  return {
      .summary = "elastic bearing: springs and dampers along and about three axes",
      .settings =
          {{.name = "kx",
            .help = "stiffness along x",
            .dimension = k,
            .optional = true,
            .not_negative = true},
           {.name = "ky", .help = "along y", .dimension = k, .optional = true, .not_negative = true},
           {.name = "kz",
            .help = "along z, the axis",
            .dimension = k,
            .optional = true,
            .not_negative = true},
           {.name = "cx", .help = "damping along x", .dimension = c, .optional = true, .not_negative = true},
           {.name = "cy", .help = "along y", .dimension = c, .optional = true, .not_negative = true},
           {.name = "cz", .help = "along z", .dimension = c, .optional = true, .not_negative = true},
           {.name = "ktx",
            .help = "stiffness against turns about x",
            .dimension = kt,
            .optional = true,
            .not_negative = true},
           {.name = "kty", .help = "about y", .dimension = kt, .optional = true, .not_negative = true},
           {.name = "ktz", .help = "about z", .dimension = kt, .optional = true, .not_negative = true},
           {.name = "ctx",
            .help = "damping of turns about x",
            .dimension = ct,
            .optional = true,
            .not_negative = true},
           {.name = "cty", .help = "about y", .dimension = ct, .optional = true, .not_negative = true},
           {.name = "ctz", .help = "about z", .dimension = ct, .optional = true, .not_negative = true}},
      .of_joints = false,
      .build = [](ForceElements& force) {
        const JointRows& between = force.between();
        bool acts = false;
        const auto add = [&](const std::string& which, const auto& measure) {
          if (!force.has("k" + which) && !force.has("c" + which)) return;
          acts = true;
          force.act(measure(),
                    SpringLaw{.stiffness = force.setting("k" + which), .damping = force.setting("c" + which)},
                    which);
        };
        for (int i = 0; i < 3; ++i) {
          const std::string axis(1, "xyz"[i]);
          add(axis, [&] { return between.along(i); });
          add("t" + axis, [&] {
            if (between.planar() && i < 2)
              force.refuse("connects planar bodies, which turn about z only; leave out kt" + axis +
                           " and ct" + axis);
            return between.axes((i + 2) % 3, (i + 1) % 3);
          });
        }
        if (!acts) force.refuse("does nothing; give it a stiffness or a damping");
      }};
}

}  // namespace driftless::mechanics::forces
