// What is drawn of a run: the right values at the right times.
#include <gtest/gtest.h>

#include <cmath>

#include <driftless/driftless.hpp>
#include <driftless/problems/pendulum.hpp>

namespace driftless::io {
namespace {

// A bead on a wire that is lifted with acceleration 2: y = t^2. The wire pushes with m (g + 2), so that it
// puts in W = m (g + 2) t^2, which is the energy gained: m (2t)^2 / 2 + m g t^2.
struct Lift {
  static constexpr int nq = 2, ng = 1;
  static constexpr bool moving = true;
  static constexpr std::array<const char*, 2> coordinate_names{"x", "y"};
  static constexpr double gravity = 10;
  void force(auto, auto, auto, auto f) const { f[1] = -gravity; }
  void constraint(auto t, auto q, auto g) const { g[0] = q[1] - t * t; }
  auto energy(auto, auto q, auto v) const { return (v[0] * v[0] + v[1] * v[1]) / 2 + gravity * q[1]; }
};

struct Free {
  static constexpr int nq = 1;
  void force(auto, auto, auto, auto f) const { f[0] = 1; }
};

RunPlots run(const Problem& problem, const State& start, const std::string& list, const Method& method,
             const Options& options, Solution* solution = nullptr) {
  RunPlots plots(list);
  Solution result = solve(problem, start, method, options, {&plots});
  EXPECT_TRUE(result.complete()) << result.end_message;
  if (solution) *solution = std::move(result);
  return plots;
}

std::string refusal(const Problem& problem, const std::string& list) {
  try {
    run(problem, make_state(problem, {}), list, {}, {.t_end = 1});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RunPlots, DriftOfThePendulumByItsFormula) {
  const auto problem = make_problem(problems::Pendulum{});
  Solution solution;
  const RunPlots plots = run(*problem, make_state(*problem, {{1, 0}, {0, 1}}), "drift",
                             {.stabilizer = "none"}, {.t_end = 5, .rtol = 1e-4, .atol = 1e-4}, &solution);
  const Figure& figure = plots.plots()[0].figure;
  EXPECT_TRUE(figure.logarithmic);
  ASSERT_EQ(figure.series.size(), 2u);
  ASSERT_EQ(figure.series[0].y.size(), solution.states.size());
  double largest = 0;
  for (std::size_t i = 0; i < solution.states.size(); ++i) {
    const State& s = solution.states[i];
    const double g = std::abs(s.q().squaredNorm() - 1) / 2, rate = std::abs(s.q().dot(s.v()));
    EXPECT_EQ(figure.series[0].x[i], s.t);
    EXPECT_NEAR(figure.series[0].y[i], g, 1e-15);
    EXPECT_NEAR(figure.series[1].y[i], rate, 1e-15);
    largest = std::max(largest, g);
  }
  EXPECT_GT(largest, 1e-6);
  EXPECT_NEAR(largest, solution.drift->position, 1e-15);
}

// Output times inside steps: the work up to there counts, not that of the whole step.
TEST(RunPlots, EnergyBalanceInsideSteps) {
  const auto problem = make_problem(Lift{});
  Options options{.t_end = 2, .step = 0.5};
  options.output = {.kind = Output::Kind::every, .interval = 0.07, .times = {}};
  Solution solution;
  const RunPlots plots =
      run(*problem, make_state(*problem, {}), "energy;y", {.integrator = "rk4"}, options, &solution);
  const Series& balance = plots.plots()[0].figure.series[0];
  ASSERT_EQ(balance.y.size(), 29u);
  for (std::size_t i = 0; i < balance.y.size(); ++i) {
    EXPECT_NEAR(balance.y[i], 0, 1e-12) << balance.x[i];
    EXPECT_NEAR(plots.plots()[1].figure.series[0].y[i], std::pow(0.07 * double(i), 2), 1e-12);
  }
  EXPECT_NEAR(solution.energy->work, 48, 1e-11);  // (10 + 2) 2^2
  EXPECT_NE(plots.plots()[0].figure.y_label.find("work"), std::string::npos);
}

TEST(RunPlots, TheLastBalanceIsThatOfTheRun) {
  const ProblemInstance crank = catalog::make_problem("001-slider-crank");
  Solution solution;
  const RunPlots plots = run(*crank.problem, crank.start, "energy", {}, {.t_end = 10}, &solution);
  const Series& balance = plots.plots()[0].figure.series[0];
  EXPECT_EQ(balance.x.back(), 10);
  EXPECT_EQ(balance.y.front(), 0);
  EXPECT_EQ(balance.y.back(), solution.energy->balance);
}

TEST(RunPlots, WithoutWorkTheLabelSaysSo) {
  const auto problem = make_problem(problems::Pendulum{});
  const RunPlots plots = run(*problem, make_state(*problem, {{1, 0}, {0, 1}}), "energy", {}, {.t_end = 1});
  EXPECT_EQ(plots.plots()[0].figure.y_label, "E − E(start)");
}

TEST(RunPlots, ColumnsOverTimeAndOverEachOther) {
  const auto problem = make_problem(problems::Pendulum{});
  Options options{.t_end = 1};
  options.output = {.kind = Output::Kind::at, .interval = 0, .times = {0.25, 0.5, 1}};
  Solution solution;
  const RunPlots plots = run(*problem, make_state(*problem, {{1, 0}, {0, 1}}), " x, vy ;lambda[0]; x|y,vx",
                             {}, options, &solution);
  EXPECT_EQ(plots.files(), (std::vector<std::string>{"x-vy.svg", "lambda_0.svg", "y-vx-over-x.svg"}));
  ASSERT_EQ(solution.states.size(), 3u);
  const Figure &first = plots.plots()[0].figure, &second = plots.plots()[1].figure,
               &third = plots.plots()[2].figure;
  for (std::size_t i = 0; i < 3; ++i) {
    const State& s = solution.states[i];
    EXPECT_EQ(first.series[0].x[i], s.t);
    EXPECT_EQ(first.series[0].y[i], s.q()(0));
    EXPECT_EQ(first.series[1].y[i], s.v()(1));
    EXPECT_EQ(second.series[0].y[i], s.lambda(0));
    EXPECT_EQ(third.series[0].x[i], s.q()(0));
    EXPECT_EQ(third.series[0].y[i], s.q()(1));
    EXPECT_EQ(third.series[1].y[i], s.v()(0));
  }
  EXPECT_EQ(third.x_label, "x");
  EXPECT_EQ(second.y_label, "lambda[0]");
}

// Names that differ only by what a file name cannot hold, or by capitals.
struct Alike {
  static constexpr int nq = 3;
  static constexpr std::array<const char*, 3> coordinate_names{"a[b]", "a.b", "A/b"};
  void force(auto, auto, auto, auto) const {}
};

TEST(RunPlots, FileNamesAreSafeAndDiffer) {
  const auto problem = make_problem(Alike{});
  const RunPlots plots = run(*problem, make_state(*problem, {}), "a[b];a.b;A/b", {}, {.t_end = 1});
  EXPECT_EQ(plots.files(), (std::vector<std::string>{"a_b.svg", "a_b-2.svg", "A_b-3.svg"}));
}

TEST(RunPlots, RefusesWhatTheProblemDoesNotHave) {
  const auto free = make_problem(Free{});
  EXPECT_NE(refusal(*free, "drift").find("needs constraints"), std::string::npos);
  EXPECT_NE(refusal(*free, "energy").find("gives its energy"), std::string::npos);
  EXPECT_NE(refusal(*free, "q[1]").find("did you mean q[0]"), std::string::npos) << refusal(*free, "q[1]");
  EXPECT_EQ(refusal(*free, "q[0]"), "");
}

}  // namespace
}  // namespace driftless::io
