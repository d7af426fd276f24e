// The same mechanism written in SI and in millimetres, grams, milliseconds, degrees and kilonewtons: every quantity that a file may have, and every result.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <sstream>

#include <fmt/format.h>

#include <driftless/io/model_file.hpp>
#include <driftless/io/model_outputs.hpp>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

// Unit by unit: what one of it is in SI.
const std::map<std::string, double> si = {
    {"m", 1},   {"kg", 1},    {"s", 1},    {"rad", 1},   {"N", 1},
    {"1", 1},   {"mm", 1e-3}, {"g", 1e-3}, {"ms", 1e-3}, {"deg", std::numbers::pi / 180},
    {"kN", 1e3}};

// "N mm/ms^2" by these.
double in_si(const std::string& unit) {
  double value = 1;
  const auto slash = unit.find('/');
  const auto side = [&](const std::string& words, bool over) {
    std::istringstream all(words);
    for (std::string word; all >> word;) {
      const auto hat = word.find('^');
      const double one = si.at(word.substr(0, hat));
      const int power = hat == std::string::npos ? 1 : std::stoi(word.substr(hat + 1));
      value *= std::pow(one, over ? power : -power);
    }
  };
  side(unit.substr(0, slash), true);
  if (slash != std::string::npos) side(unit.substr(slash + 1), false);
  return value;
}

// Numbers of a file are written as value [unit]; here the unit becomes a factor.
std::string written(const std::string& text, bool in_si_units) {
  const std::map<std::string, std::string> others = {
      {"m", "mm"}, {"kg", "g"}, {"s", "ms"}, {"rad", "deg"}, {"N", "kN"}};
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto open = text.find('<', i);
    if (open == std::string::npos) return result + text.substr(i);
    const auto bar = text.find('|', open), close = text.find('>', bar);
    std::string unit = text.substr(bar + 1, close - bar - 1);
    std::string other;  // the same unit in the other system
    for (std::size_t k = 0; k < unit.size();) {
      std::size_t end = k;
      while (end < unit.size() && std::isalpha(static_cast<unsigned char>(unit[end]))) ++end;
      if (end == k) {
        other += unit[k++];
        continue;
      }
      other += others.at(unit.substr(k, end - k));
      k = end;
    }
    const double value = std::stod(text.substr(open + 1, bar - open - 1));
    result += text.substr(i, open - i) +
              fmt::format("{:.17g}", in_si_units ? value : value * in_si(unit) / in_si(other));
    i = close + 1;
  }
  return result;
}

const char* const units = R"([units]
length = "mm"
mass = "g"
time = "ms"
angle = "deg"
force = "kN"
)";

void expect_twins(const std::string& model, double t_end) {
  const io::Model a = io::read_model_text("title = \"t\"\n" + written(model, true), "si.toml"),
                  b = io::read_model_text("title = \"t\"\n" + written(model, false) + units, "other.toml");
  const auto run = [&](const io::Model& m) {
    const auto problem = m.mechanism.problem();
    const Solution s =
        solve(*problem, m.mechanism.assembled(m.closing), {}, {.t_end = t_end, .rtol = 1e-10, .atol = 1e-10});
    EXPECT_TRUE(s.complete()) << s.end_message;
    return s;
  };
  io::ModelOutputs first(a, {"*.*"}), second(b, {"*.*"});
  ASSERT_EQ(first.names(), second.names());
  const auto in_a = first.row(run(a).final), in_b = second.row(run(b).final);
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    if (first.names()[i].starts_with("drift")) continue;
    const double value = in_a[i] * in_si(first.units()[i]), twin = in_b[i] * in_si(second.units()[i]);
    EXPECT_NEAR(value, twin, 1e-6 * (1 + std::abs(value))) << first.names()[i] << " " << second.units()[i];
  }
  EXPECT_NEAR(*a.run.t_end, *b.run.t_end, 1e-12);
  EXPECT_NEAR(a.expectations[0].value, b.expectations[0].value * 1e-3, 1e-12);  // kept as written: m and mm
}

TEST(ModelUnits, InThePlane) {
  expect_twins(R"(
dimensions = 2
gravity = [0, <-9.81|m/s^2>]
[body.arm]
at = [<0.1|m>, <0.2|m>]
angle = <0.3|rad>
center = [<0.05|m>, 0]
inertia = <0.004|kg m^2>
mass = <0.6|kg>
[body.slider]
at = [<0.5|m>, <0.1|m>]
mass = <0.8|kg>
inertia = <0.01|kg m^2>
velocity = [<0.2|m/s>, 0]
[body.wheel]
from = [<1|m>, 0]
to = [<1.2|m>, 0]
mass = <1|kg>
spin = <2|rad/s>
shape = {type = "link", width = <0.05|m>}
[point.tip]
body = "arm"
at = [<0.3|m>, 0]
[joint.pin]
type = "revolute"
between = ["ground", "arm"]
at = [<0.1|m>, <0.2|m>]
[joint.guide]
type = "prismatic"
between = ["ground", "slider"]
at = [<0.5|m>, <0.1|m>]
axis = [1, 0]
[joint.axle]
type = "revolute"
between = ["ground", "wheel"]
at = [<1.1|m>, 0]
[joint.rack]
type = "rack-and-pinion"
joints = ["axle", "guide"]
radius = <0.15|m>
[force.torsion]
type = "spring-damper"
on = "pin.angle"
stiffness = <3|N m/rad>
damping = <0.1|N m s/rad>
rest = <0.2|rad>
preload = <0.05|N m>
[force.spring]
type = "spring-damper"
between = ["arm", "slider"]
from = [<0.2|m>, <0.2|m>]
to = [<0.5|m>, <0.1|m>]
curve = {points = [[<-0.2|m>, <-8|N>], [0, 0], [<0.1|m>, <3|N>], [<0.3|m>, <12|N>]]}
dashpot = {points = [[<-1|m/s>, <-2|N>], [0, 0], [<1|m/s>, <3|N>]]}
[force.bearing]
type = "friction"
on = "guide.position"
coefficient = <0.3|N s/m>
[force.servo]
type = "pd-actuator"
on = "axle.angle"
proportional = <2|N m/rad>
derivative = <0.05|N m s/rad>
target = {points = [[0, 0], [<0.5|s>, <0.4|rad>], [<1|s>, <0.1|rad>]]}
[force.mount]
type = "bushing"
between = ["ground", "slider"]
at = [<0.5|m>, <0.1|m>]
kx = <5|N/m>
cx = <0.2|N s/m>
[force.wind]
type = "torque"
between = ["ground", "arm"]
torque = <0.02|N m>
[start]
rates = {"pin.angle" = <1.5|rad/s>}
[run]
t_end = <1|s>
[expect]
"arm.x" = {at = <1|s>, value = <0.1|m>, tolerance = <1|m>}
)",
               0.8);
}

