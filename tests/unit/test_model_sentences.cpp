// What a model file is refused with: one sentence, of the true cause, in words that a new user can act on. Each is a file that works, with one
// mistake in it.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include <driftless/io/model_file.hpp>

#include "support/slider_crank_text.hpp"

namespace driftless::tests {
namespace {

// With a parameter in the rod's length, and a joint whose name has a dash.
const std::string working =
    "title = \"Slider-crank\"\ndimensions = 2\ngravity = [0, -9.81]\n[parameters]\nlength = 0.3\nk = 2000\n" +
    edited(edited(slider_crank_parts, "to = [0.4, 0]", "to = [\"0.1 + length\", 0]"), "joint.pin",
           "joint.big-end") +
    R"([start]
positions = {"shaft.angle" = 1}
[drive.motor]
on = "shaft.angle"
motion = "1 + 30*t"
[force.gas]
type = "spring-damper"
on = "cylinder.position"
stiffness = "k"
[force.pad]
type = "actuator"
on = "cylinder.position"
force = "-k*cylinder.position"
)";

struct Case {
  const char* name;
  std::string old, now, sentence;
};

// clang-format off
const std::vector<Case> cases = {
  // Names: the file's own are known, those that are no names say what to write.
  {"parameter", "0.1 + length", "0.1 + lenght", "there is no name 'lenght' (did you mean length?)"},
  {"parameter of a force", "\"k\"", "\"2*kk\"", "there is no name 'kk' (did you mean k?)"},
  {"parameter of a motion", "30*t", "kk*t", "there is no name 'kk' (did you mean k?)"},
  {"all names", "0.1 + length", "0.1 + xyz", "known names are k, length, pi, e, and units such as"},
  {"degrees", "= 1}", "= \"60*degrees\"}", "formulas have no unit degrees; write deg"},
  {"metres", "length = 0.3", "length = \"0.3*metre\"", "formulas have no unit metre; write 1000*mm"},
  {"coordinate in a motion", "1 + 30*t", "cylinder.position", "a motion knows the time t alone"},
  {"dash", "-k*cylinder.position", "-k*big-end.angle", "'big-end.angle' cannot stand in a formula, where - subtracts"},
  {"power", "0.1 + length", "0.1 + length**2", "not '*'; powers are written with ^"},
  {"time in a mass", "mass = 1\n", "mass = \"1 + t\"\n", "the time t is known to motions and to formulas of forces"},
  {"ground", "\"ground\", \"crank\"", "\"world\", \"crank\"", "there is no body 'world' (did you mean ground?)"},
  {"words of a drive", "motion = \"1 + 30*t\"", "motion = \"1 + 30*t\"\njump = \"event\"", "there is no key 'jump' here (did you mean jumps?)"},
  {"words of a table", "\"1 + 30*t\"", "{points = [[0, 1], [1, 2]], interpolate = \"linear\"}", "there is no key 'interpolate' here (did you mean interpolation?)"},
  {"without a name", "[drive.motor]", "[drive]", "what stands under [drive] needs a name of its own; write [drive.NAME]"},
  {"without quotes", "\"shaft.angle\" = 1", "shaft.angle = 1", "write \"shaft.angle\", in quotes"},
  {"joint for a coordinate", "\"shaft.angle\" = 1", "shaft = 1", "'shaft' is the name of a joint, and that of a coordinate is expected"},
  // Nothing else is blamed for what is wrong.
  {"number for two", "from = [0.1, 0]", "from = [0.1, 0, 1]", "from leaves the plane: its third number is 1"},
  {"to is missing", "to = [0.1, 0]\n", "", "'to' is missing"},
  {"density", "mass = 0.05\nshape = {type = \"link\"}", "shape = {type = \"link\", density = -7850}", "density is -7850 (must be above 0)"},
  // The plane.
  {"gravity along z", "[0, -9.81]", "[0, 0, -9.81]", "in the plane y points up: write [0, -9.81]"},
  {"decimal comma", "[0, -9.81]", "[0, -9,81]", "if a decimal comma was meant, write [0, -9.81]"},
  {"rates", "inertia = 1e-3", "inertia = 1e-3\nrates = [0, 0, 1]", "rates is for bodies in space; in the plane it is spin, one number"},
  {"dimensions", "dimensions = 2", "dimensions = \"2D\"", "dimensions is '2D' (must be 2 or 3)"},
  {"on or between", "on = \"cylinder.position\"\nstiffness", "stiffness", "or, in a joint, on = \"JOINT.COORDINATE\""},
  // TOML.
  {"text", "\"prismatic\"", "prismatic", "text and formulas stand in quotes: \"prismatic\""},
  {"typographic", "\"prismatic\"", "\u201cprismatic\u201d", "the value begins with a typographic quote; write straight ones"},
  {"formula", "\"1 + 30*t\"", "30*t", "30*t is neither a number nor text; text and formulas stand in quotes: \"30*t\""},
  {"bare parameter", "\"k\"", "k", "text and formulas stand in quotes: \"k\""},
  {"bare unit", "[0.1, 0]", "[10*cm, 0]", "text and formulas stand in quotes: \"10*cm\""},
  {"open quote", "\"prismatic\"", "\"prismatic", "the quote that begins in this line is not closed in it"},
  {"comma in a number", "mass = 0.8", "mass = 0,8", "decimals stand behind a point"},
  {"point first", "mass = 0.8", "mass = .8", "write 0.8"},
  {"capital", "mass = 0.8", "mass = 0.8\nmassless = False", "False is written in small letters here"},
};
// clang-format on

TEST(ModelSentences, OneThatNamesTheCause) {
  EXPECT_NO_THROW(io::read_model_text(working, "working.toml"));
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    try {
      io::read_model_text(edited(working, one.old, one.now), "model.toml");
      ADD_FAILURE() << "read without a word";
    } catch (const io::ModelError& error) {
      EXPECT_NE(std::string(error.what()).find(one.sentence), std::string::npos) << error.what();
      EXPECT_EQ(error.faults().size(), 1u) << error.what();
    }
  }
}

}  // namespace
}  // namespace driftless::tests
