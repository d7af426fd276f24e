// Automatic gains: the loop that they close, against closed forms and against every other choice of gains; that the
// integrators are what they say they are; runs.
#include <gtest/gtest.h>

#include <cmath>

#include <driftless/core/feedback_gains.hpp>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

std::unique_ptr<Integrator> make_integrator(const std::string& name) {
  const IntegratorEntry& entry = catalog::integrator(name);
  return entry.make(OptionValues(name, entry.options, {}));
}

Discretization discretization_of(const std::string& name) {
  return make_integrator(name)->discretization();
}

// ---- what integrators say of themselves ----

TEST(Discretizations, AreTheKnownOnes) {
  const auto expect = [](const std::string& name, const std::vector<double>& weights,
                         const std::vector<double>& moments) {
    const Discretization by = discretization_of(name);
    ASSERT_EQ(by.weights.size(), weights.size()) << name;
    for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(by.weights[i], weights[i], 1e-14) << name;
    ASSERT_GE(by.moments.size(), moments.size()) << name;
    for (std::size_t i = 0; i < moments.size(); ++i) EXPECT_NEAR(by.moments[i], moments[i], 1e-14) << name;
  };
  expect("forward-euler", {1}, {});
  expect("ab2", {1.5, -0.5}, {});
  expect("ab3", {23 / 12., -16 / 12., 5 / 12.}, {});
  expect("ab4", {55 / 24., -59 / 24., 37 / 24., -9 / 24.}, {});
  expect("ab5", {1901 / 720., -2774 / 720., 2616 / 720., -1274 / 720., 251 / 720.}, {});
  expect("heun", {}, {1, 1. / 2, 0, 0});
  expect("explicit-midpoint", {}, {1, 1. / 2, 0, 0});
  expect("kutta3", {}, {1, 1. / 2, 1. / 6, 0});
  expect("rk4", {}, {1, 1. / 2, 1. / 6, 1. / 24, 0});
  expect("dopri5", {}, {1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 600});  // Hairer, Wanner II, IV.2
  expect("dop853", {}, {1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320});
  expect("backward-euler", {}, {1, 1, 1, 1});
  expect("implicit-midpoint", {}, {1, 1. / 2, 1. / 4, 1. / 8});
}

// ---- the loop ----

TEST(FeedbackGains, ClosedForms) {
  const auto expect = [](const std::string& name, const std::vector<double>& gains) {
    const std::vector<double> ours = feedback_gains(discretization_of(name), static_cast<int>(gains.size()));
    for (std::size_t j = 0; j < gains.size(); ++j) EXPECT_NEAR(ours[j], gains[j], 1e-9) << name << " " << j;
  };
  expect("forward-euler", {1});
  expect("forward-euler", {1, 2});
  expect("forward-euler", {1, 3, 3});
  expect("ab2", {2. / 3});
  expect("ab2", {4. / 9, 4. / 3});
  expect("rk4", {1});
  expect("rk4", {1, 1.5});
  expect("rk4", {1, 2, 11. / 6});  // three integrators with a held input
  expect("backward-euler", {1, 1});
  expect("heun", {1, 1.5});
}

TEST(FeedbackGains, Radii) {
  const Discretization euler{.weights = {1}}, ab2 = discretization_of("ab2");
  EXPECT_EQ(feedback_radius(euler, {1, 2}), 0);
  EXPECT_NEAR(feedback_radius(ab2, {4. / 9, 4. / 3}), std::sqrt(1. / 3), 1e-7);  // a double root
  EXPECT_NEAR(feedback_radius(ab2, {4. / 9, 4. / 9}), std::sqrt(1. / 3), 1e-7);
  EXPECT_NEAR(feedback_radius(ab2, {2. / 3, 4. / 3}), 0.776, 5e-4);  // Yoon, Howe, Greenwood's choice
  for (const auto& row : catalog::integrator_table())
    for (int m = 1; m <= 4; ++m) {
      const Discretization by = discretization_of(row.name);
      const double radius = feedback_radius(by, feedback_gains(by, m));
      if (holds_feedback(by) || row.name == "forward-euler")
        EXPECT_EQ(radius, 0) << row.name << " " << m;
      else
        EXPECT_LT(radius, 0.9) << row.name << " " << m;
    }
}

// Every other pair of gains on a grid is slower; those that are as fast suffer more when h changes.
TEST(FeedbackGains, NoneAreFaster) {
  for (const char* name : {"forward-euler", "ab2", "ab3", "ab4", "ab5"}) {
    const Discretization by = discretization_of(name);
    const std::vector<double> ours = feedback_gains(by, 2);
    const double radius = feedback_radius(by, ours);
    const auto worst = [&](double beta, double alpha) {
      double largest = 0;
      for (const double x : {0.7, 1., 1.3})
        largest = std::max(largest, feedback_radius(by, {beta * x * x, alpha * x}));
      return largest;
    };
    for (double alpha = 0.1; alpha < 2.2; alpha += 0.1)
      for (double beta = 0.05; beta < 1.4; beta += 0.05)
        EXPECT_GT(feedback_radius(by, {beta, alpha}), radius - 1e-6) << name << " " << alpha << " " << beta;
    if (std::string(name) == "ab2")
      for (double alpha = 4. / 9; alpha < 1.3; alpha += 0.04) {
        EXPECT_NEAR(feedback_radius(by, {4. / 9, alpha}), radius, 1e-7) << alpha;
        EXPECT_GT(worst(4. / 9, alpha), worst(4. / 9, 4. / 3)) << alpha;
      }
  }
}

