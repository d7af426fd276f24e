// Units in formulas of model files: what is an angle to sin and cos, what does not go together, and what the answers say. Expected values by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include <driftless/core/errors.hpp>
#include <driftless/io/model_file.hpp>
#include <driftless/io/model_outputs.hpp>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

constexpr double pi = std::numbers::pi;

// A crank that turns and a slider that slides; `extra` is more of the file, and lines 1 to 18 are these.
std::string model(const std::string& angle, const std::string& parameters, const std::string& extra) {
  return "title = \"t\"\ndimensions = 2\n[units]\nlength = \"mm\"\nangle = \"" + angle +
         "\"\n[parameters]\nnothing = 0\n" + parameters +
         "\n[body.a]\nmass = 1\ninertia = 1\n[joint.pin]\ntype = \"revolute\"\nbetween = [\"ground\", "
         "\"a\"]\n"
         "[body.b]\nmass = 1\ninertia = 1\n[joint.rail]\ntype = \"prismatic\"\nbetween = [\"ground\", "
         "\"b\"]\naxis = [1, 0]\n" +
         extra;
}

double parameter(const std::string& angle, const std::string& text) {
  const io::Model m = io::read_model_text(model(angle, "c = \"" + text + "\"", ""), "m.toml");
  for (const auto& [name, value] : m.parameters)
    if (name == "c") return value;
  return NAN;
}

