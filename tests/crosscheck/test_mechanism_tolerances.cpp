// What tolerances mean for a mechanism: the same whatever its size is and wherever its origin lies.
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "support/model_runs.hpp"

namespace driftless::tests {
namespace {

// A double pendulum of bars of length L, its pivot at (X, 0), under gravity 9.81 L: as seen by L it is always the same one.
io::Model double_pendulum(double L, double X = 0) {
  return io::read_model_text(
      fmt::format(R"(
title = "test"
dimensions = 2
gravity = [0, {g}]
[body.upper]
at = [{x1:.17g}, 0]
mass = 1
inertia = {inertia}
[body.lower]
at = [{x2:.17g}, {y2}]
mass = 1
inertia = {inertia}
[joint.pivot]
type = "revolute"
between = ["ground", "upper"]
at = [{x0:.17g}, 0]
[joint.elbow]
type = "revolute"
between = ["upper", "lower"]
at = [{elbow:.17g}, 0]
)",
                  fmt::arg("g", -9.81 * L), fmt::arg("inertia", L * L / 12), fmt::arg("x0", X),
                  fmt::arg("x1", X + L / 2), fmt::arg("elbow", X + L), fmt::arg("x2", X + L),
                  fmt::arg("y2", -L / 2)),
      "double-pendulum.toml");
}

Vector places(const Solution& run, double L, double X) {
  Vector q = run.final.q();
  for (const int i : {0, 1, 3, 4}) q(i) = (q(i) - (i % 3 == 0 ? X : 0)) / L;
  return q;
}

constexpr Way ways[] = {Way::whole, Way::relative};
constexpr double t_end = 1.5;
const Options loose{.t_end = t_end, .rtol = 1e-6};
constexpr double near = 1e-4;  // a hundred tolerances

Vector exact() {
  static const Vector found = places(
      run_model(double_pendulum(1), Way::relative, {.t_end = t_end, .rtol = 1e-11, .atol = 1e-11}), 1, 0);
  return found;
}

// With an atol of 1e-6 m the small ones would be off by their size.
TEST(MechanismTolerances, FollowItsSize) {
  for (const Way way : ways)
    for (const double L : {1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6}) {
      const Solution run = run_model(double_pendulum(L), way, loose);
      ASSERT_TRUE(run.complete()) << L << ", " << name_of(way) << ": " << run.end_message;
      EXPECT_LT((places(run, L, 0) - exact()).lpNorm<Eigen::Infinity>(), near) << L << ", " << name_of(way);
      EXPECT_FALSE(has_note(run, "stands for")) << L << ", " << name_of(way);
    }
}

// With rtol |x| as a part of the weight, those far from the origin would be off by up to their size.
TEST(MechanismTolerances, DoNotFollowTheOrigin) {
  for (const Way way : ways) {
    const long steps = run_model(double_pendulum(1), way, loose).work.steps;
    for (const double X : {1e2, 1e4, 1e6}) {
      const Solution run = run_model(double_pendulum(1, X), way, loose);
      ASSERT_TRUE(run.complete()) << X << ", " << name_of(way) << ": " << run.end_message;
      EXPECT_LT((places(run, 1, X) - exact()).lpNorm<Eigen::Infinity>(), near + 1e-13 * X)
          << X << ", " << name_of(way);
      EXPECT_NEAR(static_cast<double>(run.work.steps), static_cast<double>(steps),
                  0.2 * static_cast<double>(steps))  // weights differ by a factor of two
          << X << ", " << name_of(way);
    }
  }
}

// Where roundoff of the places eats the tolerance, the run does not pretend.
TEST(MechanismTolerances, AreRefusedWhereTheOriginIsTooFar) {
  const Solution run = run_model(double_pendulum(1, 1e9), Way::whole, {.t_end = t_end, .rtol = 1e-8});
  const bool told = !run.complete() || has_note(run, "roundoff");
  EXPECT_TRUE(told) << run.end_message;
}

TEST(MechanismTolerances, AnAtolThatIsGivenIsTaken) {
  const Solution run =
      run_model(double_pendulum(1e-6), Way::whole, {.t_end = t_end, .rtol = 1e-6, .atol = 1e-3});
  EXPECT_TRUE(has_note(run, "atol = 0.001 is not smaller than the mechanism")) << "or is it taken?";
}

}  // namespace
}  // namespace driftless::tests
