// A run that is taken up again from its checkpoint has the same bits as one that never ended.
#include <gtest/gtest.h>

#include <cmath>

#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

bool same_bits(const State& a, const State& b) {
  return a.t == b.t && a.z == b.z && a.lambda == b.lambda && a.kappa == b.kappa;
}

std::vector<std::string> all_integrators() {
  std::vector<std::string> names;
  for (const auto& row : catalog::integrator_table())  // others have tests of their own
    if (row.entry.shapes.front() == SystemShape::ode) names.push_back(row.name);
  return names;
}

// One integrator with a stabilizer, with none, and with feedback that follows the step, on six shapes of problems.
class Restart : public testing::TestWithParam<std::string> {
 protected:
  bool adaptive = catalog::integrator(GetParam()).traits.error_estimate;

  Options to(double t_end, std::optional<Checkpoint> resume = {}) const {
    Options options{.t_end = t_end, .resume = std::move(resume)};
    if (adaptive)
      options.rtol = options.atol = 1e-7;
    else
      options.step = 0.0123;
    return options;
  }

  // check(t_end, run) with run(options) solving that case.
  template <class Check>
  void for_every_case(Check check) const {
    for (const char* name :
         {"mechanical", "time-dependent", "both-constraints", "quaternions", "order-3", "unconstrained"})
      for (const auto& [formulation, stabilizer] : {std::pair{"index1", "post"},
                                                    {"index1", "none"},
                                                    {"baumgarte:gain=auto", "none"},
                                                    {"invariant-stabilized:gain=auto", "none"},
                                                    {"trust-region", "none"},
                                                    {"state-space", "none"}}) {
        SCOPED_TRACE(std::string(name) + " " + formulation + " " + stabilizer);
        const bool automatic = std::string(formulation).find("gain=auto") != std::string::npos;
        if (automatic && catalog::integrator(GetParam()).traits.changes_order) continue;  // refused
        const ShapeCase& shape = shape_case(name);
        check(shape.t_end, [&, formulation = formulation, stabilizer = stabilizer](const Options& options) {
          return solve(*shape.problem, shape.start,
                       {.formulation = formulation, .integrator = GetParam(), .stabilizer = stabilizer},
                       options);
        });
      }
  }
};

TEST_P(Restart, AtAnEarlierEndHasTheSameBits) {
  for_every_case([&](double T, auto run) {
    const Solution whole = run(to(T)), half = run(to(0.4 * T));
    ASSERT_TRUE(half.complete());
    EXPECT_LE(half.checkpoint.state.t, half.final.t);
    const Solution rest = run(to(T, half.checkpoint));
    ASSERT_TRUE(rest.complete()) << rest.end_message;
    EXPECT_TRUE(same_bits(whole.final, rest.final)) << (whole.final.z - rest.final.z).norm();
    // Every state of the continuation is one of the whole run.
    const std::size_t shift = whole.states.size() - rest.states.size();
    for (std::size_t i = 0; i < rest.states.size(); ++i)
      EXPECT_TRUE(same_bits(whole.states[i + shift], rest.states[i])) << i;
  });
}

// Formulations with multipliers among their unknowns, by backward Euler with a step and by bdf with a tolerance, with one order, and with a
// fixed step and one order, which begins in pieces.
TEST(RestartOfConstrained, AtAnEarlierEndHasTheSameBits) {
  for (const char* name : {"mechanical", "time-dependent", "both-constraints", "quaternions", "order-3"})
    for (const char* formulation :
         {"index3", "index2", "index2-baumgarte", "ggl", "stabilized-index1", "projected-invariants"}) {
      const ShapeCase& c = shape_case(name);
      for (const auto& [integrator, step] :
           {std::pair{"", 0.0123}, {"bdf", 0}, {"bdf:order=3", 0}, {"bdf", 0.0123}}) {
        const auto run = [&, integrator = integrator, step = step](double T,
                                                                   std::optional<Checkpoint> resume = {}) {
          Options options{.t_end = T, .resume = std::move(resume)};
          if (step > 0) options.step = step;
          return solve(*c.problem, c.start, {.formulation = formulation, .integrator = integrator}, options);
        };
        const Solution whole = run(c.t_end);
        for (const double part : {0.03, 0.4}) {
          const Solution rest = run(c.t_end, run(part * c.t_end).checkpoint);
          ASSERT_TRUE(rest.complete()) << rest.end_message;
          EXPECT_TRUE(same_bits(whole.final, rest.final))
              << name << " " << formulation << " " << integrator << " " << step;
        }
      }
    }
}

