// consistent_state: moves guesses onto the constraints by the smallest amount, leaves consistent ones alone,
// names rows it cannot meet.
#include <gtest/gtest.h>

#include "support/models.hpp"
#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

TEST(ConsistentState, LeavesAConsistentGuessBitByBit) {
  const auto andrews = catalog::make_problem("andrews");
  const ConsistentState result = consistent_state(*andrews.problem, andrews.start);
  EXPECT_FALSE(result.changed);
  EXPECT_TRUE(result.report.empty());
  EXPECT_EQ((result.state.z - andrews.start.z).cwiseAbs().maxCoeff(), 0);
  // Published start multipliers of the IVP Test Set.
  EXPECT_NEAR(result.state.lambda(0), 98.5668703962410896, 1e-10);
  EXPECT_NEAR(result.state.lambda(1), -6.12268834425566265, 1e-11);
  EXPECT_LT(result.state.lambda.tail(4).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(ConsistentState, ProjectsToTheNearestPoint) {
  // Onto the unit circle the nearest point is radial, and the velocity loses its radial part.
  const auto pendulum = make_problem(problems::Pendulum{});
  const ConsistentState result = consistent_state(*pendulum, state_of(*pendulum, {3, 4, 1, 0}));
  EXPECT_TRUE(result.changed);
  EXPECT_NEAR(result.state.z(0), 0.6, 1e-15);
  EXPECT_NEAR(result.state.z(1), 0.8, 1e-15);
  EXPECT_NEAR(result.state.z(2), 0.64, 1e-15);
  EXPECT_NEAR(result.state.z(3), -0.48, 1e-15);
  EXPECT_NEAR(result.moved(0), 3.2, 1e-14);
  EXPECT_TRUE(contains(result.report, "3.2 in q")) << result.report;
}

TEST(ConsistentState, MassMetricMovesLightCoordinates) {
  // Slider-crank with a heavy crank: in the mass metric the crank hardly moves.
  const problems::SliderCrank model{.J1 = 1e8};
  const auto problem = make_problem(model);
  const State guess = state_of(*problem, {0.3, 2.9, 0.2, 0.1, -1, 0, 0, 0});
  const auto by_mass = consistent_state(*problem, guess, {.metric = ConsistencyOptions::Metric::mass});
  const auto euclidean = consistent_state(*problem, guess);
  EXPECT_LT(std::abs(by_mass.state.z(0) - 0.3), 1e-6);
  EXPECT_LT(std::abs(by_mass.state.z(4) + 1), 1e-6);
  EXPECT_GT(std::abs(euclidean.state.z(0) - 0.3), 1e-3);
  for (const auto& result : {by_mass, euclidean}) {
    Manifold manifold(*problem);
    manifold.evaluate(0, result.state.z);
    EXPECT_LT(manifold.h().cwiseAbs().maxCoeff(), 1e-14);
  }
}

class EveryShape : public testing::TestWithParam<ShapeCase> {};

TEST_P(EveryShape, DisturbedStartsComeBack) {
  const Problem& problem = *GetParam().problem;
  State guess = GetParam().start;
  guess.z += 0.02 * Vector::LinSpaced(guess.z.size(), 1, -1);
  const ConsistentState result = consistent_state(problem, guess);
  Manifold manifold(problem);
  manifold.evaluate(result.state.t, result.state.z);
  if (!manifold.empty()) {
    EXPECT_LT(manifold.h().cwiseAbs().maxCoeff(), 1e-13);
  }
  EXPECT_EQ(result.changed, !manifold.empty());
  // The multipliers are those of the acceleration equation.
  Workspace work;
  const Shape& s = problem.shape();
  Vector a(s.nv), multipliers(s.multipliers());
  ASSERT_EQ(problem.acceleration(0, result.state.z, Vector::Zero(s.multipliers()), a, multipliers, work),
            Status::ok);
  EXPECT_EQ((multipliers.head(s.ng) - result.state.lambda).norm() +
                (multipliers.tail(s.nk) - result.state.kappa).norm(),
            0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryShape, testing::ValuesIn(shape_cases()), [](const auto& c) {
  std::string name = c.param.name;
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
});

// A circle of radius 1 and a line at distance 5: no point lies on both.
struct Unreachable {
  static constexpr int nq = 2, ng = 2;
  void force(auto, auto, auto, auto) const {}
  void constraint(auto, auto q, auto g) const {
    g[0] = q[0] * q[0] + q[1] * q[1] - 1.0;
    g[1] = q[0] - 5.0 + 0.1 * q[1];
  }
};

TEST(ConsistentState, NamesRowsThatCannotBeMet) {
  const auto pendulum = make_problem(problems::Pendulum{});
  const std::string centre = complaint([&] {
    consistent_state(*pendulum, state_of(*pendulum, {0, 0, 0, 0}));
  });
  EXPECT_TRUE(contains(centre, "residual -0.5 of rod length")) << centre;
  EXPECT_TRUE(contains(centre, "vanishing gradient")) << centre;

  const auto impossible = make_problem(Unreachable{});
  const std::string text = complaint([&] {
    consistent_state(*impossible, state_of(*impossible, {1, 0.1, 0, 0}));
  });
  EXPECT_TRUE(contains(text, "the constraints contradict each other at the start: g[1] depends on g[0]"))
      << text;
  EXPECT_TRUE(contains(text, "of g[0] (limit") || contains(text, "of g[1] (limit")) << text;
}

TEST(ConsistentState, RefusesGuessesOfWrongSizeOrNotFinite) {
  const auto pendulum = make_problem(problems::Pendulum{});
  State wrong({2, 3, 3}, 1, 0);
  EXPECT_TRUE(
      contains(complaint([&] { consistent_state(*pendulum, wrong); }), "has 6 values, the problem needs 4"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(complaint([&] {
                         consistent_state(*pendulum, state_of(*pendulum, {1, nan, 0, 0}));
                       }),
                       "start value 1 is nan"));
}

}  // namespace
}  // namespace driftless::tests
