// Input that is legal and extreme: axes whose square is no number, elements with thousands of attributes, formulas that overflow on the way.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>
#include <driftless/io/model_check.hpp>
#include <driftless/io/model_file.hpp>
#include <driftless/io/robot_file.hpp>

namespace driftless::io {
namespace {

std::string model_with_axis(const std::string& axis) {
  return "title = \"x\"\n[body.rod]\nat = [1, 0, 0]\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n[joint.j]\n"
         "type = \"revolute\"\nbetween = [\"ground\", \"rod\"]\nat = [0, 0, 0]\naxis = " +
         axis + "\n";
}

// Nothing but its direction matters.
TEST(HostileInput, AnAxisMayHaveAnyLength) {
  const auto marker = [](const std::string& axis) {
    const Model model = read_model_text(model_with_axis(axis), "x.toml");
    return model.mechanism.joints().front().a.axes.z;
  };
  const mechanics::Vec3 expected = marker("[1, 1, 0]");
  EXPECT_NEAR(expected.x, std::sqrt(0.5), 1e-15);
  for (const char* axis : {"[1e308, 1e308, 0]", "[1e-308, 1e-308, 0]", "[1e200, 1e200, 0]"}) {
    const mechanics::Vec3 found = marker(axis);
    EXPECT_NEAR(found.x, expected.x, 1e-15) << axis;
    EXPECT_NEAR(found.y, expected.y, 1e-15) << axis;
    EXPECT_EQ(found.z, 0) << axis;
  }
  EXPECT_THROW(marker("[0, 0, 0]"), InputError);
}

std::string robot(const std::string& axis) {
  return R"(<robot name="r"><link name="w"/><link name="b"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="w"/><child link="b"/><axis xyz=")" +
         axis + "\"/></joint></robot>";
}

TEST(HostileInput, SoMayThatOfARobot) {
  EXPECT_EQ(robot_model_text_of(robot("0 0 1e308"), "r.urdf").text,
            robot_model_text_of(robot("0 0 1"), "r.urdf").text);
}

TEST(HostileInput, AnElementWithThousandsOfAttributesIsRefusedAtOnce) {
  std::string text = "<robot name=\"r\">\n<link name=\"w\"";
  for (int i = 0; i < 80000; ++i) text += fmt::format(" a{}=\"=\"", i);
  text += "/></robot>";
  const auto begin = std::chrono::steady_clock::now();
  try {
    robot_model_text_of(text, "r.urdf");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("r.urdf:2:1: an element has 80001 attributes (at most 256)"),
              std::string::npos)
        << error.what();
  }
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 1);
}

// e^(1000 t) has a second derivative beyond 1.8e308 from t = (ln(1.8e308) - ln 1e6)/1000 = 0.69597 on; a force, from 0.70978 on.
TEST(HostileInput, FormulasOfTimeAreFollowedToTheEndOfTheRun) {
  const std::string rod =
      "title = \"x\"\ndimensions = 2\n[body.rod]\nat = [1, 0]\nmass = 1\ninertia = 0.1\n[joint.j]\n"
      "type = \"revolute\"\nbetween = [\"ground\", \"rod\"]\nat = [0, 0]\n[run]\nt_end = 2\n";
  const auto warning = [&](const std::string& more) {
    for (const Finding& finding : check_model(read_model_text(rod + more, "x.toml")).findings)
      if (finding.kind == "formula") return finding.subject + ": " + finding.text;
    return std::string();
  };
  const std::string drive = warning("[drive.motor]\non = \"j.angle\"\nmotion = \"exp(1000*t)\"\n");
  EXPECT_TRUE(drive.starts_with("drive motor: derivative 2 by t of 'exp(1000*t)' is inf from t = 0.69596"))
      << drive;
  const std::string force =
      warning("[force.push]\ntype = \"actuator\"\non = \"j.angle\"\nforce = \"exp(1000*t)\"\n");
  EXPECT_TRUE(force.starts_with("force push: exp of 709.78")) << force;
  EXPECT_NE(force.find("in 'exp(1000*t)' is beyond the largest number (1.8e308) from t = 0.70978"),
            std::string::npos)
      << force;
  EXPECT_EQ(warning("[drive.motor]\non = \"j.angle\"\nmotion = \"exp(t)\"\n"), "");
}

}  // namespace
}  // namespace driftless::io
