// The same for every size, whatever the formulation and the integrator: a rod under gravity from a micrometre to a million kilometres. And redundant
// rows that are off by rounded coordinates, where positions alone are imposed: they keep their offset, and no step makes velocities of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "support/model_runs.hpp"

namespace driftless::tests {
namespace {

constexpr double gravity = 9.81, part = 1.1;  // of sqrt(L)

io::Model rod(double L) {
  return io::read_model_text(fmt::format(R"(
title = "test"
dimensions = 2
gravity = [0, {0}]
[body.rod]
at = [{1}, 0]
mass = 1.2
inertia = {2}
[joint.pivot]
type = "revolute"
between = ["ground", "rod"]
at = [0, 0]
)",
                                         -gravity, L / 2, 0.1 * L * L),
                             "rod.toml");
}

// theta'' = -(3 g / 2 L) cos theta from rest at theta = 0: classical Runge-Kutta in the time t/sqrt(L), to roundoff.
double exact_angle() {
  constexpr int steps = 20000;
  constexpr double h = part / steps;
  const auto a = [](double angle) { return -1.5 * gravity * std::cos(angle); };
  double x = 0, v = 0;
  for (int i = 0; i < steps; ++i) {
    const double k1 = a(x), k2 = a(x + h / 2 * v), k3 = a(x + h / 2 * v + h * h / 4 * k1),
                 k4 = a(x + h * v + h * h / 2 * k2);
    x += h * v + h * h / 6 * (k1 + k2 + k3);
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return x;
}

TEST(ScalesOfFormulations, ARodOfEverySizeFallsAlike) {
  const double angle = exact_angle();
  for (const char* integrator : {"bdf", "radau5", "generalized-alpha"})
    for (const char* formulation :
         {"index2", "index3", "ggl", "projected-invariants", "stabilized-index1", "overdetermined-index1",
          "overdetermined-index2", "baumgarte", "augmented-lagrangian"}) {
      const std::string f = formulation, i = integrator;
      if (i == "generalized-alpha" && f != "index3" && f != "ggl") continue;
      if (i == "radau5" && f.starts_with("overdetermined")) continue;
      // Gains are rates, in 1/s: of a fall that takes an hour feedback of 5/s is stiff, and only projection keeps bdf from following its roundoff.
      const bool feedback = f == "baumgarte" || f == "augmented-lagrangian";
      const Method method{.formulation = f, .integrator = i, .stabilizer = feedback ? "post" : "none"};
      const auto run = [&](double L, Way way) {
        return run_model(rod(L), way, {.t_end = part * std::sqrt(L), .rtol = 1e-6}, method);
      };
      const long usual = run(1, Way::whole).work.steps;
      for (const double L : {1e-6, 1e7, 1e9})
        for (const Way way : {Way::whole, Way::sparse}) {
          if (way == Way::sparse && f != "ggl") continue;
          SCOPED_TRACE(fmt::format("{} + {}, {} m, {}", f, i, L, name_of(way)));
          const Solution fallen = run(L, way);
          ASSERT_TRUE(fallen.complete()) << fallen.end_message;
          EXPECT_NEAR(fallen.final.q()(2), angle, 1e-4);
          EXPECT_NEAR(fallen.final.q().head(2).norm() / L, 0.5, 1e-6);
          EXPECT_LT(fallen.work.steps, 5 * usual);
        }
    }
}

// A four-bar in space with one axis off by `off` across the plane, in rows that others imply: it moves like the one that fits.
io::Model four_bar(double off) {
  return io::read_model_text(fmt::format(R"(
title = "test"
gravity = [0, -9.81, 0]
[body.crank]
from = [0, 0, 0]
to = [0, 1, 0]
mass = 1
inertia = [1e-3, 0.0833, 0.0833]
[body.coupler]
from = [0, 1, 0]
to = [2, 1.5, 0]
mass = 2
inertia = [2e-3, 0.7, 0.7]
[body.rocker]
from = [2, 0, 0]
to = [2, 1.5, 0]
mass = 1.5
inertia = [1e-3, 0.28, 0.28]
[joint.A]
type = "revolute"
between = ["ground", "crank"]
at = [0, 0, 0]
[joint.B]
type = "revolute"
between = ["crank", "coupler"]
at = [0, 1, 0]
[joint.C]
type = "revolute"
between = ["coupler", "rocker"]
a = {{at = ["hypot(2, 0.5)/2", 0, 0], axis = [0, 0, 1]}}
b = {{at = [0.75, 0, {}], axis = [0, 0, 1], x = [1, 0, 0]}}
[joint.D]
type = "revolute"
between = ["ground", "rocker"]
at = [2, 0, 0]
[start]
rates = {{"A.angle" = -2}}
)",
                                         off),
                             "four_bar.toml");
}

TEST(ScalesOfFormulations, OffsetsOfRedundantRowsMakeNoVelocities) {
  const Options options{.t_end = 0.7, .rtol = 1e-6};
  for (const char* integrator : {"radau5", "bdf", "generalized-alpha"}) {
    const Method method{.formulation = "index3", .integrator = integrator, .stabilizer = "none"};
    // Where all rows are met: another formulation, which the offset does not touch.
    const Solution fits = run_model(four_bar(0), Way::relative, {.t_end = 0.7, .rtol = 1e-9});
    for (const double off : {1e-7, 1e-6}) {
      SCOPED_TRACE(fmt::format("{}, off by {}", integrator, off));
      const Solution run = run_model(four_bar(off), Way::whole, options, method);
      ASSERT_TRUE(run.complete()) << run.end_message;
      EXPECT_LT((run.final.q() - fits.final.q()).lpNorm<Eigen::Infinity>(), 1e-4 + 10 * off);
      EXPECT_LT(std::abs(run.energy->balance), 1e-2);
      EXPECT_LT(run.drift->velocity, 0.1);  // it was 15 and 350
    }
  }
}

// Iterates beside the manifold, where redundant rows differ: a shift of roundoff size makes multipliers of it that Newton's method cannot follow.
TEST(ScalesOfFormulations, DirectRegularizationStepsThroughRedundantMechanisms) {
  const io::Model model = four_bar(0);
  const Solution known = run_model(model, Way::relative, {.t_end = 0.5, .rtol = 1e-9});
  for (const char* integrator : {"bdf", "radau5"}) {
    const Method method{
        .formulation = "direct-regularization", .integrator = integrator, .stabilizer = "none"};
    const Solution run =
        run_model(model, Way::whole, {.t_end = 0.5, .rtol = 1e-6, .max_steps = 1000}, method);
    ASSERT_TRUE(run.complete()) << integrator << ": " << run.end_message;
    EXPECT_LT((run.final.q() - known.final.q()).lpNorm<Eigen::Infinity>(), 1e-3) << integrator;
  }
}

}  // namespace
}  // namespace driftless::tests
