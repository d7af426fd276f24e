// Events whose functions read multipliers: a rope goes slack where its tension passes zero.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

constexpr double gravity = 9.81;

// A point mass on a rope of length 1. It starts at the bottom with the speed v, v^2 = 3.5 gravity, so that
// its tension, v^2 - gravity y by the balance of forces along the rope, is 3 gravity (1/2 - y): zero at y =
// 1/2.
struct Rope {
  static constexpr int nq = 2, ng = 1;
  void force(auto, auto, auto, auto f) const { f[1] = -gravity; }
  void constraint(auto, auto q, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0; }
};
constexpr double slack_height = 0.5;

class MultiplierEvents : public testing::Test {
 protected:
  static Event slack(std::function<double(const State&)> value) {
    return {.name = "slack", .value = std::move(value), .direction = Direction::falling, .terminal = true};
  }
  static Event slack() {
    return slack([](const State& s) { return s.lambda(0); });
  }
  Solution run(const Method& method, const Options& options) const {
    return solve(*problem, start, method, options);
  }
  const std::shared_ptr<const Problem> problem = make_problem(Rope{});
  const State start = make_state(*problem, {{0, -1}, {std::sqrt(3.5 * gravity), 0}});
  const Options tight{.t_end = 2, .rtol = 1e-9, .atol = 1e-9, .events = {slack()}};
};

// With the integrator that each formulation has by itself. Regularized ones have that tension up to their
// epsilon.
TEST_F(MultiplierEvents, EveryFormulationFindsTheSlackRope) {
  for (const auto& row : catalog::formulation_table()) {
    const Solution s = run({.formulation = row.name}, tight);
    ASSERT_EQ(s.end, EndReason::event) << row.name << ": " << s.end_message;
    EXPECT_NEAR(s.final.q()(1), slack_height, 2e-6) << row.name;
    EXPECT_NEAR(s.final.lambda(0), 0, 1e-6) << row.name;
    EXPECT_NEAR(s.events.back().state.lambda(0), s.final.lambda(0), 1e-13) << row.name;
  }
}

TEST_F(MultiplierEvents, EveryFamilyOfIntegratorsFindsIt) {
  struct Case {
    const char *formulation, *integrator;
    double tolerance;  // of the motion itself
  };
  for (const Case& c : {Case{"ggl", "radau5", 1e-6},
                        {"index2", "radau5", 1e-6},
                        {"index3", "radau5", 1e-5},
                        {"index2-baumgarte", "bdf", 1e-6},
                        {"ggl", "generalized-alpha", 1e-3},
                        {"index2", "half-explicit", 1e-6},
                        {"index1", "dop853", 1e-7}}) {
    const Solution s = run({.formulation = c.formulation, .integrator = c.integrator}, tight);
    ASSERT_EQ(s.end, EndReason::event) << c.formulation << " " << c.integrator << ": " << s.end_message;
    EXPECT_NEAR(s.final.q()(1), slack_height, c.tolerance) << c.formulation << " " << c.integrator;
    EXPECT_NEAR(s.final.lambda(0), 0, 1e-9) << c.formulation << " " << c.integrator;
  }
  Options fixed = tight;
  fixed.rtol = fixed.atol = std::nullopt;
  fixed.step = 1e-3;
  for (const Case& c : {Case{"ggl", "backward-euler", 0.05},
                        {"index1", "rk4", 1e-8},
                        {"index1", "ab4", 1e-7},
                        {"index3", "rattle", 1e-4}}) {
    const Solution s = run({.formulation = c.formulation, .integrator = c.integrator}, fixed);
    ASSERT_EQ(s.end, EndReason::event) << c.formulation << " " << c.integrator << ": " << s.end_message;
    EXPECT_NEAR(s.final.q()(1), slack_height, c.tolerance) << c.formulation << " " << c.integrator;
    EXPECT_NEAR(s.final.lambda(0), 0, 1e-9) << c.formulation << " " << c.integrator;
  }
}

// How a function reads them does not matter: NaN in their place is swallowed by max() and by comparisons.
TEST_F(MultiplierEvents, ReadersAreFoundHoweverTheyRead) {
  const std::function<double(const State&)> ways[] = {
      [](const State& s) { return std::max(0.0, s.lambda(0)) - 1e-9; },
      [](const State& s) { return s.q()(1) > 0 ? s.lambda(0) : 1.0; },
      [](const State& s) { return s.lambda(0) > 0 ? 1.0 : -1.0; },
      [](const State& s) -> double {
        if (std::isnan(s.lambda(0))) throw std::runtime_error("not a tension");
        return s.lambda(0);
      }};
  for (const auto& way : ways)
    for (const char* formulation : {"index1", "ggl"}) {
      Options options = tight;
      options.events = {slack(way)};
      const Solution s = run({.formulation = formulation}, options);
      ASSERT_EQ(s.end, EndReason::event) << formulation << ": " << s.end_message;
      EXPECT_NEAR(s.final.q()(1), slack_height, 2e-6) << formulation;
    }
}

// An event of positions costs no right-hand side.
TEST_F(MultiplierEvents, OthersCostNothing) {
  Options none = tight;
  none.events.clear();
  none.t_end = 0.3;  // before anything happens
  Options places = none, tensions = none;
  places.events = {{.name = "top", .value = [](const State& s) { return s.q()(1) - 2; }}};
  tensions.events = {slack()};
  const Solution alone = run({}, none), with = run({}, places), reading = run({}, tensions);
  EXPECT_EQ(with.work.rhs, alone.work.rhs);
  EXPECT_GT(reading.work.rhs, alone.work.rhs);
  EXPECT_EQ(reading.final.z, alone.final.z);  // and has no influence on the motion
}

}  // namespace
}  // namespace driftless::tests