TEST(ModelUnits, InSpaceWithDrivesAndProfiles) {
  expect_twins(R"(
gravity = [0, 0, <-9.81|m/s^2>]
[body.frame]
density = <2000|kg/m^3>
shapes = [{type = "box", size = [<0.2|m>, <0.1|m>, <0.1|m>]}, {type = "sphere", radius = <0.05|m>, at = [<0.1|m>, 0, 0], density = <5000|kg/m^3>}]
turn = {axis = [0, 0, 1], angle = <0.2|rad>}
rates = [0, 0, <0.5|rad/s>]
[body.nut]
mass = <2|kg>
inertia = [<0.02|kg m^2>, <0.03|kg m^2>, <0.04|kg m^2>]
products = [<0.001|kg m^2>, 0, 0]
at = [<1|m>, 0, 0]
[body.bead]
mass = <0.1|kg>
inertia = [<1e-4|kg m^2>, <1e-4|kg m^2>, <1e-4|kg m^2>]
at = [<3|m>, <0.5|m>, 0]
velocity = [<0.3|m/s>, 0, 0]
[joint.hinge]
type = "revolute"
between = ["ground", "frame"]
[joint.thread]
type = "screw"
between = ["ground", "nut"]
at = [<1|m>, 0, 0]
pitch = <0.3|m>
[joint.wire]
type = "point-on-curve"
between = ["ground", "bead"]
a = {at = [<3|m>, 0, 0]}
b = {}
profile = {points = [[<-1|m>, <0.4|m>], [0, <0.5|m>], [<1|m>, <0.4|m>]]}
[drive.turn]
on = "hinge.angle"
motion = {points = [[0, <0|rad>], [<0.4|s>, <0.3|rad>], [<1|s>, <0.5|rad>]]}
[drive.lift]
point = {body = "nut", at = [0, 0, 0]}
along = [0, 0, 1]
motion = {points = [[0, 0], [<0.5|s>, <0.05|m>], [<1|s>, <0.02|m>]]}
[run]
t_end = <1|s>
[expect]
"bead.x" = {at = <1|s>, value = <3|m>, tolerance = <1|m>}
)",
               0.8);
}

// In formulas t, joint coordinates and their rates are in the units of the file, and so is what they give.
TEST(ModelUnits, Formulas) {
  const auto end = [](const std::string& head, const std::string& force, const std::string& motion) {
    const io::Model m = io::read_model_text(
        "title = \"t\"\n" + head +
            "[body.a]\nmass = \"2*kg\"\ninertia = [1, 1, 1]\n[body.b]\nmass = \"1*kg\"\ninertia = [1, 1, 1]\n"
            "[joint.rail]\ntype = \"prismatic\"\nbetween = [\"ground\", \"a\"]\naxis = [1, 0, "
            "0]\n[joint.axle]\ntype = \"revolute\"\nbetween = [\"ground\", \"b\"]\n"
            "[force.f]\ntype = \"actuator\"\non = \"rail.position\"\nforce = \"" +
            force + "\"\n[drive.d]\non = \"axle.angle\"\nmotion = \"" + motion + "\"\n",
        "m.toml");
    const Solution s = solve(*m.mechanism.problem(), m.mechanism.assembled(m.closing), {},
                             {.t_end = 1.5, .rtol = 1e-10, .atol = 1e-10});
    io::ModelOutputs outputs(m, {"rail.position", "axle.angle'"});
    const auto row = outputs.row(s.final);
    return std::pair(row[0] * in_si(outputs.units()[0]), row[1] * in_si(outputs.units()[1]));
  };
  const auto a = end("", "3*cos(2*t) - 5*rail.position - 0.4*rail.position' + 0.2*axle.angle", "t^2");
  const auto b =
      end(units, "0.003*cos(0.002*t) - 5e-6*rail.position - 4e-4*rail.position' + 0.2e-3*axle.angle*pi/180",
          "(t/1000)^2*180/pi");
  EXPECT_NEAR(a.first, b.first, 1e-9);
  EXPECT_NEAR(a.second, 3, 1e-9);
  EXPECT_NEAR(b.second, 3, 1e-9);
}

}  // namespace
}  // namespace driftless::tests
