// Tables in model files: they keep the shape of their points, and what a drive cannot do or a table does not know is said.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "program.hpp"

namespace driftless::cli {
namespace {

std::string on_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line, word;
  while (words >> word) line += (line.empty() ? "" : " ") + word;
  return line;
}

class Tables : public Program {
 protected:
  void write(const std::string& drive, const std::string& more = "", const std::string& t_end = "3") {
    std::ofstream(folder() / "work" / "m.toml")
        << "title = \"table\"\ndimensions = 2\n"
           "[body.b]\nat = [0, 0]\nmass = 1\ninertia = 1\n"
           "[joint.g]\ntype = \"prismatic\"\nbetween = [\"ground\", \"b\"]\n"
           "axis = [0, 1]\n"
           "[drive.d]\non = \"g.position\"\n"
        << drive << "\n"
        << more << "\n[run]\nt_end = " << t_end << "\noutput = 0.01\n[output]\ncolumns = [\"g.position\""
        << (more.empty() ? "" : ", \"tyre.force\"") << "]\n";
  }
  std::vector<double> column(const std::string& name) {
    const Csv csv(read("r/outputs.csv"));
    std::vector<double> values;
    for (std::size_t i = 0; i < csv.rows.size(); ++i) values.push_back(csv.value(i, name));
    return values;
  }
  std::vector<double> run_of(const std::string& name) {
    const Outcome outcome = run({"run", "m.toml", "--out", "r"});
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    said_ = on_one_line(outcome.out + outcome.err);
    const Csv csv(read("r/outputs.csv"));
    const auto found = std::find_if(csv.columns.begin(), csv.columns.end(),
                                    [&](const std::string& column) { return column.starts_with(name); });
    return column(*found);
  }
  bool said(const std::string& text) const { return said_.find(text) != std::string::npos; }
  std::string said_;
};

double largest(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}
double smallest(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

// Version 0.1.0: 5343 m.
TEST_F(Tables, ABumpRisesNoHigherThanItsPoints) {
  write(
      "motion = {points = [[0, 0], [0.5, 0], [0.52, 0.01], [0.55, 0.035], [0.6, 0.05], [0.65, 0.035], [0.68, "
      "0.01], "
      "[0.7, 0], [3, 0]]}");
  const std::vector<double> y = run_of("g.position");
  EXPECT_NEAR(largest(y), 0.05, 1e-6);
  EXPECT_GE(smallest(y), -1e-6);
  EXPECT_FALSE(said("jumps"));
}

// Version 0.1.0: 106 m.
TEST_F(Tables, AStepIsAStep) {
  write("motion = {points = [[0, 0], [1, 0], [1.01, 0.1], [3, 0.1]]}");
  const std::vector<double> y = run_of("g.position");
  EXPECT_NEAR(largest(y), 0.1, 1e-6);
  EXPECT_GE(smallest(y), -1e-6);
}

// Version 0.1.0: 43 kN. It pushes where it is pressed, and never pulls.
TEST_F(Tables, AOneSidedCurveStaysOneSided) {
  write("motion = \"-0.05 + 0.1*t\"",
        "[force.tyre]\ntype = \"spring-damper\"\non = \"g.position\"\nrest = 0\n"
        "curve = {points = [[-0.05, -10000], [-0.04, -8000], [-0.03, -6000], [-0.02, -4000], [-0.01, -2000], "
        "[-0.001, -200], [0, 0], [0.001, 0], [0.05, 0]]}",
        "1.2");
  const std::vector<double> force = run_of("tyre.force");
  EXPECT_NEAR(largest(force), 10000, 1e-3);
  EXPECT_GE(smallest(force), -1e-9);
  EXPECT_TRUE(said("force tyre: its curve was asked for a value at 0.051 m")) << said_;
  EXPECT_TRUE(said("beyond its points (-0.05 to 0.05 m), first at t = 1.01 s")) << said_;
  EXPECT_TRUE(said("and as far as 0.07 m; the end value is held there")) << said_;
}

TEST_F(Tables, WhatJumpsIsTold) {
  write("motion = {points = [[0, 0], [1, 0.1], [2, 0]], interpolation = \"linear\"}");
  const std::vector<double> y = run_of("g.position");
  const std::string sentence =
      "its rate jumps by -0.2 m/s at t = 1 s (from 0.1 to -0.1 m/s); it is blended from t = 0.975 to 1.025 "
      "s, which "
      "leads away from the points by up to 0.0009375 m; 1 more jump, the first at t = 2 s, is treated alike";
  EXPECT_TRUE(said("drive d: " + sentence)) << said_;
  EXPECT_TRUE(
      said("drive d: its table was asked for a value at 3 s, beyond its points (0 to 2 s); the end value is "
           "held there"))
      << said_;
  EXPECT_NEAR(largest(y), 0.1 - 0.0009375, 1e-6);
  EXPECT_NEAR(y.back(), 0, 1e-6);
  const Json check = json({"check", "m.toml", "--json"});
  std::vector<std::string> texts;
  for (const Json& finding : check["findings"]) texts.push_back(finding["text"]);
  EXPECT_TRUE(std::find(texts.begin(), texts.end(), sentence) != texts.end()) << check.dump(1);
  EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
    return text.starts_with("its table will be asked for a value at 3 s, beyond its points (0 to 2 s)");
  })) << check.dump(1);
}

