// What notes say of the causes of things: true where the cause is known from theory, and silent where nothing is wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "support/model_runs.hpp"

namespace driftless::tests {
namespace {

std::string planar(const std::string& gravity, const std::string& rest) {
  return "title = \"test\"\ndimensions = 2\ngravity = " + gravity + "\n" + rest;
}

std::string body(const std::string& name, double x, double y, double to_x, double to_y) {
  return fmt::format(
      "[body.{}]\nfrom = [{:.17g}, {:.17g}]\nto = [{:.17g}, {:.17g}]\nmass = 1\ninertia = 0.1\n", name, x, y,
      to_x, to_y);
}

std::string pin(const std::string& name, const std::string& a, const std::string& b, double x, double y) {
  return fmt::format("[joint.{}]\ntype = \"revolute\"\nbetween = [\"{}\", \"{}\"]\nat = [{:.17g}, {:.17g}]\n",
                     name, a, b, x, y);
}

// Two cranks of 1 m, at an angle, with a coupler of 2 m, and a rod from the coupler to the ground that the linkage makes redundant but for
// its pin, which is `off` to one side. Energy stays what it is, since nothing but weights and rigid joints act.
Solution three_bars(double angle, double off, double t_end, const Method& method) {
  const double x = std::cos(angle), y = std::sin(angle);
  const std::string text = planar(
      "[0, -9.81]",
      body("p", 0, 0, x, y) + body("q", 2, 0, 2 + x, y) + body("c", x, y, 2 + x, y) +
          pin("A", "ground", "p", 0, 0) + pin("B", "p", "c", x, y) + pin("C", "c", "q", 2 + x, y) +
          pin("D", "ground", "q", 2, 0) +
          fmt::format(
              "[joint.T]\ntype = \"distance\"\nbetween = [\"ground\", \"c\"]\na = {{at = [{:.17g}, 0]}}\n"
              "b = {{at = [0, 0]}}\nlength = 1\n",
              1 + off));
  return run_model(io::read_model_text(text, "bars.toml"), Way::whole, {.t_end = t_end, .rtol = 1e-6},
                   method);
}

// Regularized multipliers let energy grow by ten powers of ten and go again: what is exchanged then is no measure of what may be lost.
TEST(TrueNotes, EnergyThatComesFromNowhereIsNoMeasure) {
  const Solution run = three_bars(0.7, 1e-6, 1, {.formulation = "direct-regularization"});
  ASSERT_TRUE(run.complete()) << run.end_message;
  ASSERT_GT(std::abs(run.energy->balance), 1);
  EXPECT_TRUE(has_note(run, "the energy balance was off by"));
  EXPECT_TRUE(has_note(run, "T, length can be left out"));
}

TEST(TrueNotes, NoSpringsAreBlamedWhereThereAreNone) {
  const Solution run = three_bars(0.7, 0, 1, {.formulation = "augmented-lagrangian"});
  ASSERT_TRUE(run.complete()) << run.end_message;
  ASSERT_GT(std::abs(run.energy->balance), 1e-2);
  EXPECT_TRUE(has_note(run, "energy balance"));
  EXPECT_FALSE(has_note(run, "springs"));
}

// The work of a shaken guide is known: its force is that of the masses on it. An interpolant of order 3 in steps of a sixth of a period is not on the
// guide, and its own work is off by a thousandth.
TEST(TrueNotes, WorkOfMovingConstraintsIsThatOfTheMotion) {
  const std::string text =
      planar("[0, -9.81]", "[body.slider]\nat = [0, 0]\nmass = 1\ninertia = 1\n" + body("rod", 0, 0, 0, 1) +
                               "[joint.guide]\ntype = \"prismatic\"\nbetween = [\"ground\", \"slider\"]\nat "
                               "= [0, 0]\naxis = [0, 1]\n" +
                               pin("pin", "slider", "rod", 0, 0) +
                               "[drive.shake]\non = \"guide.position\"\nmotion = \"0.001*sin(100*t)\"\n"
                               "[start]\nrates = {\"pin.angle\" = 0.1}\n");
  const io::Model model = io::read_model_text(text, "shaken.toml");
  for (const Way way : {Way::whole, Way::sparse}) {
    const Solution run = run_model(model, way, {.t_end = 0.2, .rtol = 1e-6},
                                   {.formulation = "ggl", .integrator = "radau5", .stabilizer = "none"});
    ASSERT_TRUE(run.complete()) << run.end_message;
    EXPECT_FALSE(has_note(run, "energy balance")) << name_of(way);
    EXPECT_LT(std::abs(run.energy->balance), 1e-6) << name_of(way);
  }
}

// Hinges of a four-bar in space whose axes are off by 1e-5 rad: rows that repeat others part as fast as the linkage turns, as they may.
TEST(TrueNotes, RedundantRowsMayPartInVelocitiesToo) {
  std::ifstream file(std::string(DRIFTLESS_SOURCE_DIR) + "/models/four-bar-in-space.toml");
  std::ostringstream lines;
  lines << "assembly_tolerance = 1e-4\n" << file.rdbuf();
  std::string text = lines.str();
  const std::string exact = "at = [\"ground\", \"rocker\", 0]\n";
  const auto at = text.find(exact);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, exact.size(),
               "a = {at = [\"coupler/2\", 0, 0], axis = [0, 0, 1]}\nb = {at = [0.75, 0, 0], axis = [1e-5, 0, "
               "1], x = [1, 0, "
               "0]}\n");
  const io::Model model = io::read_model_text(text, "tilted.toml");
  for (const Method& method :
       {Method{}, Method{.formulation = "ggl", .integrator = "bdf", .stabilizer = "none"}}) {
    const Solution run = run_model(model, Way::whole, {.t_end = 0.7, .rtol = 1e-8}, method);
    ASSERT_TRUE(run.complete()) << run.end_message;
    EXPECT_GT(run.drift->velocity, 1e-5) << method.formulation;
    EXPECT_FALSE(has_note(run, "in its velocities")) << method.formulation;
  }
}

// A rod that a redundant one holds still by a hair: nothing moves, and multipliers of roundoff divided by little do not matter.
TEST(TrueNotes, MechanismsAtRestAreNotMovedByMultipliers) {
  for (const double off : {1e-6, 3e-5, 1e-3}) {
    const Solution run = three_bars(std::acos(-1.0) / 2, off, 1,
                                    {.formulation = "ggl", .integrator = "bdf", .stabilizer = "none"});
    ASSERT_TRUE(run.complete()) << run.end_message;
    EXPECT_LT(run.final.z.tail(9).lpNorm<Eigen::Infinity>(), 1e-9) << off;
    EXPECT_FALSE(has_note(run, "as fast as the motion")) << off;
  }
}

Solution oscillator(Way way, double damping, const Method& method) {
  const std::string text = planar(
      "[0, -9.81]",
      "[body.b]\nat = [0, 0]\nmass = 1\ninertia = 1\n[joint.s]\ntype = \"prismatic\"\nbetween = [\"ground\", "
      "\"b\"]\n"
      "axis = [0, 1]\n[force.f]\ntype = \"spring-damper\"\non = \"s.position\"\nstiffness = 1e8\nrest = 0\n" +
          fmt::format("damping = {}\n", damping));
  return run_model(io::read_model_text(text, "spring.toml"), way, {.t_end = 0.2, .rtol = 1e-6}, method);
}

// sqrt(k/m) = 1e4 / s, a period of 6.3e-4 s; with 2 sqrt(k m) = 2e4 N s/m it settles within 1e-4 s.
TEST(TrueNotes, WhatVibratesDoesNotSettle) {
  for (const Way way : {Way::whole, Way::relative})
    for (const char* integrator : {"dopri5", "dop853"}) {
      const Solution run = oscillator(
          way, 0, {.integrator = integrator, .stabilizer = way == Way::relative ? "none" : "post"});
      ASSERT_TRUE(run.complete()) << run.end_message;
      EXPECT_FALSE(has_note(run, "settles")) << name_of(way) << integrator;
      EXPECT_FALSE(has_note(run, "roundoff")) << name_of(way) << integrator;
      const bool rejects = run.work.steps >= 1000 && run.work.rejected > run.work.steps / 5;
      EXPECT_EQ(has_note(run, "vibrates with a period of about 0.0006 s"), rejects)
          << name_of(way) << integrator;
    }
  EXPECT_TRUE(has_note(oscillator(Way::whole, 2e4, {}), "settles within about 0.0001 s"));
}

TEST(TrueNotes, ALockedBodyIsNotBesideASingularConfiguration) {
  const std::string text = planar("[0, -9.81]",
                                  "[body.b]\nat = [0, 0]\nmass = 1\ninertia = 1\n"
                                  "[joint.a]\ntype = \"fixed\"\nbetween = [\"ground\", \"b\"]\n"
                                  "[joint.c]\ntype = \"fixed\"\nbetween = [\"ground\", \"b\"]\n");
  const Solution run = run_model(io::read_model_text(text, "locked.toml"), Way::whole, {.t_end = 1},
                                 {.formulation = "augmented-lagrangian"});
  ASSERT_TRUE(run.complete()) << run.end_message;
  EXPECT_FALSE(has_note(run, "near to singular ones"));
  EXPECT_TRUE(has_note(run, "redundant at the start"));
}

// Three bars between (0, 0) and (far, 0), their pins at heights `up` and 1.5 `up`.
io::Model flat_bars(double up, double second, double far, const std::string& gravity,
                    const std::string& more = "") {
  return io::read_model_text(
      planar(gravity, body("a", 0, 0, 1, up) + more + body("b", 1, up, second, 1.5 * up) +
                          body("c", far, 0, second, 1.5 * up) + pin("A", "ground", "a", 0, 0) +
                          pin("B", "a", "b", 1, up) + pin("C", "b", "c", second, 1.5 * up) +
                          pin("D", "ground", "c", far, 0)),
      "flat.toml");
}

TEST(TrueNotes, WhatMayHappenAtSingularStarts) {
  const Solution still = run_model(flat_bars(0, 3, 2, "[0, 0]"), Way::whole, {.t_end = 1});
  EXPECT_TRUE(has_note(still, "it stays where it is"));
  EXPECT_FALSE(has_note(still, "roundoff decides"));
  // Stretched, but for a millionth: no motions meet there.
  const Solution arch = run_model(flat_bars(1e-6, 2.5, 3.7, "[0, -9.81]"), Way::whole, {.t_end = 1e-4});
  EXPECT_TRUE(has_note(arch, "can hardly move there"));
  EXPECT_FALSE(has_note(arch, "motions that meet there"));
}

TEST(TrueNotes, VelocitiesThatAStretchedMechanismCannotHave) {
  try {
    run_model(flat_bars(0, 2.5, 3.7, "[0, -9.81]", "velocity = [0, 1]\nspin = 2\n"), Way::whole,
              {.t_end = 1});
    ADD_FAILURE() << "was not refused";
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "cannot move, and its velocities ask it to")) << error.what();
    EXPECT_FALSE(contains(error.what(), "give velocities of one")) << error.what();
  }
}

}  // namespace
}  // namespace driftless::tests