// ---- the step that gains belong to ----

TEST(GainSteps, FollowButNotDownAtOnce) {
  GainStep first;
  first.begin(0, 10);
  first.begin(0, 0.1);
  EXPECT_EQ(first.value(), 0.1) << "a first step that was far too large leaves nothing behind";
  GainStep step;
  EXPECT_EQ(step.value(), 0);
  EXPECT_TRUE(step.begin(0, 0.1));
  EXPECT_FALSE(step.begin(1, 0.1 * (1 + 1e-12)));
  EXPECT_EQ(step.value(), 0.1);
  EXPECT_TRUE(step.begin(2, 0.4));
  EXPECT_TRUE(step.begin(3, 0.38));
  EXPECT_EQ(step.value(), 0.38);
  EXPECT_TRUE(step.begin(3, 0.1)) << "tried again";
  EXPECT_DOUBLE_EQ(step.value(), 0.36);
  EXPECT_TRUE(step.begin(3, 0.38));
  EXPECT_TRUE(step.begin(4, 1e-3));
  EXPECT_DOUBLE_EQ(step.value(), 0.342);
  step.renew();
  EXPECT_TRUE(step.begin(5, 0.342));
  EXPECT_FALSE(step.begin(6, 0.342));
}

// ---- runs ----

// g = x on a line: the loop is linear, and what theory says of it must come out to roundoff.
struct OnALine {
  static constexpr int nq = 2, ng = 1;
  void force(auto, auto, auto, auto f) const {
    f[0] = 1.0;
    f[1] = 2.0;
  }
  void constraint(auto, auto q, auto g) const { g[0] = q[0] + 0.5 * q[1]; }
};

TEST(AutomaticGainRuns, AreDeadbeatOnLinearConstraints) {
  const auto problem = make_problem(OnALine{});
  State start = make_state(*problem, {{0.3, 0.2}, {-0.1, 0.4}});
  for (const auto& row : catalog::integrator_table())
    for (const char* formulation : {"baumgarte:gain=auto", "invariant-stabilized:gain=auto"}) {
      if (row.entry.traits.changes_order || row.entry.shapes.front() != SystemShape::ode)
        continue;  // refused
      const Options options{.t_end = 10, .step = 0.1, .output = {.kind = Output::Kind::steps}};
      Pipeline pipeline = assemble(
          *problem, {.formulation = formulation, .integrator = row.name, .stabilizer = "none"}, options);
      observers::Recorder recorder;
      const Solution solution = solve(*problem, pipeline, start, options, {&recorder});
      ASSERT_TRUE(solution.complete()) << solution.end_message;
      Manifold manifold(*problem);
      const State& end = solution.final;
      manifold.evaluate(end.t, end.z);
      const bool multistep = !holds_feedback(discretization_of(row.name));
      EXPECT_LT(manifold.h().cwiseAbs().maxCoeff(), multistep ? 1e-3 : 1e-12)
          << row.name << " " << formulation;
    }
}

double largest_g(const std::string& formulation, const std::string& integrator, const Options& options) {
  const auto instance = catalog::make_problem("pendulum");
  return solve(*instance.problem, instance.start,
               {.formulation = formulation, .integrator = integrator, .stabilizer = "none"}, options)
      .drift->position;
}

// Feedback with the same gains inside the stages makes drift worse than none; held, it beats every constant gamma.
TEST(AutomaticGainRuns, HoldWhatStagesWouldSpoil) {
  const Options options{.t_end = 10, .step = 0.005};
  const double none = largest_g("index1", "rk4", options),
               held = largest_g("baumgarte:gain=auto", "rk4", options),
               inside = largest_g("baumgarte:alpha=300,beta=40000", "rk4", options);
  EXPECT_GT(inside, 10 * none);
  EXPECT_LT(held, 1e-3 * none);
  for (double gamma = 0.1; gamma < 400; gamma *= 2)
    EXPECT_LT(held, 0.1 * largest_g("baumgarte:gamma=" + std::to_string(gamma), "rk4", options)) << gamma;
}

TEST(AutomaticGainRuns, FollowStepsThatVary) {
  Options options{.t_end = 10};
  options.rtol = options.atol = 1e-6;
  EXPECT_LT(largest_g("baumgarte:gain=auto", "dopri5", options),
            0.1 * largest_g("index1", "dopri5", options));
}

TEST(AutomaticGainRuns, RefuseGainsBesides) {
  for (const char* text : {"baumgarte:gain=auto,gamma=3", "baumgarte:gain=auto,alpha=1,beta=2",
                           "invariant-stabilized:gain=auto,gamma=3"})
    EXPECT_NE(complaint([&] {
                const auto instance = catalog::make_problem("pendulum");
                build_system(*instance.problem, text);
              }).find("would be ignored; leave one of them out"),
              std::string::npos)
        << text;
}

}  // namespace
}  // namespace driftless::tests
