// The loop: ends early with a true reason and what was computed, retries, outputs, observers.
#include <gtest/gtest.h>

#include "support/models.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

// A pendulum whose force breaks at t = 0.5.
struct Breaking {
  static constexpr int nq = 2, ng = 1;
  void force(auto t, auto, auto, auto f) const {
    f[0] = 0.0;
    f[1] = t > 0.5 ? std::numeric_limits<double>::quiet_NaN() : -1.0;
  }
  void constraint(auto, auto q, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0; }
};

// Two constraints that become one at t = 1: G = [[0, 1, 0], [1 - t, 1, 0]].
struct Merging {
  static constexpr int nq = 3, ng = 2;
  static constexpr bool moving = true;
  void force(auto, auto, auto, auto f) const { f[2] = 1.0; }
  void constraint(auto t, auto q, auto g) const {
    g[0] = q[1];
    g[1] = (1.0 - t) * q[0] + q[1];
  }
};

// x' = x^2 leaves every bound at t = 1.
struct BlowUp {
  static constexpr int order = 1, nq = 1;
  void force(auto, auto x, auto f) const { f[0] = x[0] * x[0]; }
};

struct Unit {
  std::shared_ptr<const Problem> problem = make_problem(problems::Pendulum{});
  State start = state_of(*problem, {1, 0, 0, 1});
  Solution run(Options options, Method method = {}) const { return solve(*problem, start, method, options); }
};

TEST(Loop, NotANumberNamesTimeAndComponent) {
  const auto problem = make_problem(Breaking{});
  const State start = state_of(*problem, {1, 0, 0, 1});
  for (const bool adaptive : {true, false}) {
    Options options{.t_end = 1};
    if (!adaptive) options.step = 0.01;
    const Solution s = solve(*problem, start, {}, options);
    EXPECT_EQ(s.end, EndReason::not_finite);
    EXPECT_TRUE(contains(s.end_message, "force f[1] = nan at t = 0.5")) << s.end_message;
    EXPECT_LE(s.final.t, 0.5 + 1e-12);
    EXPECT_GT(s.final.t, 0.48);
    EXPECT_EQ(s.states.size(), static_cast<std::size_t>(s.work.steps + 1));
    EXPECT_LT(s.work.steps, 200) << "the end is found without creeping towards it";
  }
}

// Rows that become one at t = 1, and agree there: the motion goes on, and the place is reported.
TEST(Loop, RowsThatMergeGoOn) {
  const auto problem = make_problem(Merging{});
  const Solution s = solve(*problem, state_of(*problem, {0, 0, 0, 0, 0, 0}), {.integrator = "rk4"},
                           {.t_end = 2, .step = 0.25});
  EXPECT_TRUE(s.complete()) << s.end_message;
  EXPECT_NEAR(s.final.z(2), 2, 1e-14);
  EXPECT_FALSE(s.singularities.empty());
}

TEST(Loop, SingularityOfTheSolutionUnderflows) {
  const auto problem = make_problem(BlowUp{});
  const Solution s = solve(*problem, state_of(*problem, {1}), {}, {.t_end = 2});
  EXPECT_TRUE(s.end == EndReason::step_underflow || s.end == EndReason::not_finite) << name_of(s.end);
  EXPECT_NEAR(s.final.t, 1, 1e-5);
  EXPECT_FALSE(s.end_message.empty());
}

TEST(Loop, MaxSteps) {
  const Solution s = Unit().run({.t_end = 100, .max_steps = 7});
  EXPECT_EQ(s.end, EndReason::max_steps);
  EXPECT_EQ(s.work.steps, 7);
  EXPECT_EQ(s.states.size(), 8u);
  EXPECT_TRUE(contains(s.end_message, "7 steps reached only t = ")) << s.end_message;
}

TEST(Loop, Interruption) {
  const Unit unit;
  int asked = 0;
  const Solution s = solve(*unit.problem, unit.start, {}, {.t_end = 100}, {}, [&] { return ++asked > 5; });
  EXPECT_EQ(s.end, EndReason::interrupted);
  EXPECT_EQ(s.work.steps, 5);
}

