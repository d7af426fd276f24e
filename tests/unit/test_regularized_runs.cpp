// Runs through singular configurations and with redundant constraints.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <driftless/problems/pendulum.hpp>

#include "support/compare.hpp"
#include "unit/singular_models.hpp"

namespace driftless::tests {

namespace {

struct Passage {
  bool on_branch = true;
  double angle_error = 0, energy_drift = 0;  // relative to what the links can lose
};

Passage passage(double angle, const Method& method, double tolerance, double t_end) {
  const auto p = catalog::make_problem("003-slider-crank", {{"theta0", std::to_string(angle)}});
  Options options{.t_end = t_end, .rtol = tolerance, .atol = tolerance, .max_steps = 10'000'000};
  options.output = {.kind = Output::Kind::every, .interval = 0.1};
  const Solution run = solve(*p.problem, p.start, method, options);
  Passage passage;
  passage.on_branch = run.complete();
  Evaluation e;
  double start = 0;
  for (const State& s : run.states) {
    passage.on_branch = passage.on_branch && std::abs(s.q()[0] + s.q()[1] - std::numbers::pi) < 0.1;
    passage.angle_error = std::max(passage.angle_error, std::abs(s.q()[0] - p.reference.at(s.t)->q()[0]));
    p.problem->evaluate(Part::energy, Point(s.t, s.z), e);
    if (s.t == 0) start = e.energy;
    passage.energy_drift =
        std::max(passage.energy_drift, std::abs(e.energy - start) / (9.8 * (1 - std::cos(angle))));
  }
  return passage;
}

TEST(RegularizedRuns, PassTheSingularPlaceFiftyTimes) {
  for (int i = 0; i < 24; ++i) {
    const double angle = 0.5 + i / 23.0;
    const Passage p = passage(angle, {.formulation = "trust-region"}, 1e-8, 100);
    EXPECT_TRUE(p.on_branch) << angle;
    EXPECT_LT(p.angle_error, 1e-3) << angle;
    EXPECT_LT(p.energy_drift, 1e-4) << angle;
  }
}

// With other integrators, eliminated and with multipliers as unknowns.
TEST(RegularizedRuns, PassTheSingularPlaceWhoeverIntegrates) {
  for (const std::string formulation : {"trust-region", "direct-regularization"})
    for (const std::string integrator : {"dopri5", "dop853", "bdf", "radau5"})
      for (const double angle : {0.6, 1.0, 1.4}) {
        const Passage p = passage(angle, {.formulation = formulation, .integrator = integrator}, 1e-8, 100);
        EXPECT_TRUE(p.on_branch) << formulation << " " << integrator << " " << angle;
        EXPECT_LT(p.angle_error, 1e-3) << formulation << " " << integrator << " " << angle;
        EXPECT_LT(p.energy_drift, 1e-3) << formulation << " " << integrator << " " << angle;
      }
}

// The motion is that of the single pendulum. Twins with factors 1 and b have multipliers y1 + b y2 = lambda: of least norm, b y1 = y2.
TEST(RegularizedRuns, RedundantTwinsMoveAsOne) {
  const auto single = make_problem(problems::Pendulum{.gravity = 9.81});
  const State start = state_of(*single, {1, 0, 0, 0});
  for (const double factor : {1.0, 0.5}) {
    const auto twins = make_problem(TwinPendulum{.factor = factor, .gravity = 9.81});
    for (const std::string integrator : {"dopri5", "bdf", "radau5"})
      for (const std::string how : {"trust-region", "direct-regularization", "trust-region:epsilon=1e-9",
                                    "direct-regularization:epsilon=1e-9"}) {
        Options options{.t_end = 2, .rtol = 1e-9, .atol = 1e-9, .start_as_given = true};
        const std::string formulation = how + (how.find(':') == std::string::npos ? ":" : ",") + "gamma=10";
        const Method method{.formulation = formulation, .integrator = integrator};
        const Solution one = solve(*single, start, method, options);
        const Solution two = solve(*twins, state_of(*twins, {1, 0, 0, 0}), method, options);
        ASSERT_TRUE(one.complete() && two.complete()) << one.end_message << two.end_message;
        const double whole = one.final.lambda[0], b = factor;
        // What is left of roundoff across the range of A, divided by the floor of a shift (1e-11), times |lambda|.
        const double roundoff = how == "direct-regularization" ? 1e-3 : 1e-5;
        EXPECT_LT(distance(one.final.z, two.final.z), 1e-7) << how << integrator;
        EXPECT_NEAR(two.final.lambda[0], whole / (1 + b * b), roundoff) << how << integrator;
        EXPECT_NEAR(two.final.lambda[1], b * whole / (1 + b * b), roundoff) << how << integrator;
      }
  }
}

// G M^-1 B = -1: a shifted equation would pass 0.
struct WrongSign {
  static constexpr int order = 1, nq = 1, ng = 1;
  void force(auto, auto, auto f) const { f[0] = 1.0; }
  void input(auto, auto, auto B) const { B(0, 0) = -1.0; }
  void constraint(auto, auto x, auto g) const { g[0] = x[0]; }
};

TEST(RegularizedRuns, DirectRegularizationSaysThatItNeedsASemidefiniteMatrix) {
  const auto problem = make_problem(WrongSign{});
  const State start = state_of(*problem, {0});
  const Solution s = solve(*problem, start, {.formulation = "direct-regularization"}, {.t_end = 1});
  EXPECT_FALSE(s.complete());
  EXPECT_TRUE(contains(s.end_message, "positive semidefinite at t = 0")) << s.end_message;
  EXPECT_TRUE(contains(s.end_message, "use trust-region"));
  EXPECT_TRUE(solve(*problem, start, {.formulation = "trust-region"}, {.t_end = 1}).complete());
}

}  // namespace

}  // namespace driftless::tests
