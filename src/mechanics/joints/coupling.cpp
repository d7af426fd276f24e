// coupling: the coordinate y of joint b follows the coordinate x of joint a by a polynomial.
//   y = c0 + c1 x + c2 x^2 + c3 x^3 + c4 x^4             1 row; x and y are angles (rad) or positions (m)
#include <array>

#include <driftless/mechanics/joint.hpp>

namespace driftless::mechanics::joints {

JointEntry coupling() {
  // In SI whatever the units of a file: what a coefficient is a quantity of depends on both joints.
  static constexpr std::array names = {"c0", "c1", "c2", "c3", "c4"};
  JointEntry entry{.summary = "the coordinate of one joint follows that of another by a polynomial",
                   .settings = {},
                   .of_joints = true,
                   .build = [](JointRows& joint) {
                     std::vector<JointRows::Term> terms = {{joint.of_joint(1), 1}};
                     for (int power = 1; power < static_cast<int>(names.size()); ++power)
                       if (const double c = joint.setting(names[static_cast<std::size_t>(power)]); c != 0)
                         terms.push_back({joint.of_joint(0), -c, power});
                     joint.add_up("follows", terms, joint.setting(names[0]));
                   }};
  for (const char* name : names)
    entry.settings.push_back(
        {.name = name, .help = std::string("coefficient of x^") + name[1] + ", in SI units (0)"});
  return entry;
}

}  // namespace driftless::mechanics::joints