TEST(Loop, HugeFixedStepEndsWithAReason) {
  const auto andrews = catalog::make_problem("andrews");
  for (const char* stabilizer : {"none", "post", "projection"}) {
    const Solution s =
        solve(*andrews.problem, andrews.start, {.integrator = "forward-euler", .stabilizer = stabilizer},
              {.t_end = 1e6, .step = 1e3});
    if (!s.complete()) {
      EXPECT_FALSE(s.end_message.empty()) << stabilizer;
    }
    EXPECT_TRUE(s.final.z.allFinite()) << stabilizer;
  }
}

TEST(Loop, ZeroLengthRunReturnsTheStart) {
  const Solution s = Unit().run({.t_end = 0});
  EXPECT_TRUE(s.complete());
  EXPECT_EQ(s.work.steps, 0);
  EXPECT_EQ(s.states.size(), 1u);
  EXPECT_EQ(s.final.z, Unit().start.z);
  EXPECT_NEAR(s.final.lambda(0), 1, 1e-15);  // v^2/l - gravity * y / l^2 with y = 0
}

TEST(Loop, EndsExactlyAtTheEnd) {
  for (const double t_end : {0.1, 0.3, 1.0, 1.0 / 3})
    for (const double step : {0.1, 0.01, 0.07})
      EXPECT_EQ(Unit().run({.t_end = t_end, .step = step}).final.t, t_end) << t_end << " " << step;
  EXPECT_EQ(Unit().run({.t_end = 1, .step = 0.01}).work.steps, 100);
  EXPECT_EQ(Unit().run({.t_end = 0.1, .step = 0.03}).work.steps, 4);
}