TEST_P(Restart, AfterTooManyStepsHasTheSameBits) {
  if (!adaptive) return;  // refused beforehand: the number of steps is known
  for_every_case([&](double T, auto run) {
    Options few = to(T);
    few.max_steps = 2;
    const Solution part = run(few);
    EXPECT_EQ(part.end, EndReason::max_steps);
    // The final state is shown with multipliers of its own; a checkpoint has those that the method goes on with.
    EXPECT_EQ(part.checkpoint.state.t, part.final.t);
    EXPECT_EQ(part.checkpoint.state.z, part.final.z);
    EXPECT_TRUE(same_bits(run(to(T)).final, run(to(T, part.checkpoint)).final));
  });
}

// A terminal event ends the run inside a step; going on from there must not use what belongs to the step's end.
TEST_P(Restart, AfterATerminalEventIsAsAccurate) {
  for_every_case([&](double T, auto run) {
    Options options = to(T), finer = to(T);
    (adaptive ? finer.rtol : finer.step) = adaptive ? 1e-9 : 0.0123 / 2;
    options.events = {
        {.name = "half", .value = [=](const State& s) { return s.t - 0.4321 * T; }, .terminal = true}};
    const Solution half = run(options);
    ASSERT_EQ(half.end, EndReason::event);
    EXPECT_NEAR(half.final.t, 0.4321 * T, 1e-13);
    options.resume = half.checkpoint;
    const Solution rest = run(options), whole = run(to(T));
    ASSERT_TRUE(rest.complete()) << rest.end_message;
    EXPECT_TRUE(rest.events.empty());
    const double error = (whole.final.z - run(finer).final.z).norm();
    EXPECT_LT((rest.final.z - whole.final.z).norm(), 5 * error + 1e-6);
  });
}

INSTANTIATE_TEST_SUITE_P(All, Restart, testing::ValuesIn(all_integrators()), [](const auto& p) {
  std::string name = p.param;
  for (char& c : name)
    if (!std::isalnum(c)) c = '_';
  return name;
});

// Also within the start of a multistep method, where feedback waits, and with controls that hold what they found.
TEST_P(Restart, WithControlsHasTheSameBits) {
  if (adaptive) return;
  const auto p = catalog::make_problem("pendulum");
  for (const char* control : {"energy-baumgarte", "energy-baumgarte:gain=auto", "energy-descent:gain=auto",
                              "energy-descent:mu_v=0.1"}) {
    const Method method{.formulation = "baumgarte:gain=auto",
                        .integrator = GetParam(),
                        .stabilizer = "none",
                        .controls = {control}};
    const Vector whole = solve(*p.problem, p.start, method, to(1)).final.z;
    for (const double end : {0.0123, 0.0246, 0.0369, 0.05, 0.5}) {
      const Checkpoint there = solve(*p.problem, p.start, method, to(end)).checkpoint;
      EXPECT_EQ(solve(*p.problem, p.start, method, to(1, there)).final.z, whole) << control << " " << end;
    }
  }
}

// Invariants stay at the values of the first start, and output intervals count from there.
TEST(RestartDetails, InvariantsAndOutputTimes) {
  const auto instance = catalog::make_problem("pendulum");
  const Method method{.stabilizer = "post:F=full,invariants=energy"};
  Options options{.t_end = 2, .output = {.kind = Output::Kind::every, .interval = 0.3}};
  const Solution whole = solve(*instance.problem, instance.start, method, options);
  options.t_end = 1;
  options.resume = solve(*instance.problem, instance.start, method, options).checkpoint;
  options.t_end = 2;
  const Solution rest = solve(*instance.problem, instance.start, method, options);
  EXPECT_TRUE(same_bits(whole.final, rest.final));
  EXPECT_TRUE(same_bits(whole.states.back(), rest.states.back()));
  EXPECT_GE(rest.states.front().t, options.resume->state.t);
}

