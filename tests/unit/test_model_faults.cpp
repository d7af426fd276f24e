// Bad model files: every fault is told with its line, its path, the value and what was expected, several at once; nothing else happens.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include <driftless/io/model_file.hpp>

#include "fuzz/model_file.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

using io::ModelError;
using io::read_model_text;

// A body and a joint, so that a case needs to say only what is wrong.
const std::string good = R"(title = "t"
dimensions = 2
[body.rod]
mass = 1
inertia = 1
[joint.pin]
type = "revolute"
between = ["ground", "rod"]
)";

std::vector<io::ModelFault> faults_of(const std::string& text) {
  try {
    read_model_text(text, "m.toml");
  } catch (const ModelError& error) {
    return error.faults();
  }
  return {};
}

struct Case {
  std::string text, path, says;
  int line;  // 0: any
};

TEST(ModelFaults, AreToldWithLinePathAndValue) {
  ASSERT_TRUE(faults_of(good).empty());
  const Case cases[] = {
      {"title = 3\n[body.b]\nmass = 1\ninertia = [1, 1, 1]", "title",
       "the number 3 is given where text is expected", 1},
      {"[body.b]\nmass = 1\ninertia = [1, 1, 1]", "", "'title' is missing", 1},
      {"title = \"t\"", "", "there is no body", 1},
      {"title = \"t\"\nbody = 3", "body", "the number 3 is given where a table is expected", 2},
      {good + "bogus = 1", "joint.pin.bogus", "there is no key 'bogus' here", 9},
      {good + "[bod.x]\nmass = 1", "bod", "did you mean body", 9},
      {good + "[body.a]\nmass = 0\ninertia = 1", "body.a.mass", "mass is 0 (must be above 0)", 10},
      {good + "[body.a]\nmass = \"-2*1\"\ninertia = 1", "body.a.mass", "mass is -2 (must be above 0)", 10},
      {good + "[body.a]\ninertia = 1", "body.a", "'mass' is missing", 9},
      {good + "[body.a]\nmassless = true", "body.a.massless", "only bodies in space", 10},
      {good + "[body.a]\ndimensions = 3\nmassless = true\nmass = 1", "body.a.mass", "leave one of them out",
       12},
      {good + "[body.a]\nmass = 1", "body.a", "'inertia' is missing", 9},
      {good + "[body.a]\nmass = inf\ninertia = 1", "body.a.mass", "not finite", 10},
      {good + "[body.a]\nmass = nan\ninertia = 1", "body.a.mass", "not finite", 10},
      {good + "[body.a]\nmass = true\ninertia = 1", "body.a.mass", "true is given where a number", 10},
      {good + "[body.a]\nmass = 2020-01-01\ninertia = 1", "body.a.mass", "a date or time is given", 10},
      {good + "[body.a]\nmass = \"2*\"\ninertia = 1", "body.a.mass", "'2*'", 10},
      {good + "[body.a]\nmass = \"weight\"\ninertia = 1", "body.a.mass", "weight", 10},
      {good + "[body.a]\nmass = 1\ninertia = 1\nat = [1]", "body.a.at", "a list of 1 is given", 12},
      {good + "[body.a]\nmass = 1\ninertia = 1\nat = [1, 2, 3]", "body.a.at", "leaves the plane", 12},
      {good + "[body.a]\nmass = 1\ninertia = 1\nat = [1, \"x\"]", "body.a.at[1]", "'x'", 12},
      {good + "[body.a]\ndimensions = 4\nmass = 1\ninertia = 1", "body.a.dimensions", "must be 2 or 3", 10},
      {good + "[body.a]\ndimensions = 3\nmass = 1\ninertia = [1, -1, 1]", "body.a.inertia",
       "each must be above 0", 12},
      {good + "[body.a]\nmass = 1\ninertia = 1\nfrom = [0, 0]", "body.a", "'to' is missing", 9},
      {good + "[body.a]\nmass = 1\ninertia = 1\nfrom = [1, 1]\nto = [1, 1]", "body.a.to", "the same point",
       13},
      {good + "[body.a]\nmass = 1\nshape = {type = \"cube\"}", "body.a.shape.type",
       "there is no shape 'cube'", 11},
      {good + "[body.a]\nmass = 1\nshape = {type = \"box\", size = [1, 0, 1]}", "body.a.shape.size",
       "three positive edges", 11},
      {good + "[body.a]\ndensity = 1\nmass = 1\nshape = {type = \"sphere\", radius = 1}", "body.a.mass",
       "mass and density are both given", 11},
      {good + "[body.a]\nmass = 1\nshape = {type = \"sphere\", radius = 1, color = \"red\"}",
       "body.a.shape.color", "#rrggbb", 11},
      {good + "[body.ground]\nmass = 1\ninertia = 1", "body.ground", "the name 'ground' is taken", 9},
      {good + "[body.pin]\nmass = 1\ninertia = 1", "joint.pin", "the name 'pin' is taken by a body", 6},
      {good + "[body.\"a.b\"]\nmass = 1\ninertia = 1", "body.'a.b'", "has a dot", 9},
      {good + "[joint.q]\nbetween = [\"ground\", \"rod\"]", "joint.q", "'type' is missing", 9},
      {good + "[joint.q]\ntype = \"hinge\"\nbetween = [\"ground\", \"rod\"]", "joint.q.type",
       "there is no joint type 'hinge'", 10},
      {good + "[joint.q]\ntype = \"revolute\"", "joint.q", "'between' is missing", 9},
      {good + "[joint.q]\ntype = \"revolute\"\nbetween = [\"rod\"]", "joint.q.between",
       "names 1 bodies (must be 2)", 11},
      {good + "[joint.q]\ntype = \"revolute\"\nbetween = [\"rod\", \"rodd\"]", "joint.q.between",
       "there is no body 'rodd' (did you mean rod?)", 11},
      {good + "[joint.q]\ntype = \"revolute\"\nbetween = [\"rod\", \"rod\"]", "joint.q", "itself", 9},
      {good + "[joint.q]\ntype = \"spherical\"\nbetween = [\"ground\", \"rod\"]", "joint.q",
       "is for spatial bodies", 9},
      {good + "[joint.q]\ntype = \"revolute\"\nbetween = [\"ground\", \"rod\"]\na = {}", "joint.q",
       "'b' is missing", 9},
      {good + "[joint.q]\ntype = \"prismatic\"\nbetween = [\"ground\", \"rod\"]\naxis = [0, 0]",
       "joint.q.axis", "no direction", 12},
      {good + "[joint.q]\ntype = \"gear\"\njoints = [\"pin\", \"pint\"]\nratio = 2", "joint.q.joints",
       "there is no joint 'pint' (did you mean pin?)", 11},
      {good + "[joint.q]\ntype = \"gear\"\njoints = [\"pin\"]\nratio = 2", "joint.q.joints",
       "names 1 of them", 11},
      {good + "[force.f]\ntype = \"spring-damper\"\non = \"pin.angel\"\nstiffness = 1", "force.f.on",
       "it has angle", 11},
      {good + "[force.f]\ntype = \"spring-damper\"\non = \"pin\"\nstiffness = 1", "force.f.on",
       "no coordinate", 11},
      {good + "[force.f]\ntype = \"actuator\"\non = \"pin.angle\"\nforce = \"pin.angl\"", "force.f.force",
       "pin.angl", 12},
      {good + "[force.f]\ntype = \"actuator\"\nbetween = [\"ground\", \"rod\"]\nforce = 1", "force.f.between",
       "acts in a joint", 11},
      {good + "[force.f]\ntype = \"friction\"\non = \"pin.angle\"", "force.f", "coefficient", 9},
      {good + "[force.f]\ntype = \"spring-damper\"\non = \"pin.angle\"\ncurve = {points = [[0, 0]]}",
       "force.f.curve", "1 point", 12},
      {good +
           "[force.f]\ntype = \"spring-damper\"\non = \"pin.angle\"\ncurve = {file = \"../../etc/passwd\"}",
       "force.f.curve", "outside of the model's folder", 12},
      {good + "[force.f]\ntype = \"spring-damper\"\non = \"pin.angle\"\ncurve = {file = \"nowhere.csv\"}",
       "force.f.curve", "cannot be read", 12},
      {good + "[drive.d]\non = \"pin.angle\"", "drive.d", "'motion' is missing", 9},
      {good + "[drive.d]\non = \"pin.angle\"\nmotion = \"sin(x)\"", "drive.d.motion", "x", 11},
      {good + "[drive.d]\nmotion = 1", "drive.d", "'on' is missing", 9},
      {good + "[start]\nhold = [\"pin.angel\"]", "start", "it has angle", 9},
      {good + "[start]\nrates = {\"pan.angle\" = 1}", "start", "did you mean pin", 9},
      {good + "[joint.q]\ntype = \"revolute\"\nbetwen = [\"ground\", \"rod\"]", "joint.q",
       "is 'betwen' meant for it?", 9},
      {good + "[output]\ncolumns = [\"rod.x\", \"rodd.x\"]", "output.columns", "did you mean rod.x", 10},
      {good + "[expect]\n\"*.x\" = {at = 1, value = 2, tolerance = 1}", "expect.'*.x'", "name one", 10},
      {good + "[start]\nhold = [\"rod.z\"]", "start", "it has x, y and angle", 9},
      {good + "[body.\"a, b\"]\nmass = 1\ninertia = 1", "body.'a, b'", "no commas", 9},
      {good + "[force.f]\ntype = \"friction\"\non = \"pin.angle\"\ncoefficient = -1", "force.f.coefficient",
       "coefficient = -1", 12},
      {good + "[run]\nstep = 0.1\nrtol = 1e-6", "run.step", "either a step or tolerances", 10},
      {good + "[run]\nt_end = -1", "run.t_end", "t_end is -1 (must be above 0)", 10},
      {good + "[expect]\n\"rod.x\" = {at = 1, value = 2}", "expect.'rod.x'", "'tolerance' is missing", 10},
      {good + "[units]\nlength = \"miles\"", "units.length", "there are m, km", 10},
      {good + "[parameters]\na = \"b\"\nb = \"c + a\"\nc = 1", "parameters.b", "depends on itself", 11},
      {good + "[parameters]\n\"2a\" = 1", "parameters.2a", "begins with a letter", 10},
      {good + "[parameters]\nt = 1", "parameters.t", "has a meaning in every formula", 10},
      {good + "mass = 1\nmass = 2", "", "this is not TOML", 10},
      {good + "[body.rod]\nmass = 1", "", "this is not TOML", 9},
      {good + "x = [1, 2", "", "this is not TOML", 0},
      {good + "[;;;body.a]\nmass = 1", "", "this is not TOML", 9},
  };
  for (const Case& c : cases) {
    const auto faults = faults_of(c.text);
    bool found = false;
    std::string all;
    for (const auto& fault : faults) {
      all += fmt::format("{}:{} {}: {}\n", fault.line, fault.column, fault.path, fault.message);
      found = found || (contains(fault.message, c.says) && fault.path == c.path &&
                        (c.line == 0 || fault.line == c.line));
    }
    EXPECT_TRUE(found) << "expected " << c.line << " " << c.path << ": " << c.says << "\nfound\n"
                       << all << "of\n"
                       << c.text;
  }
}

