// Theorems 3.1 and 4.1 on the pendulum, whose motion is known exactly; Andrews' mechanism is in `driftless reproduce 002`.
#include <gtest/gtest.h>

#include <driftless/analysis/ssf_equivalence.hpp>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

using analysis::BdfStep;

// The unit pendulum without gravity: a mass on a circle at constant speed, so that history is exact.
struct Circle {
  ProblemInstance instance = catalog::make_problem("pendulum", {{"gravity", "0"}});
  State at(double t) const {
    State state = state_of(*instance.problem, {std::sin(t), -std::cos(t), std::cos(t), std::sin(t)});
    state.t = t;
    state.lambda[0] = 1;  // M v' = -lambda q
    return state;
  }
  BdfStep step(int order, double h) const {
    BdfStep step{.t = 0.7 + h, .h = h, .order = order};
    for (int i = 0; i < order; ++i) step.history.push_back(at(0.7 - i * h));
    return step;
  }
};

TEST(SsfEquivalence, HoldsToRoundoffUnlessFrozen) {
  const Circle circle;
  for (const std::string name : {"overdetermined-index1", "overdetermined-index2"})
    for (int order = 1; order <= 3; ++order) {
      const BdfStep step = circle.step(order, 0.01);
      const auto schur = build_system(*circle.instance.problem, name);
      const auto by_null_space = build_system(*circle.instance.problem, name + ":solution=null-space");
      const auto frozen = build_system(*circle.instance.problem, name + ":A2=frozen");
      const auto current = analysis::ssf_equivalence(*schur, step, {});
      EXPECT_LT(current.first_iterate, 1e-13) << name << order;
      EXPECT_LT(current.limit, 1e-12) << name << order;
      EXPECT_LT(analysis::iterates_apart(*schur, *by_null_space, step, {}), 1e-12) << name << order;
      const double defect = analysis::ssf_equivalence(*frozen, step, {}, true).limit;
      if (order == 1) {
        EXPECT_GT(defect, 1e-8) << name;
      }
      // The stabilizing multipliers are as small as the error of a step across the constraint divided by h: h^k; here h^3 for k = 2, whose
      // error h^3 q''' = -h^3 q' goes along the circle.
      const double finer = analysis::ssf_equivalence(*schur, circle.step(order, 0.0025), {}).multipliers;
      const double expected = std::pow(4, order == 2 ? 3 : order);
      EXPECT_NEAR(current.multipliers / finer, expected, 0.15 * expected) << name << order;
    }
}

TEST(SsfEquivalence, WantsEnoughHistory) {
  const Circle circle;
  BdfStep step = circle.step(3, 0.01);
  step.history.pop_back();
  const auto system = build_system(*circle.instance.problem, "overdetermined-index2");
  EXPECT_TRUE(
      contains(complaint([&] { analysis::ssf_equivalence(*system, step, {}); }), "needs 3 past states"));
}

}  // namespace
}  // namespace driftless::tests