TEST(Loop, OutputTimes) {
  const auto reference = catalog::make_problem("pendulum").reference;
  const Options every{
      .t_end = 1, .rtol = 1e-10, .atol = 1e-10, .output = {.kind = Output::Kind::every, .interval = 0.1}};
  const Solution s = Unit().run(every);
  ASSERT_EQ(s.states.size(), 11u);
  for (std::size_t i = 0; i < 11; ++i) {
    EXPECT_NEAR(s.states[i].t, 0.1 * static_cast<double>(i), 1e-15);
    const auto exact = *reference.at(s.states[i].t);
    EXPECT_LT((s.states[i].z - exact.z).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LT((s.states[i].lambda - exact.lambda).cwiseAbs().maxCoeff(), 1e-8);
    const double x = s.states[i].z(0), y = s.states[i].z(1);
    EXPECT_LT(std::abs(x * x + y * y - 1), 1e-13) << "interpolated states are stabilized too";
  }
  const Options at{.t_end = 1, .output = {.kind = Output::Kind::at, .times = {0.7, 0.25, 1.0, 0.0}}};
  const Solution a = Unit().run(at);
  ASSERT_EQ(a.states.size(), 4u);
  EXPECT_EQ(a.states[0].t, 0);
  EXPECT_EQ(a.states[1].t, 0.25);
  EXPECT_EQ(a.states[2].t, 0.7);
  EXPECT_EQ(a.states[3].t, 1);
  const Options outside{.t_end = 1, .output = {.kind = Output::Kind::at, .times = {1.5}}};
  EXPECT_TRUE(contains(complaint([&] { Unit().run(outside); }),
                       "output time 1.5 lies outside of the run from 0 to 1"));
  const Options zero{.t_end = 1, .output = {.kind = Output::Kind::every, .interval = 0}};
  EXPECT_TRUE(contains(complaint([&] { Unit().run(zero); }), "output interval is 0"));
}

TEST(Loop, StepsObeyTheirLimits) {
  struct Largest : Observer {
    double h = 0, first = 0;
    void step(const AcceptedStep& s) override {
      const double size = s.to.t - s.from.t;
      if (first == 0) first = size;
      h = std::max(h, size);
    }
  } largest;
  const Unit unit;
  solve(*unit.problem, unit.start, {}, {.t_end = 5, .h0 = 1e-4, .hmax = 0.05}, {&largest});
  EXPECT_LE(largest.h, 0.05 * (1 + 1e-12));
  EXPECT_GT(largest.h, 0.049);
  EXPECT_NEAR(largest.first, 1e-4, 1e-15);
}

TEST(Loop, InconsistentStartIsMovedAndSaid) {
  const Unit unit;
  const Solution s = solve(*unit.problem, state_of(*unit.problem, {2, 0, 0, 1}), {}, {.t_end = 0.1});
  ASSERT_EQ(s.notes.size(), 1u);
  EXPECT_TRUE(contains(s.notes[0], "moved onto the constraints, by at most 1 in q")) << s.notes[0];
}

TEST(Loop, EnergyBalanceClosesWithPowerInput) {
  const auto crank = catalog::make_problem("001-slider-crank");
  const Solution s = solve(*crank.problem, crank.start, {}, {.t_end = 10, .rtol = 1e-10, .atol = 1e-10});
  ASSERT_TRUE(s.energy);
  EXPECT_GT(std::abs(s.energy->work), 1);  // the torque does real work
  EXPECT_LT(std::abs(s.energy->balance), 1e-8);
}

// The pivot does work, which the balance must know.
TEST(Loop, EnergyBalanceClosesWithMovingConstraints) {
  const auto problem = make_problem(DrivenPivot{.frequency = 3});
  const Solution s = solve(*problem, make_state(*problem, {{0, -1}, {0.9, 0}}), {},
                           {.t_end = 5, .rtol = 1e-10, .atol = 1e-10});
  EXPECT_GT(std::abs(s.energy->work), 1);
  EXPECT_LT(std::abs(s.energy->balance), 1e-8);
}

struct UndeclaredPivot : DrivenPivot {
  static constexpr bool moving = false;
};

TEST(Loop, MovingConstraintsMustBeDeclared) {
  const auto problem = make_problem(UndeclaredPivot{});
  const std::string text = complaint([&] {
    solve(*problem, make_state(*problem, {{0, -1}, {0.9, 0}}), {}, {.t_end = 1});
  });
  EXPECT_TRUE(contains(text, "g[0] moves") && contains(text, "declare `moving = true`")) << text;
}

// A million steps of 1e-3 end at 1000 exactly: times are multiples of the step, not sums.
TEST(LongLoop, AMillionFixedSteps) {
  const Unit unit;
  Options options{.t_end = 1000,
                  .step = 1e-3,
                  .max_steps = 1'000'000,
                  .output = {.kind = Output::Kind::at, .times = {1000}}};
  for (const char* stabilizer : {"post", "projection"}) {
    const Solution s = unit.run(options, {.integrator = "rk4", .stabilizer = stabilizer});
    EXPECT_TRUE(s.complete()) << s.end_message;
    EXPECT_EQ(s.work.steps, 1'000'000);
    EXPECT_EQ(s.states.size(), 1u);
    EXPECT_LT(s.drift->position, 1e-12);
    EXPECT_LT(s.drift->velocity, 1e-12);
  }
}

TEST(Loop, LargestStepHoldsAtTheEndToo) {
  struct Largest : Observer {
    double h = 0;
    void step(const AcceptedStep& s) override { h = std::max(h, s.to.t - s.from.t); }
  } largest;
  const Unit unit;
  const Solution s = solve(*unit.problem, unit.start, {}, {.t_end = 0.01009, .hmax = 0.01}, {&largest});
  EXPECT_LE(largest.h, 0.01 * (1 + 1e-12));
  EXPECT_EQ(s.final.t, 0.01009);
}

TEST(Loop, FailureAtAnOutputTimeHasItsReason) {
  const auto problem = make_problem(Breaking{});
  // Steps end before and after 0.5; the output time alone lies in the broken part of an accepted step.
  const Solution s =
      solve(*problem, state_of(*problem, {1, 0, 0, 1}), {.integrator = "forward-euler", .stabilizer = "none"},
            {.t_end = 1, .step = 0.4, .output = {.kind = Output::Kind::at, .times = {0.79}}});
  EXPECT_EQ(s.end, EndReason::not_finite) << s.end_message;
  EXPECT_TRUE(contains(s.end_message, "force f[1] = nan")) << s.end_message;
}

TEST(Loop, APipelineMayBeUsedTwice) {
  const Unit unit;
  const Options options{.t_end = 1};
  Pipeline pipeline = assemble(*unit.problem, {}, options);
  const State start = consistent_state(*unit.problem, unit.start).state;
  const Solution first = solve(*unit.problem, pipeline, start, options);
  const Solution second = solve(*unit.problem, pipeline, start, options);
  EXPECT_EQ(first.work.rhs, second.work.rhs);
  EXPECT_EQ(first.final.z, second.final.z);
}

// A system that changes its chart once, in the middle: outputs inside the step before must not notice.
class ChangingChart final : public System, public OdeSystem {
 public:
  explicit ChangingChart(const Problem& problem) : inner_(build_system(problem, "index1")) {}
  int size() const override { return inner_->size(); }
  void pack(const State& s, VectorOut y) const override { inner_->pack(s, y); }
  void unpack(double t, VectorIn y, State& s) const override { inner_->unpack(t, y, s); }
  Status multipliers(State& s) override { return inner_->multipliers(s); }
  std::string explain(Status status, double t, VectorIn y) const override {
    return inner_->explain(status, t, y);
  }
  bool refresh(State& s) override { return s.t > 0.55 && changes_++ == 0; }
  OdeSystem* ode() override { return this; }
  Status rhs(double t, VectorIn y, VectorOut dy, State* at) override {
    return inner_->ode()->rhs(t, y, dy, at);
  }
  Status jacobian(double t, VectorIn y, MatrixOut J) override { return inner_->ode()->jacobian(t, y, J); }
  int changes_ = 0;

 private:
  std::unique_ptr<System> inner_;
};

TEST(Loop, ChartChangesRestartAfterTheOutputs) {
  const Unit unit;
  const Options options{.t_end = 1, .step = 0.1, .output = {.kind = Output::Kind::at, .times = {0.55, 0.85}}};
  Pipeline pipeline = assemble(*unit.problem, {}, options);
  auto system = std::make_unique<ChangingChart>(*unit.problem);
  const ChangingChart& chart = *system;
  pipeline.system = std::move(system);
  struct Keep : Observer {
    std::vector<State> states;
    void output(const State& s) override { states.push_back(s); }
  } keep;
  const Solution s =
      solve(*unit.problem, pipeline, consistent_state(*unit.problem, unit.start).state, options, {&keep});
  EXPECT_TRUE(s.complete());
  EXPECT_GE(chart.changes_, 1);
  ASSERT_EQ(keep.states.size(), 2u);
  const auto reference = catalog::make_problem("pendulum").reference;
  for (const State& state : keep.states)
    EXPECT_LT((state.z - reference.at(state.t)->z).norm(), 1e-5) << state.t;
}

struct Throwing {
  static constexpr int nq = 1;
  void force(auto t, auto, auto, auto) const {
    if (t > 0.5) throw std::runtime_error("no such table");
  }
};

TEST(Loop, AnExceptionOfTheModelLosesNothing) {
  const auto problem = make_problem(Throwing{});
  const Solution s = solve(*problem, make_state(*problem, {{0}, {1}}), {}, {.t_end = 1, .hmax = 0.1});
  EXPECT_EQ(s.end, EndReason::exception);
  EXPECT_TRUE(contains(s.end_message, "no such table")) << s.end_message;
  EXPECT_GT(s.states.size(), 3u);
  EXPECT_NEAR(s.final.z(0), s.final.t, 1e-12);
}

TEST(Loop, SameRunTwiceIsTheSameBitByBit) {
  const auto andrews = catalog::make_problem("andrews");
  const auto run = [&] { return solve(*andrews.problem, andrews.start, {}, {.t_end = 0.03}); };
  EXPECT_EQ(run().final.z, run().final.z);
}

}  // namespace
}  // namespace driftless::tests
