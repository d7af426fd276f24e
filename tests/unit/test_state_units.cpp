// The entries of a model's states: their names, the units of its file, and their numbers in these, by hand.
#include <gtest/gtest.h>

#include <numbers>
#include <string>
#include <vector>

#include <driftless/io/model_file.hpp>
#include <driftless/io/model_outputs.hpp>

namespace driftless::tests {
namespace {

constexpr double pi = std::numbers::pi;

TEST(StateUnits, AreThoseOfTheFile) {
  const io::Model m = io::read_model_text(R"(title = "t"
dimensions = 2
[units]
length = "mm"
angle = "deg"
time = "ms"
[body.a]
mass = "2*kg"
inertia = 3e4
angle = 90
spin = 0.18
center = [100, 0]
[joint.pin]
type = "revolute"
between = ["ground", "a"]
)",
                                          "m.toml");
  const auto problem = m.mechanism.problem();
  const State si = m.mechanism.start();
  const io::StateUnits units = io::state_units(m, *problem);
  const State told = units.state(si);
  const std::vector<std::string> expected = {"mm", "mm", "deg", "mm/ms", "mm/ms", "deg/ms"};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(units.z[i].name, expected[i]);
  EXPECT_EQ(problem->coordinate_name(0), "a.center_x");  // a.x is the origin, among the results
  EXPECT_EQ(problem->coordinate_name(2), "a.angle");
  EXPECT_EQ(problem->velocity_name(1), "a.center_vy");
  EXPECT_EQ(problem->velocity_name(2), "a.spin");
  EXPECT_NEAR(told.q()(1), 100, 1e-12);
  EXPECT_NEAR(told.q()(2), 90, 1e-12);
  EXPECT_NEAR(told.v()(0), -100 * 0.18 * pi / 180, 1e-12);
  EXPECT_NEAR(told.v()(2), 0.18, 1e-12);
  EXPECT_EQ(units.lambda[0].name, "N");
  EXPECT_EQ(units.energy.name, "N mm");
}

}  // namespace
}  // namespace driftless::tests