// Through events: the sign that an event had is part of the checkpoint.
TEST(RestartDetails, BetweenEvents) {
  const auto instance = catalog::make_problem("pendulum");
  Options options{.t_end = 20,
                  .events = {{.name = "low",
                              .value = [](const State& s) { return s.q()(0) - 0.5; },
                              .action = [](State& s) { s.v() *= 1.05; }}}};
  const Solution whole = solve(*instance.problem, instance.start, {}, options);
  for (const long steps : {3L, 8L, 15L, 22L}) {
    Options few = options;
    few.max_steps = steps;
    Options again = options;
    const Solution part = solve(*instance.problem, instance.start, {}, few);
    again.resume = part.checkpoint;
    const Solution rest = solve(*instance.problem, instance.start, {}, again);
    EXPECT_TRUE(same_bits(whole.final, rest.final)) << steps;
    EXPECT_EQ(whole.events.size(), part.events.size() + rest.events.size()) << steps;
  }
  EXPECT_GE(whole.events.size(), 2u);
}

// Checkpoints of other problems, methods and steps, and damaged ones.
TEST(RestartDetails, WhatDoesNotFitIsRefused) {
  const auto pendulum = catalog::make_problem("pendulum"), andrews = catalog::make_problem("andrews");
  Options options{.t_end = 0.5};
  const Checkpoint good = solve(*pendulum.problem, pendulum.start, {}, options).checkpoint;
  const auto refusal = [&](Checkpoint checkpoint, const Method& method = {},
                           std::optional<double> step = {}) {
    Options again{.t_end = 1, .step = step, .resume = std::move(checkpoint)};
    return complaint([&] { solve(*pendulum.problem, pendulum.start, method, again); });
  };
  options.resume = good;
  EXPECT_NE(complaint([&] { solve(*andrews.problem, andrews.start, {}, options); }).find("another problem"),
            std::string::npos);
  EXPECT_NE(refusal(good, {.integrator = "rk4"}, 0.1).find("the same step"), std::string::npos);
  EXPECT_NE(refusal(good, {.stabilizer = "post:F=full,invariants=energy"}).find("the invariants"),
            std::string::npos);
  Checkpoint bad = good;
  bad.integrator.pop_back();
  EXPECT_NE(refusal(bad).find("numbers for the integrator"), std::string::npos);
  bad = good;
  bad.controller[0] = -1;
  EXPECT_NE(refusal(bad).find("make no sense"), std::string::npos);
  bad = good;
  bad.h = std::nan("");
  EXPECT_NE(refusal(bad).find("changed or damaged"), std::string::npos);

  options = {.t_end = 0.5, .step = 0.1};
  bad = solve(*pendulum.problem, pendulum.start, {.integrator = "rk4"}, options).checkpoint;
  EXPECT_EQ(refusal(bad, {.integrator = "rk4"}, 0.1), "(no complaint)");
  bad.fixed_steps = 30;
  EXPECT_NE(refusal(bad, {.integrator = "rk4"}, 0.1).find("do not lead there"), std::string::npos);
}

// A run without any length leaves a checkpoint without a step.
TEST(RestartDetails, FromTheVeryStart) {
  const auto instance = catalog::make_problem("pendulum");
  Options options{.t_end = 0};
  options.resume = solve(*instance.problem, instance.start, {}, options).checkpoint;
  options.t_end = 1;
  EXPECT_TRUE(same_bits(solve(*instance.problem, instance.start, {}, options).final,
                        solve(*instance.problem, instance.start, {}, {.t_end = 1}).final));
}

}  // namespace
}  // namespace driftless::tests
