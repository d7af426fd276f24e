// check_model(): joints beside their bodies, joints that nobody placed, and what locks a mechanism.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include <driftless/io/robot_file.hpp>

#include "model_checks.hpp"
#include "support/model_files.hpp"

namespace driftless {
namespace {

using namespace model_checks;

// A slider-crank of bars of 0.1 and 0.3 m, with its crank pin where it is said to be.
std::string slider_crank(const std::string& pin_place, const std::string& more_of_crank = "") {
  return "title = \"x\"\ndimensions = 2\ngravity = [0, -9.81]\n" + bar("crank", "[0, 0]", "[0.1, 0]", true) +
         more_of_crank + bar("rod", "[0.1, 0]", "[0.4, 0]", true) +
         "[body.piston]\nat = [0.4, 0]\nmass = 1\ninertia = 1e-3\n" +
         pin("shaft", "ground", "crank", "[0, 0]") +
         "[joint.pin]\ntype = \"revolute\"\nbetween = [\"crank\", \"rod\"]\n" + pin_place +
         pin("wrist", "rod", "piston", "[0.4, 0]") +
         "[joint.cylinder]\ntype = \"prismatic\"\nbetween = [\"ground\", \"piston\"]\nat = [0.4, 0]\n"
         "axis = [1, 0]\n";
}

TEST(ModelCheckPlaces, APinBesideItsRodIsToldWithTheDistance) {
  const ModelCheck check = checked(slider_crank("at = [0.1, 0.057]\n"), {});
  const Finding* place = found(check, "joint-place");
  ASSERT_TRUE(place) << told(check);
  EXPECT_EQ(place->severity, Severity::warning);
  EXPECT_EQ(place->subject, "joint pin");
  EXPECT_NE(place->text.find("0.057 m beside body crank"), std::string::npos) << place->text;
}

TEST(ModelCheckPlaces, OnTheRodOrAtAPointOfItNothingIsTold) {
  for (const char* at : {"at = [0.1, 0]\n", "at = [0.1, 0.0001]\n"})
    EXPECT_FALSE(found(checked(slider_crank(at), {}), "joint-place")) << at;
  // Lugs of both bodies, by their axes from the middle.
  const std::string lugs =
      "[point.lug]\nbody = \"crank\"\nat = [0.05, 0.057]\n"
      "[point.eye]\nbody = \"rod\"\nat = [-0.15, 0.057]\n";
  EXPECT_FALSE(found(checked(slider_crank("at = [0.1, 0.057]\n") + lugs, {}), "joint-place"));
}

// A box of 0.2 x 0.2 x 0.2 m: sqrt(3) 0.2 = 0.346 m from corner to corner, of which a quarter is allowed.
TEST(ModelCheckPlaces, WhatIsAllowedBesideABox) {
  const auto with = [](const char* x, const char* type) {
    return checked(
        std::string("title = \"x\"\n[body.box]\nat = [1, 0, 0]\nmass = 1\nshape = {type = \"box\", size = "
                    "[0.2, 0.2, 0.2]}\n") +
            pin("A", "ground", "box", std::string("[") + x + ", 0, 5]", type),
        {});
  };
  EXPECT_FALSE(found(with("1.18", "revolute"), "joint-place")) << "along the axis any place is the same";
  ASSERT_TRUE(found(with("1.2", "revolute"), "joint-place"));
  EXPECT_NE(found(with("1.2", "revolute"), "joint-place")->text.find("0.1 m"), std::string::npos);
  ASSERT_TRUE(found(with("1.0", "spherical"), "joint-place")) << "a point is not";
  EXPECT_NE(found(with("1.0", "spherical"), "joint-place")->text.find("4.9 m"), std::string::npos);
  for (const char* anywhere : {"fixed", "prismatic", "parallel-axes"})
    EXPECT_FALSE(found(with("7", anywhere), "joint-place")) << anywhere;
}

TEST(ModelCheckPlaces, AJointThatNobodyPlacedIsAnErrorWhereItDecidesTheMechanism) {
  const ModelCheck check = checked(slider_crank(""), {});
  const Finding* place = found(check, "joint-place");
  ASSERT_TRUE(place) << told(check);
  EXPECT_EQ(place->severity, Severity::error);
  // The rod begins 0.1 m from the origin.
  EXPECT_NE(place->text.find("'at' is missing"), std::string::npos) << place->text;
  EXPECT_NE(place->text.find("0.1 m beside body rod"), std::string::npos) << place->text;
  EXPECT_NE(place->text.find("at = ["), std::string::npos) << place->text;
  // A body of which nothing is known but its place.
  const std::string bob =
      "title = \"x\"\ndimensions = 2\n[body.bob]\nat = [0, -1]\nmass = 1\ninertia = 1\n"
      "[joint.A]\ntype = \"revolute\"\nbetween = [\"ground\", \"bob\"]\n";
  ASSERT_TRUE(found(checked(bob, {}), "joint-place"));
  EXPECT_FALSE(checked(bob + "at = [0, 0]\n", {}).has_errors());
}

TEST(ModelCheckPlaces, WithoutAPlaceAJointMayBeWhereTheBodyBegins) {
  const std::string rod = "title = \"x\"\ndimensions = 2\n" + bar("rod", "[0, 0]", "[1, 0]", true);
  EXPECT_FALSE(
      checked(rod + "[joint.A]\ntype = \"revolute\"\nbetween = [\"ground\", \"rod\"]\n", {}).has_errors());
  EXPECT_FALSE(
      checked("title = \"x\"\ndimensions = 2\n[body.b]\nat = [3, 1]\nmass = 1\ninertia = 1\n[joint.A]\n"
              "type = \"prismatic\"\nbetween = [\"ground\", \"b\"]\naxis = [1, 0]\n",
              {})
          .has_errors())
      << "a slide is the same anywhere";
  // A cross at the origin of the world, and a plate that hangs from it.
  EXPECT_FALSE(
      checked("title = \"x\"\n[body.ring]\nmass = 1\ninertia = [1, 1, 1]\n[body.plate]\nat = [0.1, 0, -0.5]\n"
              "mass = 1\ninertia = [1, 1, 1]\n[joint.outer]\ntype = \"revolute\"\nbetween = [\"ground\", "
              "\"ring\"]\naxis = [1, 0, 0]\n[joint.inner]\ntype = \"revolute\"\nbetween = [\"ring\", "
              "\"plate\"]\naxis = [0, 1, 0]\n",
              {})
          .has_errors());
}

TEST(ModelCheckPlaces, NoModelAndNoRobotIsToldAbout) {
  const std::set<std::string> kinds = {"joint-place", "force-place", "point-place",  "force-sign", "center",
                                       "open-start",  "lost-speed",  "nothing-acts", "still-drive"};
  const auto look_at = [&](const std::string& name, const io::Model& model) {
    for (const Finding& f : io::quick_findings(model))
      EXPECT_FALSE(kinds.contains(f.kind)) << name << ": " << f.subject << ": " << f.text;
  };
  for (const std::string& name : tests::model_names())
    look_at(name, io::read_model(tests::models_folder() / (name + ".toml")));
  for (const auto& file : std::filesystem::directory_iterator(DRIFTLESS_SOURCE_DIR "/tests/models"))
    look_at(file.path().string(), io::read_model(file.path()));
  for (const auto& file : std::filesystem::directory_iterator(DRIFTLESS_SOURCE_DIR "/tests/robots"))
    if (io::is_robot_file(file.path().string())) look_at(file.path().string(), io::read_robot(file.path()));
}

// Three parallel axes and one that is tilted by atan(0.1): with a ball instead of the tilted one the loop moves, and turns there about z.
TEST(ModelCheckLocks, TheAxisThatLocksAMechanismIsNamed) {
  std::string text = four_bar(false);
  const std::string joint_c = pin("C", "coupler", "rocker", "[2, 1.5, 0]");
  text.replace(text.find(joint_c), joint_c.size(), joint_c + "axis = [0.1, 0, 1]\n");
  const ModelCheck check = checked(text);
  EXPECT_EQ(check.freedom.freedoms, 0);
  const Finding* locked = found(check, "locked");
  ASSERT_TRUE(locked) << told(check);
  EXPECT_NE(locked->text.find("the axis of joint C locks it: it is [0.0995, 0, 0.995]"), std::string::npos)
      << locked->text;
  EXPECT_NE(locked->text.find("about [0, 0, 1]"), std::string::npos) << locked->text;
  EXPECT_NE(locked->text.find("1 degree of freedom"), std::string::npos) << locked->text;
}

// A quadrangle of bars with a diagonal: without the diagonal, or one bar, it moves.
TEST(ModelCheckLocks, JointsWithoutWhichItWouldMoveAreNamed) {
  const ModelCheck check = checked(four_bar(true) +
                                   "[joint.stay]\ntype = \"distance\"\nbetween = [\"crank\", \"ground\"]\n"
                                   "from = [0.3, 0.9]\nto = [2.2, 0]\n");
  const Finding* locked = found(check, "locked");
  ASSERT_TRUE(locked) << told(check);
  EXPECT_NE(locked->text.find("without joint stay 1 degree of freedom"), std::string::npos) << locked->text;
}

}  // namespace
}  // namespace driftless