TEST_F(Tables, FormulasThatJumpAreBlendedToo) {
  write("motion = \"0.1*abs(t - 1)\"\nblend = 0.02");
  const std::vector<double> y = run_of("g.position");
  EXPECT_NEAR(smallest(y), 0.1 * 3 / 16 * 0.02, 1e-6);
  EXPECT_TRUE(said(
      "drive d: its rate jumps by 0.2 m/s at t = 1 s (from -0.1 to 0.1 m/s); it is blended from t = 0.99 "
      "to 1.01 s, which leads away from the formula by up to 0.000375 m"))
      << said_;
}

TEST_F(Tables, JumpsMayBeEvents) {
  write("motion = {points = [[0, 0], [1, 0.1], [2, 0]], interpolation = \"linear\"}\njumps = \"event\"");
  const std::vector<double> y = run_of("g.position");
  EXPECT_NEAR(largest(y), 0.1, 1e-6);
  EXPECT_TRUE(said("it is passed as an event, with an impact")) << said_;
}

TEST_F(Tables, AnEndMayBeAnError) {
  write("motion = {points = [[0, 0], [2, 0.1]], outside = \"error\"}");
  const Outcome outcome = run({"run", "m.toml"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(on_one_line(outcome.out + outcome.err)
                .find("beyond its points (0 to 2 s), and its `outside` is \"error\""),
            std::string::npos)
      << outcome.out << outcome.err;
  EXPECT_EQ(run({"check", "m.toml"}).status, 1);
}

TEST_F(Tables, WrongWordsAreRefused) {
  const auto refusal = [&](const std::string& drive) {
    write(drive);
    const Outcome outcome = run({"run", "m.toml"});
    EXPECT_EQ(outcome.status, 2);
    return on_one_line(outcome.err);
  };
  const std::string points = "points = [[0, 0], [1, 1]]";
  const auto contains = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  contains(refusal("motion = {" + points + ", interpolation = \"cubic\"}"),
           "there is no interpolation \"cubic\"; there are pchip, linear, spline");
  contains(refusal("motion = {" + points + ", outside = \"helt\"}"),
           "there is no outside \"helt\"; there are hold, linear, error");
  contains(refusal("motion = {" + points + "}\njumps = \"evnt\""),
           "there is no jumps \"evnt\"; there are blend, event");
  contains(refusal("motion = {" + points + "}\njumps = \"event\"\nblend = 0.1"),
           "is not blended; leave blend out");
  contains(refusal("motion = {" + points + "}\nblend = 3"),
           "blend = 3 s is longer than the 1 s to the next point");
}

}  // namespace
}  // namespace driftless::cli
