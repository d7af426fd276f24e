// Units of what a run leaves: every header has one, those of the model's file, and a quantity has one name in all files.
#include <cmath>
#include <fstream>

#include "program.hpp"

namespace driftless::cli {
namespace {

using UnitsOfResults = Program;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Half a turn in a second, without gravity: the slider goes with 200 mm/s, 2 kg, so that its energy is 40 N mm.
const char* const file = R"(title = "two"
dimensions = 2
[units]
length = "mm"
angle = "deg"
[body.arm]
mass = 1
inertia = 1e4
spin = 180
[body.block]
mass = 2
inertia = 1e4
velocity = [200, 0]
[joint.pin]
type = "revolute"
between = ["ground", "arm"]
[joint.rail]
type = "prismatic"
between = ["ground", "block"]
axis = [1, 0]
[run]
t_end = 1
output = 0.5
[output]
columns = ["block.x", "block.vx", "arm.angle", "pin.fx", "energy.kinetic", "block.kinetic"]
)";

TEST_F(UnitsOfResults, AllFilesSpeakOneLanguage) {
  std::ofstream(folder() / "work" / "m.toml") << file;
  const Outcome o =
      run({"run", "m.toml", "--out", "r", "--event", "block.x:value=50", "--event", "t:value=0.25"});
  ASSERT_EQ(o.status, 0) << o.err;
  const Csv outputs(read("r/outputs.csv")), states(read("r/trajectory.csv"));
  EXPECT_EQ(lines_of(read("r/outputs.csv"))[0],
            "t [s],block.x [mm],block.vx [mm/s],arm.angle [deg],pin.fx [N],energy.kinetic [N "
            "mm],block.kinetic [N mm]");
  const std::string header = lines_of(read("r/trajectory.csv"))[0];
  EXPECT_TRUE(header.starts_with("t [s],arm.x [mm],arm.y [mm],arm.angle [deg],block.x [mm],")) << header;
  EXPECT_TRUE(contains(header, ",arm.spin [deg/s],block.vx [mm/s],")) << header;
  EXPECT_TRUE(contains(header, ",lambda[0] [N],")) << header;
  EXPECT_EQ(lines_of(read("r/events.csv"))[0], "event," + header);
  EXPECT_EQ(lines_of(read("r/steps.csv"))[0], "t [s],h [s],order,rejected");
  for (const std::string& unit : states.units) EXPECT_NE(unit, "");
  // The same name, the same number.
  for (const char* name : {"block.x", "block.vx", "arm.angle"})
    for (std::size_t row = 0; row < states.rows.size(); ++row)
      EXPECT_NEAR(states.value(row, name), outputs.value(row, name), 1e-9) << name;
  EXPECT_NEAR(states.value(2, "block.x"), 200, 1e-6);
  EXPECT_NEAR(states.value(2, "arm.angle"), 180, 1e-6);
  EXPECT_NEAR(outputs.value(2, "block.kinetic"), 40, 1e-6);
  // At 50 mm and at a quarter of a second: the same moment.
  const auto events = lines_of(read("r/events.csv"));
  ASSERT_EQ(events.size(), 3u);
  for (std::size_t i = 1; i < 3; ++i)
    EXPECT_TRUE(contains(events[i], ",0.25") || contains(events[i], ",0.24999")) << events[i];

  const Json json = Json::parse(read("r/run.json"));
  EXPECT_EQ(json["units"]["t"], "s");
  EXPECT_EQ(json["units"]["energy"], "N mm");
  EXPECT_EQ(json["units"]["q"], (Json{"mm", "mm", "deg", "mm", "mm", "deg"}));
  EXPECT_EQ(json["units"]["v"][2], "deg/s");
  EXPECT_NEAR(json["final"]["q"][3].get<double>(), 200, 1e-6);
  EXPECT_NEAR(json["energy"]["end"].get<double>(),
              json["outputs"]["values"]["energy.kinetic"]["value"].get<double>(), 1e-6);

  // One unit of energy in the summary.
  EXPECT_TRUE(contains(o.out, "N mm; balance")) << o.out;
  EXPECT_FALSE(contains(o.out, " J")) << o.out;
  EXPECT_TRUE(contains(o.out, "reached t = 1 s")) << o.out;
}

TEST_F(UnitsOfResults, ProblemsOfTheCatalogHaveNone) {
  const Json json = this->json({"run", "pendulum", "--t-end", "0.1", "--out", "r"});
  EXPECT_TRUE(json["units"].is_null());
  EXPECT_TRUE(lines_of(read("r/trajectory.csv"))[0].starts_with("t,x,y,"));
  EXPECT_EQ(lines_of(read("r/steps.csv"))[0], "t,h,order,rejected");
}

// A pendulum of 1 kg, 250 mm below its pin, J = 0.01 kg m^2: the square of the frequency is m g L/(J + m L^2).
TEST_F(UnitsOfResults, ModesAndPlots) {
  std::ofstream(folder() / "work" / "p.toml") << R"(title = "p"
dimensions = 2
gravity = [0, -9810]
[units]
length = "mm"
angle = "deg"
[body.bob]
mass = 1
inertia = 1e4
at = [0, -250]
[joint.pin]
type = "revolute"
between = ["ground", "bob"]
at = [0, 0]
)";
  const Outcome text = run({"modes", "p.toml"});
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "-250 mm")) << text.out;
  EXPECT_TRUE(contains(text.out, "bob.angle")) << text.out;
  const Json json = this->json({"modes", "p.toml", "--json"});
  EXPECT_EQ(json["units"]["q"], (Json{"mm", "mm", "deg"}));
  EXPECT_NEAR(json["at"]["q"][1].get<double>(), -250, 1e-6);
  EXPECT_NEAR(json["modes"][0]["frequency"].get<double>(), std::sqrt(9.81 * 0.25 / (0.01 + 0.25 * 0.25)),
              1e-5);
  ASSERT_EQ(
      run({"run", "p.toml", "--t-end", "0.1", "--out", "r", "--plot", "bob.x;energy;t|pin.angle"}).status, 0);
  EXPECT_TRUE(contains(read("r/bob_x.svg"), "bob.x [mm]"));
  EXPECT_TRUE(contains(read("r/bob_x.svg"), "t [s]"));
  EXPECT_TRUE(contains(read("r/energy.svg"), "[N mm]"));
}

}  // namespace
}  // namespace driftless::cli