TEST(ModelFaults, SeveralAtOnceInTheOrderOfTheFile) {
  const std::string text = complaint([] {
    read_model_text(
        "title = \"t\"\n[body.a]\nmass = -1\n[body.b]\nmass = 1\ninertia = true\n[joint.j]\ntype = "
        "\"revolute\"\nbetween = [\"a\", \"b\"]\n",
        "m.toml");
  });
  EXPECT_TRUE(contains(text, "m.toml:3:8: body.a.mass: mass is -1"));
  EXPECT_TRUE(contains(text, "m.toml:6:"));
  EXPECT_EQ(text.find("joint.j"), std::string::npos)
      << "a broken body makes no fault of the joint that names it\n"
      << text;
  EXPECT_LT(text.find("m.toml:3"), text.find("m.toml:6"));
  std::string many = "title = \"t\"\n[body.a]\nmass = 1\ninertia = [1, 1, 1]\n";
  for (int i = 0; i < 50; ++i) many += fmt::format("key{} = 1\n", i);
  EXPECT_TRUE(contains(complaint([&] { read_model_text(many, "m.toml"); }), ".. and 30 more"));
}

// A file that was cut anywhere is refused or read, and never does harm.
TEST(ModelFaults, FilesThatWereCut) {
  for (const char* name : {"four-bar.toml", "stewart-platform.toml", "scissor-lift.toml"}) {
    std::ifstream file(std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "models" / name);
    std::stringstream whole;
    whole << file.rdbuf();
    const std::string text = whole.str();
    ASSERT_GT(text.size(), 500U) << name;
    for (std::size_t end = 0; end < text.size(); end += 1 + end / 100)
      fuzz::read_as_model(std::string_view(text).substr(0, end));
  }
}

