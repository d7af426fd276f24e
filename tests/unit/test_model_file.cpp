// Model files: what is read, in which units, with which parameters; names of results.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <driftless/io/model_file.hpp>
#include <driftless/io/model_outputs.hpp>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

using io::Model;
using io::read_model_text;
using mechanics::Vec3;
constexpr double pi = std::numbers::pi;

Solution run(const Model& model, double t_end, double tolerance = 1e-10) {
  const auto problem = model.mechanism.problem();
  const Solution s = solve(*problem, model.mechanism.assembled(model.closing), {},
                           {.t_end = t_end, .rtol = tolerance, .atol = tolerance});
  EXPECT_TRUE(s.complete()) << s.end_message;
  return s;
}

double final_value(const Model& model, const Solution& s, const std::string& column) {
  io::ModelOutputs outputs(model, {column});
  double value = 0;
  for (const State& state : s.states) value = outputs.row(state).front();
  return value;
}

// A pendulum whose mass centre is away from its origin; all numbers in two systems of units.
const char* const pendulum_si = R"(
title = "pendulum"
dimensions = 2
gravity = [0, -9.81]
[parameters]
k = 3
[body.rod]
mass = 2
inertia = 0.05
at = [0.1, 0.2]
angle = 0.4
center = [0.3, 0.02]
[joint.pin]
type = "revolute"
between = ["ground", "rod"]
a = {at = [0.1, 0.2]}
b = {}
[force.spring]
type = "spring-damper"
on = "pin.angle"
stiffness = "k"
damping = 0.2
rest = 0.1
[force.motor]
type = "actuator"
on = "pin.angle"
force = "0.5*sin(2*t) - 0.1*pin.angle'"
[start]
rates = {"pin.angle" = 1.5}
)";
const char* const pendulum_mm = R"(
title = "pendulum"
dimensions = 2
gravity = [0, -9810]
[units]
length = "mm"
angle = "deg"
mass = "g"
[parameters]
k = "3e3*pi/180"           # N mm/deg
[body.rod]
mass = "2*kg"
inertia = 0.05e9
at = [100, 200]
angle = "0.4*rad"
center = [300, 20]
[joint.pin]
type = "revolute"
between = ["ground", "rod"]
a = {at = [100, "20*cm"]}
b = {}
[force.spring]
type = "spring-damper"
on = "pin.angle"
stiffness = "k"
damping = "200*pi/180"
rest = "0.1*rad"
[force.motor]
type = "actuator"
on = "pin.angle"
force = "500*sin(2*t) - 100*pin.angle'/rad"
[start]
rates = {"pin.angle" = "1.5*rad"}
)";

// phi'' of a pendulum with the mass centre at distance r and angle delta, a spring and a torque: by a fine Runge-Kutta of its own.
double pendulum_angle(double t_end) {
  const double m = 2, r = std::hypot(0.3, 0.02), delta = std::atan2(0.02, 0.3), J = 0.05 + m * r * r;
  const auto turn = [&](double t, double phi, double rate) {
    return (-m * 9.81 * r * std::cos(phi + delta) - 3 * (phi - 0.1) - 0.2 * rate + 0.5 * std::sin(2 * t) -
            0.1 * rate) /
           J;
  };
  double phi = 0.4, rate = 1.5;
  const int n = 20000;
  const double h = t_end / n;
  for (int i = 0; i < n; ++i) {
    const double t = i * h, k1 = rate, l1 = turn(t, phi, rate), k2 = rate + h / 2 * l1,
                 l2 = turn(t + h / 2, phi + h / 2 * k1, rate + h / 2 * l1), k3 = rate + h / 2 * l2,
                 l3 = turn(t + h / 2, phi + h / 2 * k2, rate + h / 2 * l2), k4 = rate + h * l3,
                 l4 = turn(t + h, phi + h * k3, rate + h * l3);
    phi += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return phi;
}

TEST(ModelFile, PendulumInTwoSystemsOfUnits) {
  const Model si = read_model_text(pendulum_si, "si.toml"), mm = read_model_text(pendulum_mm, "mm.toml");
  const Solution a = run(si, 2), b = run(mm, 2);
  const double expected = pendulum_angle(2);
  EXPECT_NEAR(final_value(si, a, "rod.angle"), expected, 1e-8);
  EXPECT_NEAR(final_value(mm, b, "rod.angle"), expected * 180 / pi, 1e-6);
  EXPECT_NEAR(final_value(si, a, "pin.angle"), expected, 1e-8);
  EXPECT_NEAR(final_value(mm, b, "pin.angle'") * pi / 180, final_value(si, a, "pin.angle'"), 1e-8);
  EXPECT_NEAR(final_value(mm, b, "rod.x"), 100, 1e-6);  // the origin is the pin
  EXPECT_NEAR(final_value(si, a, "rod.y"), 0.2, 1e-9);
  EXPECT_NEAR(final_value(si, a, "rod.vx"), 0, 1e-9);
  EXPECT_NEAR(final_value(mm, b, "pin.force"), final_value(si, a, "pin.force"), 1e-6);  // both in N
  EXPECT_NEAR(final_value(mm, b, "energy.total") / 1000, final_value(si, a, "energy.total"), 1e-7);
  const io::ModelOutputs outputs(mm, {"pin.*"});
  const auto unit = [&](const std::string& name) {
    for (std::size_t i = 0; i < outputs.names().size(); ++i)
      if (outputs.names()[i] == name) return outputs.units()[i];
    return std::string("?");
  };
  EXPECT_EQ(unit("pin.angle'"), "deg/s");
  EXPECT_EQ(unit("pin.tx"), "N mm");
  EXPECT_EQ(unit("pin.own_fy"), "N");
}

TEST(ModelFile, ParametersDependOnEachOtherAndCanBeSet) {
  const std::string text = R"(
title = "p"
[parameters]
total = "2*part + 1"
part = "base^2"
base = 3
[body.b]
mass = "total"
inertia = [1, 1, 1]
)";
  const auto mass = [&](const std::vector<std::pair<std::string, std::string>>& set) {
    const Model m = read_model_text(text, "p.toml", set);
    return m.mechanism.finished().bodies[1].mass;
  };
  EXPECT_EQ(mass({}), 19);
  EXPECT_EQ(mass({{"base", "1"}}), 3);
  EXPECT_EQ(mass({{"part", "base/2"}}), 4);
  EXPECT_TRUE(contains(complaint([&] { mass({{"bas", "1"}}); }), "it has total, part, base"));
  EXPECT_TRUE(contains(complaint([&] { mass({{"base", "part"}}); }), "depends on itself"));
}

