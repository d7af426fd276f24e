// bushing: springs and dampers between two markers that hold them together, in the directions of the axes of a and about them.
//   y = x_a . d, y_a . d, z_a . d                          stiffness along x, y, z
//   y = z_a . y_b, x_a . z_b, y_a . x_b                    sines of small turns about x, y, z
#include <driftless/mechanics/force.hpp>

namespace driftless::mechanics::forces {

ForceEntry bushing() {
  return {.summary = "elastic bearing: springs and dampers along and about three axes",
          .settings = {{.name = "kx", .help = "stiffness along x", .not_negative = true},
                       {.name = "ky", .help = "along y", .not_negative = true},
                       {.name = "kz", .help = "along z, the axis", .not_negative = true},
                       {.name = "cx", .help = "damping along x", .not_negative = true},
                       {.name = "cy", .help = "along y", .not_negative = true},
                       {.name = "cz", .help = "along z", .not_negative = true},
                       {.name = "ktx", .help = "stiffness against turns about x", .not_negative = true},
                       {.name = "kty", .help = "about y", .not_negative = true},
                       {.name = "ktz", .help = "about z", .not_negative = true},
                       {.name = "ctx", .help = "damping of turns about x", .not_negative = true},
                       {.name = "cty", .help = "about y", .not_negative = true},
                       {.name = "ctz", .help = "about z", .not_negative = true}},
          .of_joints = false,
          .build = [](ForceElements& force) {
            const JointRows& between = force.between();
            const char* axis[] = {"x", "y", "z"};
            const auto add = [&](const Measure& y, const std::string& which) {
              const double k = force.setting("k" + which), c = force.setting("c" + which);
              if (k > 0 || c > 0) force.act(y, SpringLaw{.stiffness = k, .damping = c}, which);
            };
            for (int i = 0; i < 3; ++i) add(between.along(i), axis[i]);
            for (int i = 0; i < 3; ++i)
              add(between.axes((i + 2) % 3, (i + 1) % 3), std::string("t") + axis[i]);
          }};
}

}  // namespace driftless::mechanics::forces
