// driftless modes: tables for people, one JSON document for scripts, and what happens where there is no rest.
#include <cmath>

#include "program.hpp"

namespace driftless::cli {
namespace {

using ModesCommand = Program;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// m s^2 + c s + m gravity/length = 0 with length 1, gravity 1.
TEST_F(ModesCommand, JsonOfADampedPendulum) {
  const Json found = json({"modes", "pendulum", "--set", "c=0.2"});
  for (const char* field : {"problem", "parameters", "at", "equilibrium", "residual", "modes", "verdict",
                            "explanation", "notes", "version"})
    EXPECT_TRUE(found.contains(field)) << field;
  EXPECT_EQ(found["problem"], "pendulum");
  EXPECT_EQ(found["equilibrium"], true);
  EXPECT_EQ(found["verdict"], "stable");
  EXPECT_NEAR(found["at"]["q"][1].get<double>(), -1, 1e-14);
  EXPECT_NEAR(found["at"]["lambda"][0].get<double>(), 1, 1e-13);
  ASSERT_EQ(found["modes"].size(), 1u);
  const Json& mode = found["modes"][0];
  EXPECT_NEAR(mode["real"].get<double>(), -0.1, 1e-13);
  EXPECT_NEAR(mode["imag"].get<double>(), std::sqrt(0.99), 1e-13);
  EXPECT_NEAR(mode["frequency"].get<double>(), 1, 1e-13);
  EXPECT_NEAR(mode["damping"].get<double>(), 0.1, 1e-13);
  EXPECT_EQ(mode["count"], 2);
  EXPECT_EQ(mode["kind"], "decaying");
  EXPECT_EQ(mode["shape"]["q"]["x"][0], 1);
  EXPECT_NEAR(mode["shape"]["v"]["vx"][1].get<double>(), std::sqrt(0.99), 1e-13);
}

TEST_F(ModesCommand, TablesInEightyColumns) {
  for (const Words& words :
       {Words{"modes", "four-bar"}, Words{"modes", "closed-chain"}, Words{"modes", "flyball"},
        Words{"modes", "jerk-sphere"}, Words{"modes", "heavy-top", "--at", "start"}}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    for (const std::string& line : lines_of(outcome.out)) EXPECT_LE(line.size(), 80u) << line;
    EXPECT_TRUE(contains(outcome.out, "\nverdict "));
  }
  const std::string text = run({"modes", "double-pendulum"}).out;
  for (const char* part : {"equilibrium at t = 0", "  y2           -2\n", "of second rod", "moves most",
                           "x2 1, x1 0.41", "stable: the energy"})
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
  EXPECT_FALSE(fs::exists(folder() / "work/results"));
}

TEST_F(ModesCommand, UnstableAndFreeAreNamed) {
  const Json up =
      json({"modes", "double-pendulum", "--set", "phi1=3", "--set", "phi2=3", "--search", "newton"});
  EXPECT_EQ(up["verdict"], "unstable");
  EXPECT_TRUE(contains(up["explanation"], "eigenvalue +5.787")) << up["explanation"];
  const Json top = json({"modes", "heavy-top"});
  EXPECT_EQ(top["verdict"], "undecided");
  EXPECT_EQ(top["modes"][0]["kind"], "free");
}

// By the tangent coordinate of the unit pendulum, x = sin(phi - phi0): s^2 = -cos phi - phi'^2.
TEST_F(ModesCommand, AtAnyTime) {
  const Json found = json({"modes", "pendulum", "--at", "0.7"});
  EXPECT_EQ(found["equilibrium"], false);
  EXPECT_EQ(found["verdict"], "not an equilibrium");
  EXPECT_EQ(found["at"]["t"], 0.7);
  const double y = found["at"]["q"][1], vx = found["at"]["v"][0], vy = found["at"]["v"][1];
  ASSERT_EQ(found["modes"].size(), 2u);
  // cos phi = -y and phi'^2 = |v|^2 on the unit circle: s^2 = y - |v|^2
  EXPECT_NEAR(std::pow(found["modes"][0]["real"].get<double>(), 2), y - vx * vx - vy * vy, 1e-9);
  EXPECT_EQ(json({"modes", "pendulum", "--at", "0"})["at"]["q"],
            json({"modes", "pendulum", "--at", "start"})["at"]["q"]);
}

TEST_F(ModesCommand, NoEquilibriumIsStatusOne) {
  const Outcome outcome = run({"modes", "001-kepler"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(lines_of(outcome.err).size(), 1u);
  EXPECT_TRUE(contains(outcome.err, "no equilibrium was found")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "--at start")) << outcome.err;
}

}  // namespace
}  // namespace driftless::cli
