// --coordinates: the same results, whichever way a model is integrated.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "program.hpp"

namespace driftless::cli {
namespace {

const std::string models = std::string(DRIFTLESS_SOURCE_DIR) + "/models";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Coordinates : public Program {
 protected:
  std::string header(const std::string& file) {
    std::ifstream in(folder() / "work" / file);
    std::string line;
    std::getline(in, line);
    return line;
  }
};

TEST_F(Coordinates, RelativeOnesGiveTheSameResults) {
  const std::string file = models + "/four-bar.toml";
  const Json absolute = json({"run", file, "--t-end", "1", "--rtol", "1e-10", "--out", "a"});
  const Json relative =
      json({"run", file, "--t-end", "1", "--rtol", "1e-10", "--coordinates", "relative", "--out", "r"});
  EXPECT_EQ(absolute["method"]["coordinates"], "absolute");
  EXPECT_EQ(relative["method"]["coordinates"], "relative");
  for (const char* what : {"q", "v", "lambda"}) {
    ASSERT_EQ(absolute["final"][what].size(), relative["final"][what].size());
    for (std::size_t i = 0; i < absolute["final"][what].size(); ++i) {
      const double x = absolute["final"][what][i];
      EXPECT_NEAR(relative["final"][what][i], x, 1e-7 * (1 + std::abs(x))) << what << i;
    }
  }
  for (const char* name : {"/trajectory.csv", "/outputs.csv"})
    EXPECT_EQ(header(std::string("a") + name), header(std::string("r") + name));
}

TEST_F(Coordinates, EventsPlotsAndResumeInRelativeOnes) {
  const std::string file = models + "/four-bar.toml";
  const Json half = json({"run", file, "--t-end", "0.5", "--coordinates", "relative", "--event",
                          "crank.x:value=0.001", "--plot", "drift;energy;crank.x,crank.y", "--out", "half"});
  const Json bodies = json({"run", file, "--t-end", "0.5", "--event", "crank.x:value=0.001"});
  ASSERT_EQ(half["events"].size(), bodies["events"].size());
  for (std::size_t i = 0; i < half["events"].size(); ++i)
    EXPECT_NEAR(half["events"][i]["t"], bodies["events"][i]["t"], 1e-4);
  EXPECT_TRUE(fs::exists(folder() / "work" / "half" / "drift.svg"));
  const Json rest = json({"run", "--resume", "half", "--t-end", "1"});
  EXPECT_EQ(rest["method"]["coordinates"], "relative");
  const Json whole = json({"run", file, "--t-end", "1"});
  for (std::size_t i = 0; i < whole["final"]["q"].size(); ++i)
    EXPECT_NEAR(rest["final"]["q"][i], whole["final"]["q"][i], 1e-4);
  EXPECT_EQ(run({"run", "--resume", "half", "--t-end", "1", "--coordinates", "absolute"}).status, 2);
}

TEST_F(Coordinates, AutoSaysWhy) {
  ASSERT_EQ(run({"generate", "chain-loop", "--set", "N=10", "--out", "chain.toml"}).status, 0);
  const Json chain = json({"run", "chain.toml", "--t-end", "0.01", "--coordinates", "auto"});
  EXPECT_EQ(chain["method"]["coordinates"], "relative");
  EXPECT_TRUE(contains(chain["notes"].dump(),
                       "by joints 10 velocities and 2 constraints are left, by bodies 30 and 22"))
      << chain["notes"].dump();
  const Json bar = json({"run", models + "/four-bar.toml", "--t-end", "0.01", "--coordinates", "auto"});
  EXPECT_EQ(bar["method"]["coordinates"], "absolute");
}

// A plate on a cross that is made of two hinges and a massless ring.
const char* const hanging_plate = R"(title = "hanging plate"
gravity = [0, 0, -9.81]
[body.ring]
massless = true
[body.plate]
mass = 2
inertia = [0.02, 0.03, 0.05]
at = [0.1, 0.2, -0.5]
[joint.outer]
type = "revolute"
between = ["ground", "ring"]
axis = [1, 0, 0]
[joint.inner]
type = "revolute"
between = ["ring", "plate"]
axis = [0, 1, 0]
)";

TEST_F(Coordinates, MasslessBodiesAskForRelativeOnes) {
  std::ofstream(folder() / "work" / "plate.toml") << hanging_plate;
  std::ofstream(folder() / "work" / "absolute.toml")
      << hanging_plate << "[run]\ncoordinates = \"absolute\"\n";
  const std::string refusal =
      "body ring has no mass of its own, so that its accelerations do not follow from forces in absolute "
      "coordinates; use --coordinates relative";
  for (const Words& words : {Words{}, Words{"--coordinates", "auto"}}) {
    Words command = {"run", "plate.toml", "--t-end", "0.2", "--out", words.empty() ? "half" : "again"};
    command.insert(command.end(), words.begin(), words.end());
    const Json run = json(command);
    EXPECT_EQ(run["method"]["coordinates"], "relative");
    EXPECT_TRUE(contains(run["notes"].dump(), "relative coordinates: body ring has no mass of its own"))
        << run["notes"].dump();
  }
  const Json asked = json({"run", "plate.toml", "--t-end", "0.4", "--coordinates", "relative"}),
             rest = json({"run", "--resume", "half", "--t-end", "0.4"});
  EXPECT_FALSE(contains(asked["notes"].dump(), "has no mass")) << asked["notes"].dump();
  for (std::size_t i = 0; i < asked["final"]["q"].size(); ++i)
    EXPECT_NEAR(rest["final"]["q"][i], asked["final"]["q"][i], 1e-5);
  for (const Words& words :
       {Words{"run", "plate.toml", "--coordinates", "absolute"}, Words{"run", "absolute.toml"}}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(contains(outcome.err, refusal)) << outcome.err;
  }
  const Json check = json({"check", "plate.toml"});
  EXPECT_EQ(check["errors"], 0) << check["findings"].dump();
  EXPECT_EQ(check["motion"]["complete"], true);
  EXPECT_EQ(check["freedom"]["freedoms"], 2);
  EXPECT_TRUE(contains(json({"check", "absolute.toml"}, 1)["findings"].dump(), refusal));
  // Small oscillations about the place where the plate hangs below the origin: two of them.
  const Json modes = json({"modes", "plate.toml"});
  EXPECT_EQ(modes["modes"].size(), 2u);
}

TEST_F(Coordinates, WhatIsNotThereIsRefused) {
  const Outcome word = run({"run", models + "/four-bar.toml", "--coordinates", "relativ"});
  EXPECT_EQ(word.status, 2);
  EXPECT_TRUE(contains(word.err, "--coordinates is 'relativ' (must be absolute, relative or auto)"))
      << word.err;
  const Outcome problem = run({"run", "pendulum", "--coordinates", "relative"});
  EXPECT_EQ(problem.status, 2);
  EXPECT_TRUE(contains(problem.err, "is for model files, and pendulum is a problem")) << problem.err;
}

}  // namespace
}  // namespace driftless::cli