// A bar of two halves, each a box: together the box of twice the length.
TEST(ModelFile, MassAndInertiaFromShapes) {
  const auto body = [](const std::string& lines) {
    return read_model_text("title = \"s\"\n[body.b]\n" + lines, "s.toml").mechanism.finished().bodies[1];
  };
  const auto whole = body("shape = {type = \"box\", size = [0.4, 0.1, 0.05], density = 7800}");
  const double m = 7800 * 0.4 * 0.1 * 0.05;
  EXPECT_NEAR(whole.mass, m, 1e-12);
  EXPECT_NEAR(whole.inertia.x.x, m * (0.01 + 0.0025) / 12, 1e-14);
  EXPECT_NEAR(whole.inertia.z.z, m * (0.16 + 0.01) / 12, 1e-14);
  const auto halves = body(R"(density = 7800
shapes = [{type = "box", size = [0.2, 0.1, 0.05], at = [0.1, 0, 0]}, {type = "box", size = [0.1, 0.05, 0.2], at = [-0.1, 0, 0], axis = [1, 0, 0]}])");
  EXPECT_NEAR(halves.mass, m, 1e-12);
  EXPECT_NEAR(halves.inertia.z.z, whole.inertia.z.z, 1e-14);
  EXPECT_NEAR(halves.inertia.y.y, whole.inertia.y.y, 1e-14);
  const auto ball = body("mass = 2\nshape = {type = \"sphere\", radius = 0.3}");
  EXPECT_NEAR(ball.inertia.y.y, 0.4 * 2 * 0.09, 1e-15);
  // A capsule and a link against their integrals, summed over small cubes.
  const auto integral = [](auto inside, double reach, int n) {
    double volume = 0, xx = 0, yy = 0, zz = 0;
    const double h = 2 * reach / n;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) {
          const double x = -reach + (i + 0.5) * h, y = -reach + (j + 0.5) * h, z = -reach + (k + 0.5) * h;
          if (!inside(x, y, z)) continue;
          volume += 1;
          xx += y * y + z * z, yy += z * z + x * x, zz += x * x + y * y;
        }
    return Vec3{xx / volume, yy / volume, zz / volume};
  };
  const auto capsule = body("mass = 1\nshape = {type = \"capsule\", radius = 0.3, length = 0.5}");
  const Vec3 c = integral(
      [](double x, double y, double z) {
        const double beyond = std::max(0.0, std::abs(z) - 0.25);
        return x * x + y * y + beyond * beyond < 0.09;
      },
      0.6, 120);
  EXPECT_NEAR(capsule.inertia.x.x, c.x, 1e-4);
  EXPECT_NEAR(capsule.inertia.z.z, c.z, 1e-4);
  const auto link = body("mass = 1\nshape = {type = \"link\", length = 0.5, width = 0.4, thickness = 0.3}");
  const Vec3 l = integral(
      [](double x, double y, double z) {
        const double beyond = std::max(0.0, std::abs(x) - 0.25);
        return beyond * beyond + y * y < 0.04 && std::abs(z) < 0.15;
      },
      0.5, 200);
  EXPECT_NEAR(link.inertia.x.x, l.x, 1e-4);
  EXPECT_NEAR(link.inertia.y.y, l.y, 1e-4);
  EXPECT_NEAR(link.inertia.z.z, l.z, 1e-4);
}