// Every value of some files replaced by odd ones: refused or read, and never more than that.
TEST(ModelFaults, OddValuesInPlaceOfEveryOne) {
  int tried = 0;
  for (const char* name : {"four-bar.toml", "cam-follower.toml", "double-wishbone.toml"}) {
    std::ifstream file(std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "models" / name);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto equals = lines[i].find(" = ");
      if (equals == std::string::npos || lines[i][0] == '#') continue;
      for (const char* odd :
           {"true", "nan", "-1", "0", "1e308", "\"x\"", "\"\"", "[]", "{}", "[[1, 2], 3]"}) {
        std::string text;
        for (std::size_t k = 0; k < lines.size(); ++k)
          text += (k == i ? lines[i].substr(0, equals) + " = " + odd : lines[k]) + "\n";
        fuzz::read_as_model(text);
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 1000);
}

TEST(ModelFaults, WhatTheFuzzerFoundIsReadOrRefused) {
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(DRIFTLESS_SOURCE_DIR) /
                                                              "tests/fuzz/corpus")) {
    std::ifstream in(file.path(), std::ios::binary);
    std::stringstream bytes;
    bytes << in.rdbuf();
    fuzz::read_as_model(bytes.str());
    ++files;
  }
  EXPECT_GT(files, 10);
}