std::string complaint(const std::string& text) {
  try {
    io::read_model_text(text, "m.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string motor(const std::string& formula) {
  return "[force.motor]\ntype = \"actuator\"\non = \"rail.position\"\nforce = \"" + formula + "\"\n";
}

TEST(FormulaQuantities, AnAngleIsTheSameInEveryFile) {
  for (const char* unit : {"rad", "deg", "turn"}) {
    EXPECT_NEAR(parameter(unit, "cos(60*deg)"), 0.5, 1e-15) << unit;
    EXPECT_NEAR(parameter(unit, "sin(0.5*pi*rad) + tan(45*deg)"), 2, 1e-14) << unit;
    EXPECT_NEAR(parameter(unit, "cos(60*deg/rad)"), 0.5, 1e-15) << unit;  // a number of radians
    EXPECT_NEAR(parameter(unit, "cos(2*15*deg + 30*deg)"), 0.5, 1e-15) << unit;
    EXPECT_NEAR(parameter(unit, "sin(pi/6)"), 0.5, 1e-15) << unit;       // plain numbers are radians
    EXPECT_NEAR(parameter(unit, "atan2(1, 1)/deg"), 45, 1e-12) << unit;  // inverses give angles
    EXPECT_NEAR(parameter(unit, "sin(asin(0.3)) + cos(acos(0.4))"), 0.7, 1e-14) << unit;
    EXPECT_NEAR(parameter(unit, "sin(10*rpm*500*ms)"), std::sin(10 * 2 * pi / 60 * 0.5), 1e-14) << unit;
  }
  EXPECT_NEAR(parameter("deg", "atan2(1, 1)"), 45, 1e-12);
  EXPECT_NEAR(parameter("deg", "cos(15/rad)"), std::cos(15 * pi / 180), 1e-15);  // 15, in the file's unit
  EXPECT_NEAR(parameter("deg", "sin(2)"), std::sin(2), 1e-15);
}

// m x'' = F for a second: joint coordinates and t in formulas of forces. The crank is driven to 20 t degrees.
TEST(FormulaQuantities, CoordinatesAreAnglesToo) {
  const auto end = [](const char* unit, const std::string& force) {
    const io::Model m =
        io::read_model_text(model(unit, "rate = \"20*deg/(1000*ms)\"\nwhole = 2",
                                  motor(force) + "[drive.d]\non = \"pin.angle\"\nmotion = \"rate*t\"\n"),
                            "m.toml");
    const Solution s = solve(*m.mechanism.problem(), m.mechanism.assembled(m.closing), {},
                             {.t_end = 1, .rtol = 1e-11, .atol = 1e-11});
    io::ModelOutputs outputs(m, {"rail.position"});
    return outputs.row(s.final)[0];
  };
  const double w = 20 * pi / 180;
  // x'' = sin(n w t), x = t/(n w) - sin(n w t)/(n w)^2, in m; 1000 mm.
  const auto expected = [](double n) { return 1000 * (1 / n - std::sin(n) / (n * n)); };
  for (const char* unit : {"rad", "deg"}) {
    EXPECT_NEAR(end(unit, "sin(pin.angle)"), expected(w), 1e-6) << unit;
    EXPECT_NEAR(end(unit, "sin(pin.angle/rad)"), expected(w), 1e-6) << unit;
    EXPECT_NEAR(end(unit, "sin(2*pin.angle)"), expected(2 * w), 1e-6) << unit;
    EXPECT_NEAR(end(unit, "sin(whole*pin.angle)"), expected(2 * w), 1e-6) << unit;
    EXPECT_NEAR(end(unit, "sin(rate*t)"), expected(w), 1e-6) << unit;
    EXPECT_NEAR(end(unit, "sin(20*deg*t)"), expected(w), 1e-6) << unit;
    EXPECT_NEAR(end(unit, "sin(pin.angle + rate*t)"), expected(2 * w), 1e-6) << unit;
    EXPECT_NEAR(end(unit, "sin(2*t)"), expected(2), 1e-6) << unit;  // 2 radians in each second
    EXPECT_NEAR(end(unit, "sin(t)"), expected(1), 1e-6) << unit;
  }
}

struct Refusal {
  std::string unit, text, says;
};

TEST(FormulaQuantities, WhatDoesNotGoTogetherIsRefused) {
  const Refusal forces[] = {
      {"rad", "rail.position + t",
       "'rail.position' is a length (mm) and 't' is a time (s), and they are added; make both the same "
       "quantity, or one a plain number"},
      {"rad", "3 - (30*mm - t)", "'30*mm' is a length (mm) and 't' is a time (s), and they are subtracted"},
      {"rad", "sin(rail.position)", "sin takes an angle or a number, and 'rail.position' is a length (mm)"},
      {"deg", "cos(30*mm)", "cos takes an angle or a number, and '30*mm' is a length (mm)"},
      {"rad", "tan(pin.angle')",
       "tan takes an angle or a number, and 'pin.angle'' is a rate of turning (rad/s)"},
      {"rad", "exp(rail.position)", "exp takes a number without unit, and 'rail.position' is a length (mm)"},
      {"deg", "exp(0.2*pin.angle)", "divide the angle by rad or deg"},
      {"rad", "if(rail.position > t, 1, 2)", "they are compared"},
      {"rad", "min(rail.position, pin.angle)", "'pin.angle' is an angle (rad), and they are compared"},
      {"rad", "atan2(rail.position, t)", "two sides of a triangle"},
      {"rad", "step(t, 0, 0, 30*mm, 1)", "'30*mm' is a length (mm), and they are compared"},
      {"rad", "if(t > 1, rail.position, pin.angle)", "two cases of one value"},
      {"rad", "2^rail.position", "'rail.position' is an exponent, and a length (mm)"},
      {"rad", "rail.position - 30*mm",
       "'rail.position - 30*mm' is a length (mm), and a force (N) is expected here; give one, or a plain "
       "number, "
       "which is in N"},
      {"rad", "stiff*rail.position'", "a force (N) is expected here"},
      {"rad", "sqrt(30*mm*30*mm) + t", "'sqrt(30*mm*30*mm)' is a length (mm)"},
      {"rad", "heavy*rail.position/(500*ms)^2", "1 N is 1000 kg mm/s^2 in this file"},
      {"deg", "sin(pin.angle*pi/180)", "leave the factor 0.0174533 out"},
      {"deg", "5*sin(pin.angle*deg)", "'pin.angle' is an angle (deg) already; leave the factor 'deg' out"},
      {"deg", "acos(0.5)*180/pi", "leave the factor 57.2958 out"},
      {"deg", "asin(0.5)*rad", "'asin(0.5)' is an angle (deg) already; leave the factor 'rad' out"},
  };
  for (const Refusal& r : forces) {
    const std::string said =
        complaint(model(r.unit, "stiff = \"5*kN/inch\"\nheavy = \"2*kg\"", motor(r.text)));
    EXPECT_NE(said.find(r.says), std::string::npos) << r.text << "\n" << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    EXPECT_EQ(said.find("m.toml:26:9: force.motor.force: "), 0U) << said;
    EXPECT_NE(said.find("' at position "), std::string::npos) << said;
  }
  EXPECT_NE(complaint(model("rad", "", "[body.c]\nmass = \"30*mm\"\ninertia = 1\n"))
                .find(":23:8: body.c.mass: in '30*mm' at position 1: '30*mm' is a length (mm), and a mass "
                      "(kg) is expected"),
            std::string::npos);
  EXPECT_NE(complaint(model("rad", "", "[body.c]\nmass = 1\ninertia = 1\nat = [\"20*mm + 3*ms\", 0]\n"))
                .find("body.c.at[0]: in '20*mm + 3*ms' at position 1: '20*mm' is a length"),
            std::string::npos);
  EXPECT_NE(complaint(model("rad", "", "[drive.d]\non = \"pin.angle\"\nmotion = \"30*mm\"\n"))
                .find("drive.d.motion: "),
            std::string::npos);
  EXPECT_NE(
      complaint(model("rad", "long = \"3*mm\"\nwrong = \"long + 2*ms\"", "")).find("parameters.wrong: "),
      std::string::npos);
  EXPECT_NE(complaint(model("rad", "", "[expect]\n\"a.angle\" = {at = 1, value = \"3*mm\", tolerance = 1}\n"))
                .find("in '3*mm' at position 1: '3*mm' is a length (mm), and an angle (rad) is expected"),
            std::string::npos);
}

// Engineers write these, and they are right.
TEST(FormulaQuantities, PlainNumbersFitAnything) {
  const char* const forces[] = {"5*rail.position - 0.1*rail.position' + 3*pin.angle",
                                "20 - rail.position",  // a factor of 1 N/mm is left out
                                "-pin.angle'^2",
                                "sin(2*t) + exp(-3*t) + exp(-t)",
                                "300 - 2*(1 - cos(2*pi*t/0.5))",
                                "3*step(t, 0.1, 0, 0.3, 1)",
                                "stiff*rail.position",
                                "stiff*(rail.position - 20) - stiff*30*mm",
                                "0.05*sin(2*pi*rail.position/5)",
                                "200*(rail.position/(30*mm))^2",
                                "if(t > 0.5, 3, rail.position*2)",
                                "2*kN*cos(pin.angle)",
                                "hypot(rail.position, 30)*stiff",
                                "500*ms*0.001*rail.position'/(1*mm)",
                                "20*kPa*30*mm^2"};
  for (const char* unit : {"rad", "deg"})
    for (const char* text : forces)
      EXPECT_EQ(complaint(model(unit, "stiff = \"5*kN/inch\"", motor(text))), "") << text;
  // The radian is no unit: radius times angle is a length, and m r w^2 a force in a file of one system.
  const std::string si =
      "title = \"t\"\ndimensions = 2\n[parameters]\nm = \"2*kg\"\nr = \"300*mm\"\n[body.a]\nmass = 1\n"
      "inertia = 1\n[joint.pin]\ntype = \"revolute\"\nbetween = [\"ground\", \"a\"]\n";
  for (const char* torque : {"m*r^2*pin.angle'^2", "m*r*pin.angle'^2*r + 5", "r*pin.angle*2*kN/mm*r"})
    EXPECT_EQ(
        complaint(si + "[force.f]\ntype = \"actuator\"\non = \"pin.angle\"\nforce = \"" + torque + "\"\n"),
        "")
        << torque;
  EXPECT_EQ(complaint(model("deg", "", "[start]\nrates = {\"pin.angle\" = \"30*deg\"}\n")),
            "");  // in each second
}

TEST(FormulaQuantities, UnitsOfOneLetterHaveASpelling) {
  const std::map<std::string, std::string> spellings = {
      {"m", "1000*mm"}, {"s", "1000*ms"}, {"g", "0.001*kg"}, {"N", "0.001*kN"}, {"t", "1000*kg"}};
  for (const auto& [unit, spelling] : spellings) {
    const std::string said =
        complaint(model("rad", "", "[body.c]\nmass = 1\ninertia = \"0.5*" + unit + "\"\n"));
    EXPECT_NE(said.find("units of one letter are left to the names of parameters; write " + spelling +
                        " for 1 " + unit),
              std::string::npos)
        << said;
    EXPECT_EQ(said.find("did you mean"), std::string::npos) << said;
  }
  EXPECT_NE(complaint(model("rad", "", "[body.c]\nmass = 1\ninertia = 1\nat = [\"0.5*m\", 0]\n"))
                .find("which is in mm"),
            std::string::npos);
  EXPECT_NE(complaint("dimensions = \"2*m\"\n"), "");  // before the units are read
  // A parameter of that name is what is meant.
  EXPECT_EQ(complaint(model("rad", "m = 3", "[body.c]\nmass = \"0.5*m\"\ninertia = 1\n")), "");
}

}  // namespace
}  // namespace driftless::tests