TEST(ModelFile, BodiesArePlacedInSeveralWays) {
  const auto pose = [](const std::string& lines) {
    const Model m =
        read_model_text("title = \"s\"\n[body.b]\nmass = 1\ninertia = [1, 1, 1]\n" + lines, "s.toml");
    return m.mechanism.results().pose(m.mechanism.start(), m.bodies[0].id);
  };
  const auto between = pose("from = [1, 0, 0]\nto = [1, 2, 0]");
  EXPECT_NEAR(norm(between.r - Vec3{1, 1, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(between.R.x - Vec3{0, 1, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(between.R.z - Vec3{0, 0, 1}), 0, 1e-15);
  const auto up = pose("from = [0, 0, 0]\nto = [0, 0, 1]");
  EXPECT_NEAR(norm(up.R.z - Vec3{1, 0, 0}), 0, 1e-15);
  const double half = std::sqrt(0.5);
  for (const char* lines : {"turn = {axis = [0, 0, 2], angle = \"90*deg\"}",
                            "quaternion = [0.70710678118654752, 0, 0, 0.70710678118654752]",
                            "axes = {x = [0, 1, 0], y = [-1, 0, 0]}"}) {
    const auto turned = pose(lines);
    EXPECT_NEAR(norm(turned.R.x - Vec3{0, 1, 0}), 0, 1e-14) << lines;
    EXPECT_NEAR(norm(turned.R.y - Vec3{-1, 0, 0}), 0, 1e-14) << lines;
  }
  const auto off =
      pose("center = [0, 1, 0]\nturn = {axis = [1, 0, 0], angle = 0.78539816339744831}\nrates = [2, 0, 0]");
  EXPECT_NEAR(norm(off.r - Vec3{0, half, half}), 0, 1e-15);       // of the mass centre
  EXPECT_NEAR(norm(off.v - 2 * Vec3{0, -half, half}), 0, 1e-14);  // while the origin rests
}

// Formulas may use joints that stand further down; entries keep the order of the file, not of the alphabet.
TEST(ModelFile, OrderOfEntries) {
  const Model m = read_model_text(R"(
title = "o"
dimensions = 2
[force.z]
type = "actuator"
on = "later.position"
force = "-2*later.position"
[body.zeta]
mass = 1
inertia = 1
[body.alpha]
mass = 1
inertia = 1
[joint.later]
type = "prismatic"
between = ["ground", "zeta"]
axis = [1, 0]
)",
                                  "o.toml");
  ASSERT_EQ(m.bodies.size(), 2U);
  EXPECT_EQ(m.bodies[0].name, "zeta");
  EXPECT_EQ(m.forces.size(), 1U);
}

TEST(ModelFile, ResultsAreAskedForByName) {
  const Model m = read_model_text(pendulum_si, "si.toml");
  const auto names = [&](const std::vector<std::string>& columns) {
    return io::ModelOutputs(m, columns).names();
  };
  EXPECT_EQ(names({"energy.total", "rod.x"}), (std::vector<std::string>{"energy.total", "rod.x"}));
  EXPECT_EQ(names({"*.power"}), (std::vector<std::string>{"spring.power", "motor.power", "energy.power"}));
  EXPECT_TRUE(contains(complaint([&] { names({"rod.z"}); }),
                       "rod has x, y, angle, vx, vy, spin, kinetic, potential"));
  EXPECT_TRUE(contains(complaint([&] { names({"rood.x"}); }), "did you mean rod.x"));
  EXPECT_TRUE(contains(complaint([&] { names({"rod"}); }), "there is no output 'rod'"));
}

// A wheel turned many times in space: its angle goes on, although nobody asked for it when the model was built.
TEST(ModelFile, AnglesGoOnOverWholeTurns) {
  const Model m = read_model_text(R"(
title = "wheel"
[body.wheel]
mass = 1
inertia = [1, 1, 2]
rates = [0, 0, 10]
[joint.axle]
type = "revolute"
between = ["ground", "wheel"]
)",
                                  "w.toml");
  const Solution s = run(m, 5);
  EXPECT_NEAR(final_value(m, s, "axle.angle"), 50, 1e-6);
}

}  // namespace
}  // namespace driftless::tests