TEST(ModelFaults, HugeAndNoisyFilesAreRefusedSoon) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  std::string noise(20'000'000, ' ');
  std::uint64_t state = 1;
  for (char& c : noise) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    c = static_cast<char>(state >> 56);
  }
  EXPECT_TRUE(contains(complaint([&] { read_model_text(noise, "m.toml"); }), "this is not TOML"));
  EXPECT_FALSE(fuzz::read_as_model(std::string(1'000'000, '[')));
  EXPECT_FALSE(fuzz::read_as_model("title = \"" + std::string(10'000'000, 'x')));
  std::string bodies = "title = \"t\"\ndimensions = 2\n";
  for (int i = 0; i < 100'001; ++i) bodies += fmt::format("[body.b{}]\nmass = 1\ninertia = 1\n", i);
  EXPECT_TRUE(
      contains(complaint([&] { read_model_text(bodies, "m.toml"); }), "have 300003 velocities (limit"));
  std::string deep = "1";
  for (int i = 0; i < 1000; ++i) deep = "(" + deep + ")";
  EXPECT_FALSE(fuzz::read_as_model(good + "[parameters]\na = \"" + deep + "\""));
  std::string chain = good + "[parameters]\np0 = 1\n";
  for (int i = 1; i < 20'000; ++i) chain += fmt::format("p{} = \"p{} + 1\"\n", i, i - 1);
  EXPECT_TRUE(fuzz::read_as_model(chain));
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - begin).count(), 60) << "and none of them takes long";
}

TEST(ModelFaults, FilesThatCannotBeRead) {
  EXPECT_TRUE(contains(complaint([] { io::read_model("nowhere/m.toml"); }), "cannot be read"));
  EXPECT_TRUE(
      contains(complaint([] { io::read_model(std::filesystem::temp_directory_path()); }), "is a folder"));
}

// What cannot be assembled says which joint cannot be closed.
TEST(ModelFaults, ImpossibleAssembly) {
  const io::Model model = read_model_text(good + R"([joint.far]
type = "revolute"
between = ["ground", "rod"]
a = {at = [5, 0]}
b = {at = [1, 0]}
)",
                                          "m.toml");
  EXPECT_TRUE(contains(complaint([&] { model.mechanism.assembled(model.closing); }), "far"));
}

}  // namespace
}  // namespace driftless::tests
