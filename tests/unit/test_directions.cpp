// Where stabilizing multipliers push: the options of the command line, a user's D from C++, and what a bad choice is answered with.
#include <gtest/gtest.h>

#include <driftless/formulations/ggl.hpp>
#include <driftless/formulations/projected_invariants.hpp>

#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

Solution run(const std::string& problem, const std::map<std::string, std::string>& parameters,
             const std::string& formulation, double step) {
  const auto instance = catalog::make_problem(problem, {parameters.begin(), parameters.end()});
  return solve(*instance.problem, instance.start,
               {.formulation = formulation, .integrator = "backward-euler:jacobian=fresh"},
               {.t_end = instance.t_end, .step = step});
}

// The same formulation built by hand.
Solution run_built(const std::string& problem, std::unique_ptr<Formulation> formulation, double step) {
  const auto instance = catalog::make_problem(problem);
  Pipeline pipeline = assemble(*instance.problem, *formulation,
                               {.formulation = "ggl", .integrator = "backward-euler:jacobian=fresh"},
                               {.t_end = instance.t_end, .step = step});
  return solve(*instance.problem, pipeline, instance.start, {.t_end = instance.t_end, .step = step});
}

// Ascher, Petzold, Example 3: C = (1, t - 2), so that along p2 alone is possible, and B far from C^T.
TEST(Directions, GivenOnesEqualNamedOnes) {
  const auto unit = [](double, VectorIn, MatrixOut D) { D(1, 0) = 1; };
  const auto transpose = [](double t, VectorIn, MatrixOut D) {
    D(0, 0) = 1;
    D(1, 0) = t - 2;
  };
  const auto expect_equal = [](const Solution& a, const Solution& b) {
    ASSERT_TRUE(a.complete()) << a.end_message;
    ASSERT_TRUE(b.complete()) << b.end_message;
    EXPECT_LT((a.final.z - b.final.z).cwiseAbs().maxCoeff(), 1e-12);
    ASSERT_NE(a.final.extra("mu"), nullptr);
    EXPECT_NEAR((*a.final.extra("mu"))(0), (*b.final.extra("mu"))(0), 1e-12);
  };
  using namespace formulations;
  expect_equal(run("000-example3", {}, "ggl:D=unit,coordinates=p2", 0.01),
               run_built("000-example3", ggl(GglOptions{.D = {.given = unit}}), 0.01));
  expect_equal(run("000-example3", {}, "ggl:D=unit", 0.01),
               run_built("000-example3", ggl(GglOptions{.D = {.given = unit}}), 0.01));
  expect_equal(run("000-example3", {}, "ggl", 0.01),
               run_built("000-example3", ggl(GglOptions{.D = {.given = transpose}}), 0.01));
  expect_equal(
      run("000-example3", {}, "projected-invariants:variant=a", 0.01),
      run_built("000-example3",
                projected_invariants({.levels = 1, .coupled = false, .D = {.given = transpose}}), 0.01));
  expect_equal(
      run("000-example3", {}, "projected-invariants:k=2,D=unit", 0.01),
      run_built("000-example3", projected_invariants({.coupled = false, .D = {.given = unit}}), 0.01));
}

