// Which branch a motion goes on with where branches come near each other or meet, and what the run says of it.
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "support/model_runs.hpp"

namespace driftless::tests {
namespace {

// Four bars with the pins A (0, 0), B, C and D (ground, 0): where B and C are given, with velocities of the cranks.
io::Model four_bar(double ground, Eigen::Vector2d B, Eigen::Vector2d C, const std::string& start = {}) {
  const Eigen::Vector2d A(0, 0), D(ground, 0);
  std::string text = "title = \"four-bar\"\ndimensions = 2\ngravity = [0, -9.81]\n";
  const auto body = [&](const char* name, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    text += fmt::format("[body.{}]\nfrom = [{}, {}]\nto = [{}, {}]\nmass = 1\ninertia = {}\n", name, a(0),
                        a(1), b(0), b(1), (b - a).squaredNorm() / 12);
  };
  const auto joint = [&](const char* name, const char* one, const char* two, const Eigen::Vector2d& at) {
    text += fmt::format("[joint.{}]\ntype = \"revolute\"\nbetween = [\"{}\", \"{}\"]\nat = [{}, {}]\n", name,
                        one, two, at(0), at(1));
  };
  body("crank", A, B), body("coupler", B, C), body("rocker", D, C);
  joint("A", "ground", "crank", A), joint("B", "crank", "coupler", B);
  joint("C", "coupler", "rocker", C), joint("D", "ground", "rocker", D);
  return io::read_model_text(text + start, "four-bar.toml");
}

// Folded flat but for `beside`, at rest.
io::Model folded(double beside) {
  return four_bar(1.5, {1, beside}, {3, 0.3 * beside});
}

// A parallelogram whose ground is longer by the clearance: it cannot fold, and turns within about its root of the flat position.
io::Model nearly_parallel(double clearance) {
  const double ground = 2 + clearance, angle = 1.2;
  // The crank is where it was in the parallelogram; the rocker, of length 1, by bars of length 1 and 2.
  const Eigen::Vector2d B(std::cos(angle), std::sin(angle)), D(ground, 0), between = D - B;
  const double far = between.norm(), along = (4 - 1 + far * far) / (2 * far),
               across = std::sqrt(4 - along * along);
  const Eigen::Vector2d C = B + (along * between + across * Eigen::Vector2d(-between(1), between(0))) / far;
  return four_bar(ground, B, C, "[start]\nrates = {\"A.angle\" = -3.0}\n");
}

Solution solved(const io::Model& model, const std::string& formulation, const std::string& integrator,
                const Options& options) {
  return run_model(model, Way::whole, options, {.formulation = formulation, .integrator = integrator});
}

double crank(const Solution& run) {
  return run.final.q()(2);
}
double rocker(const Solution& run) {
  return run.final.q()(8);
}

// It falls so that the crank rises: on the other branch, which lies 1e-5 away, both fall. Reference: ggl + radau5, whose equations
// leave no row out.
TEST(Branches, AFoldedFourBarBesideItsChangePoint) {
  for (const double beside : {1e-5, 1.5e-5}) {
    const Solution reference = solved(folded(beside), "ggl", "radau5", {.t_end = 0.3, .rtol = 1e-7});
    ASSERT_TRUE(reference.complete()) << reference.end_message;
    EXPECT_GT(crank(reference), 0);
    for (const double rtol : {1e-5, 1e-6, 1e-8}) {
      const Solution run = solved(folded(beside), "index1", "dopri5", {.t_end = 0.3, .rtol = rtol});
      ASSERT_TRUE(run.complete()) << rtol << ": " << run.end_message;
      EXPECT_NEAR(crank(run), crank(reference), 20 * rtol + 1e-6) << beside << ", " << rtol;
      EXPECT_NEAR(rocker(run), rocker(reference), 40 * rtol + 1e-6) << beside << ", " << rtol;
      EXPECT_EQ(has_note(run, "errors of steps may have decided"), rtol > 5e-7) << beside << ", " << rtol;
      EXPECT_FALSE(has_note(run, "from one branch to another")) << beside << ", " << rtol;
    }
    const Solution imposed = solved(folded(beside), "index3", "radau5", {.t_end = 0.3, .rtol = 1e-6});
    EXPECT_NEAR(crank(imposed), crank(reference), 1e-5) << imposed.end_message;
  }
}

// Flat, with rates w1 and w2 of crank and rocker: these are on a branch if the coupler, which turns by (1.5 w2 - w1) / 2, follows to second order, by
// 1.5 w2^2 - w1^2 = 2 ((1.5 w2 - w1) / 2)^2: w2 = -(2 + 8^(1/2)) w1 on the one that leads up.
TEST(Branches, SlowVelocitiesAtAChangePoint) {
  const double w = 1e-4, other = -(2 + std::sqrt(8.0)) * w;
  const io::Model model =
      four_bar(1.5, {1, 0}, {3, 0},
               fmt::format("[start]\nrates = {{\"A.angle\" = {}, \"D.angle\" = {}}}\n", w, other));
  for (const Way way : {Way::whole, Way::sparse, Way::relative}) {
    const Solution run = run_model(model, way, {.t_end = 0.1, .rtol = 1e-6});
    if (!run.complete()) continue;
    const bool own = crank(run) > 0;
    EXPECT_TRUE(has_note(run, own ? "went on with that one" : "went on with another")) << name_of(way);
    EXPECT_TRUE(own || way != Way::whole) << name_of(way);
  }
}

// The same start, hundred times faster: half-explicit steps leave it as other methods do, and no row of theirs is doubted on the way.
TEST(Branches, HalfExplicitStepsFromAChangePoint) {
  const double w = 1e-2, other = -(2 + std::sqrt(8.0)) * w;
  const io::Model model =
      four_bar(1.5, {1, 0}, {3, 0},
               fmt::format("[start]\nrates = {{\"A.angle\" = {}, \"D.angle\" = {}}}\n", w, other));
  const Solution reference = solved(model, "index1", "dopri5", {.t_end = 0.3, .rtol = 1e-8});
  ASSERT_TRUE(reference.complete()) << reference.end_message;
  for (const double rtol : {1e-6, 1e-8}) {
    const Solution run = solved(model, "index2", "half-explicit", {.t_end = 0.3, .rtol = rtol});
    ASSERT_TRUE(run.complete()) << run.end_message;
    EXPECT_NEAR(crank(run), crank(reference), 1e-4) << rtol;  // on the other branch it falls
    EXPECT_LT(run.steps.size(), 100u) << rtol;
  }
}

// The crank turns back where the exact parallelogram folds and goes on. Reference as above.
TEST(Branches, ANearParallelogramIsNotCrossed) {
  const std::pair<const char*, const char*> methods[] = {
      {"index1", "dopri5"}, {"ggl", "radau5"}, {"index2", "half-explicit"}, {"index3", "radau5"}};
  for (const double clearance : {1e-6, 1e-7}) {
    const Solution reference =
        solved(nearly_parallel(clearance), "index1", "dop853", {.t_end = 0.6, .rtol = 1e-10});
    for (const auto& [formulation, integrator] : methods) {
      const Solution run =
          solved(nearly_parallel(clearance), formulation, integrator, {.t_end = 0.6, .rtol = 1e-6});
      ASSERT_TRUE(run.complete()) << formulation << ", " << integrator << ": " << run.end_message;
      EXPECT_NEAR(crank(run), crank(reference), 1e-2) << formulation << ", " << integrator;
    }
  }
}

// What a run cannot tell it says: on the other branch both bars turn on, as in the exact parallelogram, where that is right and not noted.
TEST(Branches, ACrossingThatIsNoneIsNoted) {
  for (const double clearance : {0.0, 1e-10}) {
    const Solution run = solved(nearly_parallel(clearance), "ggl", "bdf", {.t_end = 0.6, .rtol = 1e-6});
    ASSERT_TRUE(run.complete()) << run.end_message;
    const bool on = std::abs(crank(run) - rocker(run)) < 1e-3;
    EXPECT_TRUE(on || clearance > 0);
    EXPECT_EQ(has_note(run, "from one branch to another"), on && clearance > 0);
  }
  const Solution coarse = solved(nearly_parallel(1e-8), "index1", "dopri5", {.t_end = 0.6, .rtol = 1e-4});
  const bool on = std::abs(crank(coarse) - rocker(coarse)) < 1e-3;
  EXPECT_TRUE(has_note(coarse, on ? "from one branch to another" : "errors of steps may have decided"));
}

}  // namespace
}  // namespace driftless::tests
