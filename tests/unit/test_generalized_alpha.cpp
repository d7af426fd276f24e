// generalized-alpha: its damping, what it keeps, multipliers from the first step on, step changes, restarts, refusals.
#include <cmath>

#include "integrators/common/alpha_steps.hpp"
#include "restart_cases.hpp"
#include "support/compare.hpp"

namespace driftless::tests {
namespace {

// x'' = -omega^2 x, and nothing else.
struct Oscillator {
  static constexpr int nq = 1;
  double omega = 1;
  void force(auto, auto q, auto, auto f) const { f[0] = -omega * omega * q[0]; }
};

// At infinite frequency all three roots of the recurrence are -rho, so that q_n/(-rho)^n is a parabola in n.
TEST(GeneralizedAlpha, HasItsSpectralRadiusAtInfiniteFrequency) {
  for (const double rho : {0.3, 0.5, 0.9, 1.0}) {
    const auto problem = make_problem(Oscillator{1e5});
    const Solution s = solve(*problem, make_state(*problem, {{1.0}, {0.0}}),
                             {.formulation = "index3",
                              .integrator = "generalized-alpha:tolerance=1e-15,rho=" + std::to_string(rho)},
                             {.t_end = 1, .step = 0.1, .output = {.kind = Output::Kind::steps}});
    ASSERT_TRUE(s.complete()) << s.end_message;
    const auto r = [&](std::size_t n) { return s.states[n].q()(0) / std::pow(-rho, static_cast<double>(n)); };
    for (std::size_t n = 2; n + 3 < s.states.size(); ++n)
      EXPECT_LT(std::abs(r(n + 3) - 3 * r(n + 2) + 3 * r(n + 1) - r(n)), 1e-3 * (1 + std::abs(r(n))))
          << rho << " " << n;
  }
}

// By Taylor expansion of the formulas: order 2 whatever rho, and the constants of the local errors.
TEST(GeneralizedAlpha, Coefficients) {
  for (const double rho : {0.0, 0.3, 0.8, 1.0}) {
    const integrators::AlphaCoefficients c(rho);
    EXPECT_NEAR(c.gamma, 0.5 - c.delta, 1e-15);
    EXPECT_NEAR(c.C_q, -1. / 12 - c.delta * c.delta / 4, 1e-15);
  }
  const integrators::AlphaCoefficients trapezoidal(1);
  EXPECT_NEAR(trapezoidal.beta, 0.25, 1e-15);
  EXPECT_NEAR(trapezoidal.C_v, -1. / 12, 1e-15);  // v of the trapezoidal rule
}

// Steps that change all the time, by a factor of up to 1.5, keep the order.
TEST(GeneralizedAlpha, StepChangesKeepTheOrder) {
  const auto instance = catalog::make_problem("pendulum");
  for (const char* formulation : {"index3", "ggl"}) {
    const auto errors = [&](double h) {
      Pipeline p = assemble(*instance.problem,
                            {.formulation = formulation, .integrator = "generalized-alpha:tolerance=1e-14"},
                            {.t_end = 2, .step = h});
      State state = instance.start;
      p.system->prepare(state);
      EXPECT_EQ(p.integrator->start(*p.system, state), Status::ok);
      double q = 0, lambda = 0;
      for (int n = 0; state.t < 1.5; ++n) {
        Step step = p.integrator->attempt(h * (1 + 0.2 * std::sin(n)));
        EXPECT_EQ(step.status, Status::ok);
        EXPECT_EQ(p.integrator->accept(*step.state, nullptr), Status::ok);
        state = *step.state;
        const State exact = *instance.reference.at(state.t);
        q = std::max(q, distance(state.q(), exact.q()));
        lambda = std::max(lambda, distance(state.lambda, exact.lambda));
      }
      return std::pair{q, lambda};
    };
    const auto coarse = errors(0.02), fine = errors(0.01);
    EXPECT_NEAR(std::log2(coarse.first / fine.first), 2, 0.2) << formulation;
    EXPECT_GT(std::log2(coarse.second / fine.second), 1.6) << formulation;
  }
}

TEST(GeneralizedAlpha, KeepsWhatIsImposed) {
  for (const ShapeCase& c : shape_cases()) {
    if (c.problem->shape().order != 2) continue;
    for (const char* formulation : {"index3", "ggl", "ggl:D=input"}) {
      const Solution s =
          solve(*c.problem, c.start, {.formulation = formulation, .integrator = "generalized-alpha"},
                {.t_end = c.t_end, .step = c.t_end / 100});
      ASSERT_TRUE(s.complete()) << c.name << ": " << s.end_message;
      Manifold manifold(*c.problem);
      ASSERT_EQ(manifold.evaluate(s.final.t, s.final.z), Status::ok);
      if (c.problem->shape().ng > 0) {
        EXPECT_LT(manifold.residual(0).norm(), 1e-11) << c.name << " " << formulation;
        EXPECT_LT(manifold.residual(1).norm(), formulation == std::string("index3") ? 1e-2 : 1e-10)
            << c.name << " " << formulation;
      }
      EXPECT_LT(manifold.velocity_residual().norm(), 1e-10) << c.name << " " << formulation;
    }
  }
}

// Errors follow the tolerance: steps are of the size tol^(1/2), so that the error of the run, h^2, behaves like tol.
TEST(GeneralizedAlpha, FollowsTolerances) {
  const auto instance = catalog::make_problem("heavy-top");
  for (const char* formulation : {"index3", "ggl"}) {
    std::vector<double> logs;
    for (const double tolerance : {1e-4, 1e-5, 1e-6}) {
      const Solution s = solve(*instance.problem, instance.start,
                               {.formulation = formulation, .integrator = "generalized-alpha"},
                               {.t_end = instance.t_end, .rtol = tolerance, .atol = tolerance});
      ASSERT_TRUE(s.complete()) << s.end_message;
      logs.push_back(std::log10(distance(s.final.q(), instance.reference.at(instance.t_end)->q())));
      EXPECT_LT(s.work.rejected, s.work.steps / 4);
    }
    EXPECT_NEAR((logs.front() - logs.back()) / 2, 1, 0.1) << formulation;
  }
}

TEST(GeneralizedAlpha, StiffSpringsDoNotHoldTheStepDown) {
  for (const char* formulation : {"index3", "ggl"}) {
    long steps[2];
    int i = 0;
    for (const char* k : {"1e4", "1e10"}) {
      const auto instance = catalog::make_problem("stiff-pendulum", {{"k", k}});
      const Solution s = solve(*instance.problem, instance.start,
                               {.formulation = formulation, .integrator = "generalized-alpha:rho=0.5"},
                               {.t_end = instance.t_end, .rtol = 1e-4, .atol = 1e-4});
      ASSERT_TRUE(s.complete()) << s.end_message;
      steps[i++] = s.work.steps;
    }
    EXPECT_LT(steps[1], 3 * steps[0]) << formulation;
  }
}

TEST(GeneralizedAlpha, RestartsBitByBit) {
  for_every_case({"index3", "ggl"}, [](const ShapeCase& c, const std::string& formulation) {
    if (c.problem->shape().order != 2) return;
    for (const char* stabilizer : {"none", "post:F=input"})
      expect_same_bits_after_interruptions(
          c, {.formulation = formulation, .integrator = "generalized-alpha", .stabilizer = stabilizer});
  });
}

// Prescribed by two constraints that move: nothing is free, and all errors lie across the constraints.
struct Driven {
  static constexpr int nq = 2, ng = 2;
  static constexpr bool moving = true;
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto t, auto q, auto g) const {
    using std::cos, std::sin;
    g[0] = q[0] - sin(5.0 * t);
    g[1] = q[1] + 0.5 * cos(3.0 * t) * q[0];
  }
};

TEST(GeneralizedAlpha, SeesErrorsOfPrescribedMotion) {
  const auto problem = make_problem(Driven{});
  const State start = make_state(*problem, {{0.0, 0.0}, {5.0, -2.5}});
  for (const char* formulation : {"index3", "ggl"}) {
    const Solution s = solve(*problem, start, {.formulation = formulation, .integrator = "generalized-alpha"},
                             {.t_end = 1.5, .rtol = 1e-6, .atol = 1e-6});
    ASSERT_TRUE(s.complete()) << s.end_message;
    EXPECT_NEAR(s.final.v()(0), 5 * std::cos(7.5), 1e-3) << formulation;
    // lambda_0 = -q_0'' - (g_1)_x lambda_1, lambda_1 = -9.81 - q_1''.
    const double t = 1.5, x = std::sin(5 * t), xp = 5 * std::cos(5 * t), xpp = -25 * x,
                 c = -0.5 * std::cos(3 * t), cp = 1.5 * std::sin(3 * t), cpp = 4.5 * std::cos(3 * t);
    const double lambda1 = -9.81 - (cpp * x + 2 * cp * xp + c * xpp);
    EXPECT_NEAR(s.final.lambda(1), lambda1, 0.02) << formulation;
    EXPECT_NEAR(s.final.lambda(0), -xpp + c * lambda1, 0.02) << formulation;
  }
}

// In index3 roundoff of positions is one of velocities, divided by h: Newton's method has to end there, and not before.
TEST(GeneralizedAlpha, TakesSmallSteps) {
  const auto instance = catalog::make_problem("pendulum");
  for (const char* formulation : {"index3", "ggl"}) {
    const Solution s =
        solve(*instance.problem, instance.start,
              {.formulation = formulation, .integrator = "generalized-alpha"}, {.t_end = 0.1, .step = 1e-5});
    ASSERT_TRUE(s.complete()) << s.end_message;
    EXPECT_LT(distance(s.final.z, instance.reference.at(0.1)->z), 1e-10) << formulation;
  }
}

TEST(GeneralizedAlpha, OutputAfterARestartHasTheSameBits) {
  const auto instance = catalog::make_problem("pendulum");
  for (const char* formulation : {"index3", "ggl"}) {
    const Method method{.formulation = formulation, .integrator = "generalized-alpha"};
    const Output output{.kind = Output::Kind::every, .interval = 0.003};
    const Solution whole = solve(*instance.problem, instance.start, method, {.t_end = 1, .output = output});
    const Solution part = solve(*instance.problem, instance.start, method, {.t_end = 0.4, .output = output});
    const Solution rest = solve(*instance.problem, instance.start, method,
                                {.t_end = 1, .output = output, .resume = part.checkpoint});
    const std::size_t shift = whole.states.size() - rest.states.size();
    ASSERT_GT(rest.states.size(), 100u);
    for (std::size_t i = 0; i < rest.states.size(); ++i)
      EXPECT_TRUE(same_bits(whole.states[i + shift], rest.states[i]))
          << formulation << " " << rest.states[i].t;
  }
}

TEST(GeneralizedAlpha, RefusesWhereItWouldGoWrong) {
  const auto said = [](const std::string& problem, const Method& method, const Options& options) {
    const auto instance = catalog::make_problem(problem);
    return complaint([&] { solve(*instance.problem, instance.start, method, options); });
  };
  EXPECT_TRUE(contains(
      said("pendulum", {.formulation = "index3", .integrator = "generalized-alpha:rho=1"}, {.t_end = 1}),
      "use rho below 1, or `formulation = ggl`"));
  EXPECT_TRUE(contains(
      said("andrews", {.formulation = "index3", .integrator = "generalized-alpha", .stabilizer = "post"},
           {.t_end = 0.01}),
      "which costs an order"));
  EXPECT_TRUE(
      contains(said("pendulum", {.formulation = "ggl", .integrator = "generalized-alpha:tolerance=1e-9"},
                    {.t_end = 1}),
               "belongs to fixed steps"));
  EXPECT_TRUE(contains(said("001-drift-model", {.formulation = "index3", .integrator = "generalized-alpha"},
                            {.t_end = 1, .start_as_given = true}),
                       "the start is off by"));
}

TEST(GeneralizedAlpha, RefusesWhatHasNoAccelerations) {
  for (const char* shape : {"order-1", "order-3"}) {
    const ShapeCase& c = shape_case(shape);
    const std::string said = complaint([&] {
      solve(*c.problem, c.start, {.formulation = "ggl", .integrator = "generalized-alpha"}, {.t_end = 1});
    });
    EXPECT_TRUE(contains(said, "this system has order")) << said;
  }
  const ShapeCase& c = shape_case("mechanical");
  EXPECT_TRUE(contains(complaint([&] {
                         solve(*c.problem, c.start,
                               {.formulation = "ggl", .integrator = "generalized-alpha:rho=1.5"},
                               {.t_end = 1});
                       }),
                       "rho"));
}

}  // namespace
}  // namespace driftless::tests