// M^-1 B with M(t) full equals B of the same problem multiplied by M^-1.
TEST(Directions, InputIsDividedByTheMass) {
  const Solution mass = run("000-example3", {{"form", "mass"}}, "ggl:D=input", 0.01);
  const Solution given = run("000-example3", {{"form", "given"}}, "ggl:D=input", 0.01);
  EXPECT_LT((mass.final.z - given.final.z).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR((*mass.final.extra("mu"))(0), (*given.final.extra("mu"))(0), 1e-9);
}

TEST(Directions, BadChoicesAreAnswered) {
  const auto says = [](const std::string& formulation) {
    return complaint([&] { run("000-example3", {}, formulation, 0.01); });
  };
  const auto expect = [](const std::string& text, const std::string& piece) {
    EXPECT_NE(text.find(piece), std::string::npos) << text;
  };
  expect(says("ggl:coordinates=p2"), "use D=unit, or leave them out");
  expect(says("ggl:D=unit,coordinates=p3"), "coordinates names 'p3' (must be among p1, p2)");
  expect(says("ggl:D=unit,coordinates=p1;p2"), "has 2 names (as many as position constraints, 1)");
  expect(says("projected-invariants:variant=a,k=1"), "takes variant or k");
  expect(says("projected-invariants:k=3"), "k is 3 (at most 2, the order of the system");
  expect(says("index2-baumgarte:gamma=1,roots=2"), "takes gamma or roots");
  expect(says("index2-baumgarte:roots=2;3"), "roots has 2 roots and the system of order 2 needs 1");
}

TEST(Directions, AlongWhichTheConstraintsDoNotChange) {
  const auto nowhere = [](double, VectorIn, MatrixOut) {};
  const Solution solution = run_built("000-example3", formulations::ggl({.D = {.given = nowhere}}), 0.01);
  EXPECT_EQ(solution.end, EndReason::singular_step);
  EXPECT_EQ(
      solution.end_message,
      "the constraints do not change along D near t = 0.01 (G D is singular), so that multipliers cannot "
      "impose them; use "
      "another D, for instance D=transpose (step 1.00e-02)");
  EXPECT_EQ(solution.final.t, 0);
}

// The pendulum starts at (1, 0), where its constraint does not change along y; started at (0.6, -0.8), it comes to such a place later.
TEST(Directions, AreWatchedOnTheWay) {
  const Solution at_once = run("pendulum", {}, "ggl:D=unit,coordinates=y", 0.01);
  EXPECT_EQ(at_once.end, EndReason::singular_step);
  EXPECT_EQ(at_once.final.t, 0);
  // In the unit of time of the model: in its own one, Newton's method fails some steps before the matrix is singular.
  for (const char* formulation : {"ggl:D=unit", "projected-invariants:D=unit,time=model"}) {
    const Solution later =
        run("pendulum", {{"x", "0.6"}, {"y", "-0.8"}, {"vx", "2"}, {"vy", "1.5"}}, formulation, 0.001);
    EXPECT_EQ(later.end, EndReason::singular_step) << formulation << later.end_message;
    EXPECT_GT(later.final.t, 0.1) << formulation;
    EXPECT_NEAR(later.final.q()(1), 0, 0.01) << formulation << ": G D = y";
    EXPECT_NE(later.end_message.find("(G D is singular)"), std::string::npos) << later.end_message;
  }
}

// Positions alone may stop before such a place; then the multiplier is as large as the motion, and the run says so.
TEST(Directions, MultipliersThatAreNotSmallAreNoted) {
  const std::map<std::string, std::string> start = {{"x", "0.6"}, {"y", "-0.8"}, {"vx", "2"}, {"vy", "1.5"}};
  const Solution stuck = run("pendulum", start, "projected-invariants:variant=a,D=unit", 0.001);
  ASSERT_EQ(stuck.notes.size(), 1u);
  EXPECT_NE(stuck.notes[0].find("as fast as the motion itself"), std::string::npos);
  EXPECT_TRUE(run("pendulum", start, "projected-invariants:variant=a", 0.001).notes.empty());
  EXPECT_TRUE(run("pendulum", start, "ggl", 0.001).notes.empty());
}

// Projecting velocities after positions were imposed alone destroys what that gained (Example 4); the run says so.
TEST(Directions, VelocityProjectionIsWarnedOf) {
  const auto& c = shape_case("mechanical");
  const auto notes = [&](const std::string& formulation, const std::string& stabilizer) {
    return solve(*c.problem, c.start,
                 {.formulation = formulation, .integrator = "backward-euler", .stabilizer = stabilizer},
                 {.t_end = 0.1, .step = 0.01})
        .notes;
  };
  ASSERT_EQ(notes("projected-invariants:variant=a", "projection:F=velocity").size(), 1u);
  EXPECT_NE(
      notes("projected-invariants:variant=a", "projection:F=velocity")[0].find("variant=c imposes both"),
      std::string::npos);
  EXPECT_TRUE(notes("projected-invariants:variant=a", "none").empty());
  EXPECT_TRUE(notes("projected-invariants:variant=a", "projection:F=position").empty());
  EXPECT_TRUE(notes("projected-invariants", "projection:F=velocity").empty());
}

}  // namespace
}  // namespace driftless::tests
