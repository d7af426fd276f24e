// What a System makes of a step depends on what it is told there, and not on what was said before.
#include <gtest/gtest.h>

#include "support/models.hpp"
#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

const Discretization ab2{.weights = {1.5, -0.5}}, midpoint{.moments = {1, 0.5, 0, 0, 0, 0, 0, 0}};

// The right-hand side off the constraints of a pendulum, and whether it has changed.
struct Told {
  explicit Told(const std::string& formulation)
      : instance(catalog::make_problem("pendulum")), system(build_system(*instance.problem, formulation)) {
    y = instance.start.z;
    y(0) += 0.01;
    y(3) += 0.02;
    before = rates();
  }
  bool begin(const StepContext& step) { return system->begin_step(step, y); }
  Vector rates() {
    Vector dy = y;
    EXPECT_EQ(system->ode()->rhs(0, y, dy), Status::ok);
    return dy;
  }
  ProblemInstance instance;
  std::unique_ptr<System> system;
  Vector y, before;
};

class FeedbackThatFollows : public testing::TestWithParam<std::string> {};

TEST_P(FeedbackThatFollows, IsThatOfTheStepWhateverWasSaidBefore) {
  for (const Discretization* by : {&ab2, &midpoint}) {
    const StepContext step{.discretization = *by, .t = 0, .h = 0.1};
    Told at_once(GetParam()), after_start(GetParam()), after_another(GetParam());
    EXPECT_TRUE(at_once.begin(step));
    after_start.begin({.discretization = *by});
    EXPECT_EQ(after_start.rates(), after_start.before) << "no step begins: nothing to follow";
    EXPECT_TRUE(after_start.begin(step));
    after_another.begin({.discretization = by == &ab2 ? midpoint : ab2, .t = -0.1, .h = 0.1});
    EXPECT_TRUE(after_another.begin(step));
    EXPECT_GT((at_once.rates() - at_once.before).norm(), 1e-3);
    EXPECT_EQ(after_start.rates(), at_once.rates());
    EXPECT_EQ(after_another.rates(), at_once.rates());
  }
}

TEST_P(FeedbackThatFollows, WaitsWhileAMultistepMethodIsStarted) {
  Told told(GetParam()), at_once(GetParam());
  told.begin({.discretization = ab2, .t = 0, .h = 0.1, .starting = true});
  EXPECT_EQ(told.rates(), told.before);
  const StepContext step{.discretization = ab2, .t = 0.1, .h = 0.1};
  EXPECT_TRUE(told.begin(step)) << "the start is over";
  at_once.begin(step);
  EXPECT_EQ(told.rates(), at_once.rates());
  EXPECT_FALSE(told.begin({.discretization = ab2, .t = 0.2, .h = 0.1})) << "as before";
}

INSTANTIATE_TEST_SUITE_P(All, FeedbackThatFollows,
                         testing::Values("baumgarte:gain=auto", "invariant-stabilized:gain=auto",
                                         "augmented-lagrangian:gain=auto"),
                         [](const auto& c) { return c.param.substr(0, c.param.find_first_of("-:")); });

// The steps of a starter are told as those of the method that it starts.
TEST(StepContexts, OfAStarterNameTheMultistepMethod) {
  class Listening final : public System, public OdeSystem {
   public:
    int size() const override { return 1; }
    void pack(const State& state, VectorOut y) const override { y = state.z; }
    void unpack(double t, VectorIn y, State& state) const override {
      state.t = t;
      state.z = y;
    }
    Status multipliers(State&) override { return Status::ok; }
    std::string explain(Status, double, VectorIn) const override { return {}; }
    OdeSystem* ode() override { return this; }
    Status rhs(double, VectorIn y, VectorOut dy, State*) override {
      dy = -y;
      return Status::ok;
    }
    Status jacobian(double, VectorIn, MatrixOut) override { return Status::ok; }
    bool begin_step(const StepContext& step, VectorIn) override {
      weights = step.discretization.weights.size();
      starting = step.starting;
      h = step.h;
      return false;
    }
    std::size_t weights = 0;
    bool starting = false;
    double h = -1;
  } system;
  const auto& entry = catalog::integrator("ab3");
  const auto ab3 = entry.make(OptionValues("ab3", entry.options, {}));
  State state(Layout{.order = 1, .nq = 1, .nv = 1}, 0, 0);
  state.z.setOnes();
  ASSERT_EQ(ab3->start(system, state), Status::ok);
  EXPECT_EQ(system.h, 0) << "no step begins at the start";
  for (const bool starting : {true, true, false, false}) {
    const Step step = ab3->attempt(0.1);
    EXPECT_EQ(system.starting, starting);
    EXPECT_EQ(system.weights, 3u);
    EXPECT_EQ(system.h, 0.1);
    ASSERT_EQ(ab3->accept(*step.state, nullptr), Status::ok);
  }
}

}  // namespace
}  // namespace driftless::tests
