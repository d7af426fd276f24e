// Sentences of a check that name the true cause and a cure that works: distances, dead centres, rates that joints take, joints that lock.
#include <gtest/gtest.h>

#include <cmath>

#include "model_checks.hpp"
#include "support/slider_crank_text.hpp"

namespace driftless::model_checks {
namespace {

using tests::edited;

const std::string slider_crank = "title = \"Slider-crank\"\ndimensions = 2\ngravity = [0, -9.81]\n" +
                                 tests::slider_crank_parts + "[run]\nt_end = 0.2\n";

bool says(const ModelCheck& check, const std::string& part) {
  return told(check).find(part) != std::string::npos;
}

// A rope of 5 m between places that are 0.8 m apart.
TEST(ModelCheckSentences, AGapOfADistanceIsADistance) {
  const ModelCheck check = checked(R"(title = "rope"
dimensions = 2
[body.rod]
from = [0, 0]
to = [0.8, 0]
mass = 1
shape = {type = "link"}
[joint.pivot]
type = "revolute"
between = ["ground", "rod"]
at = [0, 0]
[joint.rope]
type = "distance"
between = ["ground", "rod"]
from = [0, 0]
to = [0.8, 0]
length = 5
)");
  EXPECT_NEAR(check.start.gap.value, 4.2, 1e-12);
  EXPECT_EQ(check.start.gap.unit, "m");
}

// cos of the crank's angle, where the piston is 0.06 m before its dead centre: with a = 0.1, b = 0.3 and x = 0.34,
//   cos = (a^2 + x^2 - b^2)/(2 a x)
TEST(ModelCheckSentences, ADeadCentreIsToldWithAnotherCoordinate) {
  const double cosine = (0.01 + 0.34 * 0.34 - 0.09) / (2 * 0.1 * 0.34), angle = std::acos(cosine);
  const std::string told_angle = fmt::format("{:.4g} rad", angle);
  const ModelCheck placed =
      checked(std::string(slider_crank) + "[start]\npositions = {\"cylinder.position\" = -0.06}\n");
  EXPECT_TRUE(says(placed, "they stand at a dead centre, where cylinder.position has no rate"))
      << told(placed);
  EXPECT_TRUE(says(placed, told_angle + " in its place")) << told(placed) << told_angle;
  const ModelCheck driven = checked(std::string(slider_crank) +
                                    "[drive.motor]\non = \"cylinder.position\"\nmotion = \"-0.06 - t\"\n");
  EXPECT_TRUE(says(driven, "dead centre")) << told(driven);
  EXPECT_TRUE(says(driven, told_angle)) << told(driven) << told_angle;
  // What is advised works.
  const ModelCheck followed =
      checked(fmt::format("{}[start]\npositions = {{\"shaft.angle\" = {}}}\n", slider_crank, angle));
  EXPECT_TRUE(followed.start.closed) << told(followed);
}

TEST(ModelCheckSentences, AJointThatTakesARateIsNamed) {
  const ModelCheck check = checked(R"(title = "screw"
[body.nut]
at = [0, 0, 0]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joint.rail]
type = "screw"
between = ["ground", "nut"]
at = [0, 0, 0]
axis = [1, 0, 0]
pitch = 0
[start]
rates = {"rail.position" = 1}
)");
  EXPECT_TRUE(says(check, "leave is 0 m/s: there rail itself is in the way")) << told(check);
}

// Rows have a comma in their names: in a list they are told by their joints.
TEST(ModelCheckSentences, RowsInAListCanBeTold) {
  const ModelCheck check = checked(edited(slider_crank, "axis = [1, 0]", "axis = [0, 1]"));
  EXPECT_TRUE(says(check, "depends on x of shaft, x of pin, x of wrist")) << told(check);
}

TEST(ModelCheckSentences, AFixedJointThatLocksIsNamed) {
  const ModelCheck check =
      checked(edited(slider_crank, "[joint.wrist]\ntype = \"revolute\"", "[joint.wrist]\ntype = \"fixed\""));
  EXPECT_TRUE(says(check, "joint wrist is fixed, and as a joint that lets its bodies turn")) << told(check);
}

TEST(ModelCheckSentences, AJointWithoutAtIsToldWhereItsBodiesMeet) {
  const ModelCheck check = checked(edited(slider_crank, "between = [\"rod\", \"piston\"]\nat = [0.4, 0]",
                                          "between = [\"rod\", \"piston\"]"));
  EXPECT_TRUE(says(check, "where rod and piston meet at the start, which is at = [0.4, 0]")) << told(check);
}

// By what a run looks at as well.
TEST(ModelCheckSentences, ARunNamesTheFormulaThatWillHaveNoValue) {
  const io::Model model = io::read_model_text(
      std::string(slider_crank) +
          "[force.f]\ntype = \"actuator\"\non = \"shaft.angle\"\nforce = \"1/(0.1 - t)\"\n",
      "test.toml");
  const std::vector<Finding> findings = io::quick_findings(model);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings.front().subject, "force f");
  EXPECT_NE(findings.front().text.find("from t = 0.1 s on"), std::string::npos) << findings.front().text;
}

// 9.81 m/ms^2 are 9.81e6 m/s^2: the number is that of the Earth in m/s^2.
TEST(ModelCheckSentences, GravityInAFileOfMilliseconds) {
  const ModelCheck check =
      checked(edited(slider_crank, "[body.crank]", "[units]\ntime = \"ms\"\n[body.crank]"), {});
  EXPECT_TRUE(says(check, "the number is that of the Earth in m/s2, and the file's unit of time is ms"))
      << told(check);
}

}  // namespace
}  // namespace driftless::model_checks
