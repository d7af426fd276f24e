// check_model(): bodies that hang on nothing, and numbers that no body has or that look like another unit.
#include <gtest/gtest.h>

#include "model_checks.hpp"

namespace driftless {
namespace {

using namespace model_checks;

TEST(ModelCheckNumbers, DisconnectedBodies) {
  const std::string spring =
      "[force.spring]\ntype = \"spring-damper\"\nbetween = [\"ground\", \"held\"]\na = {at = [5, 5]}\nb = "
      "{at = [0, 0]}\n"
      "stiffness = 10\n";
  const ModelCheck check = checked(four_bar(true) +
                                   "[body.lost]\nmass = 1\ninertia = 0.1\nat = [9, 9]\n"
                                   "[body.held]\nmass = 1\ninertia = 0.1\nat = [5, 3]\n" +
                                   spring);
  const Finding* lost = found(check, "disconnected");
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->severity, Severity::warning);  // it falls
  EXPECT_EQ(lost->subject, "body lost");
  EXPECT_EQ(std::count_if(check.findings.begin(), check.findings.end(),
                          [](const Finding& f) { return f.kind == "disconnected"; }),
            1);
}

std::string stone(const std::string& inertia, const std::string& more = "") {
  return "title = \"x\"\n" + more + "[body.stone]\nmass = 1\ninertia = " + inertia + "\n";
}

TEST(ModelCheckNumbers, TriangleInequality) {
  EXPECT_FALSE(found(checked(stone("[1, 2, 3]")), "triangle-inequality"));  // a flat plate
  const ModelCheck check = checked(stone("[1, 2, 3.1]"));
  const Finding* wrong = found(check, "triangle-inequality");
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->severity, Severity::error);
  EXPECT_EQ(wrong->subject, "body stone");
  EXPECT_TRUE(check.has_errors());
  // Moments 2, 2, 2 with a product 1.5 have the principal moments 0.5, 2 and 3.5.
  EXPECT_TRUE(found(checked(stone("[2, 2, 2]\nproducts = [0, 0, 1.5]")), "triangle-inequality"));
  EXPECT_FALSE(found(checked(stone("[2, 2, 2]\nproducts = [0, 0, 0.9]")), "triangle-inequality"));
}

TEST(ModelCheckNumbers, GravityInAnotherUnit) {
  const auto gravity = [](const std::string& head) { return checked(stone("[1, 1, 1]", head)); };
  EXPECT_FALSE(found(gravity("gravity = [0, 0, -9.81]\n"), "gravity"));
  EXPECT_FALSE(found(gravity("gravity = [0, 0, -1.62]\n"), "gravity"));  // the Moon
  EXPECT_FALSE(found(gravity("gravity = [0, 0, -9810]\n[units]\nlength = \"mm\"\n"), "gravity"));
  const ModelCheck large = gravity("gravity = [0, 0, -9810]\n");
  const Finding* mm = found(large, "gravity");
  ASSERT_TRUE(mm);
  EXPECT_EQ(mm->severity, Severity::warning);
  EXPECT_NE(mm->text.find("in mm/s2"), std::string::npos) << mm->text;
  const ModelCheck small = gravity("gravity = [0, 0, -9.81]\n[units]\nlength = \"mm\"\n");
  const Finding* m = found(small, "gravity");
  ASSERT_TRUE(m);
  EXPECT_NE(m->text.find("in m/s2"), std::string::npos) << m->text;
  const ModelCheck feet = gravity("gravity = [0, 0, -32.174]\n");
  ASSERT_TRUE(found(feet, "gravity"));
  EXPECT_NE(found(feet, "gravity")->text.find("ft/s2"), std::string::npos);
}

// A bar of 1 m and 1 kg has an inertia of 1/12 kg m^2; in kg mm^2 the number is a million times larger.
TEST(ModelCheckNumbers, InertiaInAnotherUnit) {
  const auto with = [](const std::string& inertia) {
    return checked(
        "title = \"x\"\ndimensions = 2\n[body.bar]\nfrom = [0, 0]\nto = [1, 0]\nmass = 1\ninertia = " +
        inertia + "\n" + pin("A", "ground", "bar", "[0, 0]") +
        "[body.next]\nfrom = [1, 0]\nto = [2, 0]\nmass = 1\n" + "inertia = 0.08\n" +
        pin("B", "bar", "next", "[1, 0]"));
  };
  EXPECT_FALSE(found(with("0.0833"), "inertia"));
  for (const char* wrong : {"83333", "8.3e-8"}) {
    const ModelCheck check = with(wrong);
    ASSERT_TRUE(found(check, "inertia")) << wrong;
    EXPECT_EQ(found(check, "inertia")->subject, "body bar");
    EXPECT_EQ(found(check, "inertia")->severity, Severity::warning);
  }
}

TEST(ModelCheckNumbers, DensityAndMassRatio) {
  const auto ball = [](const std::string& density) {
    return "title = \"x\"\n[body.ball]\ndensity = " + density +
           "\nshape = {type = \"sphere\", radius = 0.1}\n";
  };
  EXPECT_FALSE(found(checked(ball("7800")), "density"));
  ASSERT_TRUE(found(checked(ball("7.8e-6")), "density"));  // kg/mm^3
  EXPECT_EQ(found(checked(ball("7.8e-6")), "density")->severity, Severity::warning);
  const ModelCheck ratio = checked(ball("7800") + "[body.dust]\nmass = 1e-8\ninertia = [1e-9, 1e-9, 1e-9]\n");
  ASSERT_TRUE(found(ratio, "mass-ratio"));
  EXPECT_EQ(found(ratio, "mass-ratio")->subject, "body dust");
}

TEST(ModelCheckNumbers, AnglesThatLookLikeDegrees) {
  const std::string text = "title = \"x\"\ndimensions = 2\n[body.bar]\nmass = 1\ninertia = 1\nangle = 45\n" +
                           pin("A", "ground", "bar", "[0, 0]");
  ASSERT_TRUE(found(checked(text), "angle"));
  EXPECT_EQ(found(checked(text), "angle")->subject, "body bar");
  EXPECT_FALSE(found(checked(text + "[units]\nangle = \"deg\"\n"), "angle"));
}

TEST(ModelCheckNumbers, ErrorsComeFirst) {
  const ModelCheck check = checked(stone("[1, 1, 3]", "gravity = [0, 0, -9810]\n"));
  ASSERT_GE(check.findings.size(), 2u);
  EXPECT_EQ(check.findings.front().severity, Severity::error);
  EXPECT_TRUE(std::is_sorted(check.findings.begin(), check.findings.end(),
                             [](const Finding& a, const Finding& b) { return a.severity < b.severity; }));
}

}  // namespace
}  // namespace driftless
