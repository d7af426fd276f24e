// What the loop takes for the size of a step's error: one estimate, two combined, and both less their normal
// part.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/models.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

const Tolerance absolute{.rtol = 1e-300, .atol = 1};

TEST(ErrorSize, OfOneAndOfTwoEstimates) {
  const auto problem = make_problem(problems::Pendulum{});
  State state = state_of(*problem, {1, 0, 0, 1});
  Vector error = Vector::Constant(4, 3), second = Vector::Constant(4, 40);
  Step step{.state = &state, .error = &error};
  EXPECT_DOUBLE_EQ(error_size(step, absolute, state.z), 3);
  step.second_error = &second;
  EXPECT_DOUBLE_EQ(error_size(step, absolute, state.z), 9. / 5);  // 3^2 / sqrt(3^2 + 0.01 40^2)
  second.setZero();
  EXPECT_DOUBLE_EQ(error_size(step, absolute, state.z), 3);
  error.setZero();
  EXPECT_EQ(error_size(step, absolute, state.z), 0);
  error.setConstant(1e200);
  EXPECT_TRUE(std::isfinite(error_size(step, {.rtol = 1e-300, .atol = 1e60}, state.z)));
  second.setConstant(std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(std::isnan(error_size(step, absolute, state.z)));
}

// At rest at (1, 0): x and v_x are normal to the manifold, y and v_y along it.
class FixedErrors final : public Integrator {
 public:
  Status start(System& system, State& state) override {
    candidate_ = state;
    error_.resize(4);
    second_.resize(4);
    error_ << 100, 6, 0, 0;     // norm of the tangential part 3
    second_ << 1000, 80, 0, 0;  // 40
    return system.multipliers(state);
  }
  Step attempt(double) override {
    return {.state = &candidate_, .error = &error_, .second_error = &second_, .error_order = 20};
  }
  Status accept(State&, const Vector*) override { return Status::ok; }
  Status interpolate(double, State&) override { return Status::ok; }

 private:
  State candidate_;
  Vector error_, second_;
};

class Listening final : public StepController {
 public:
  explicit Listening(bool tangential) : StepController({.judges_tangential = tangential}) {}
  const Tolerance* tolerance() const override { return &absolute; }
  std::optional<double> fixed_step() const override { return 1; }
  Verdict judge(const Assessment& step) override {
    heard = step.error;
    return {.accept = true, .next_h = 1};
  }
  Verdict shrink(double) override { return {false, 0}; }
  double heard = 0;
};

TEST(ErrorSize, TheLoopTakesTheNormalPartFromBoth) {
  const auto problem = make_problem(problems::Pendulum{});
  const State start = state_of(*problem, {1, 0, 0, 0});
  const Options options{.t_end = 1, .step = 1};
  Pipeline pipeline = assemble(*problem, {}, options);
  pipeline.integrator = std::make_unique<FixedErrors>();
  auto controller = std::make_unique<Listening>(true);
  const Listening& listening = *controller;
  pipeline.controller = std::move(controller);
  EXPECT_TRUE(solve(*problem, pipeline, start, options).complete());
  EXPECT_NEAR(listening.heard, 9. / 5, 1e-14);
}

}  // namespace
}  // namespace driftless::tests
