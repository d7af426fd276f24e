// The rules of bdf-order, one by one, with errors made up for them.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

class BdfOrderRules : public testing::Test {
 protected:
  BdfOrderRules() {
    const auto& entry = catalog::controller("bdf-order");
    controller = entry.make(OptionValues("bdf-order", entry.options, {{"growth", "1.5"}, {"safety", "2"}}),
                            {.step = std::nullopt, .tolerance = {}});
    controller->start();
  }

  // Errors at orders k - 2, k - 1, k and k + 1; below 0: not known. Terms are (j + 1) E_j.
  Verdict judge(int k, double two_below, double below, double same, double above, double h = 1) {
    const auto known = [](double error) { return error < 0 ? std::nullopt : std::optional(error); };
    return controller->judge({same, k, h, {k, known(two_below), known(below), known(same), known(above)}});
  }
  void leave_the_start() { judge(1, -1, -1, 2, -1); }  // a step that fails

  std::unique_ptr<StepController> controller;
};

constexpr double unknown = -1;

TEST_F(BdfOrderRules, TheStartDoublesAndRises) {
  EXPECT_EQ(controller->first_order(), 1);
  for (int k = 1; k <= 4; ++k) {
    const Verdict verdict = judge(k, 1, 1, 0.01, unknown);
    EXPECT_TRUE(verdict.accept);
    EXPECT_EQ(verdict.next_h, 2) << k;
    EXPECT_EQ(verdict.next_order, k + 1);
  }
  // Order 5 a second time: it can rise no further.
  judge(5, 1, 1, 0.4, unknown);
  EXPECT_LT(judge(5, 1, 1, 0.4, unknown).next_h, 2);
}

TEST_F(BdfOrderRules, TheStartEndsWhereALowerOrderIsAsGood) {
  judge(1, unknown, unknown, 0.01, unknown);
  judge(2, unknown, 1, 0.01, unknown);
  EXPECT_EQ(judge(3, 0.001, 0.001, 0.01, unknown).next_order, 2);
  EXPECT_NE(judge(2, unknown, 1, 0.4, unknown).next_order, 3);
}

TEST_F(BdfOrderRules, OrdersFall) {
  leave_the_start();
  // k = 3: T_1 = 2 E_1, T_2 = 3 E_2, T_3 = 4 E_3
  EXPECT_EQ(judge(3, 0.19, 0.13, 0.1, unknown).next_order, 2);
  EXPECT_EQ(judge(3, 0.21, 0.13, 0.1, unknown).next_order, 3) << "both must be smaller";
  EXPECT_EQ(judge(3, 0.19, 0.14, 0.1, unknown).next_order, 3);
  // k = 2: T_1 <= T_2/2
  EXPECT_EQ(judge(2, unknown, 0.07, 0.1, unknown).next_order, 1);
  EXPECT_EQ(judge(2, unknown, 0.08, 0.1, unknown).next_order, 2);
}

TEST_F(BdfOrderRules, OrdersRiseAfterEnoughSteps) {
  leave_the_start();
  EXPECT_EQ(judge(2, unknown, 1, 0.1, 0.01).next_order, 2);
  EXPECT_EQ(judge(2, unknown, 1, 0.1, 0.01).next_order, 2);
  EXPECT_EQ(judge(2, unknown, 1, 0.1, 0.01).next_order, 3) << "the third step";
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(judge(3, 1, 1, 0.1, 0.081).next_order, 3) << "T_4 = 5 E_4 is not smaller";
  EXPECT_EQ(judge(3, 1, 1, 0.1, 0.079).next_order, 4);
}

TEST_F(BdfOrderRules, StepsGrowOnlyWhereItPays) {
  leave_the_start();
  const auto factor = [](double error, int k) { return std::pow(2 * error + 1e-4, -1.0 / (k + 1)); };
  EXPECT_EQ(judge(3, 9, 9, 1e-6, unknown).next_h, 1) << "not right after a failure";
  EXPECT_EQ(judge(3, 9, 9, 0.2, unknown).next_h, 1) << "r = 1.26";
  EXPECT_NEAR(judge(3, 9, 9, 0.05, unknown).next_h, factor(0.05, 3), 1e-14);
  EXPECT_EQ(judge(3, 9, 9, 1e-6, unknown).next_h, 2);
  EXPECT_EQ(judge(3, 9, 9, 0.6, unknown).next_h, 0.9);
  EXPECT_NEAR(judge(3, 9, 9, 0.99, unknown).next_h, factor(0.99, 3), 1e-14);
}

TEST_F(BdfOrderRules, FailuresShrink) {
  Verdict verdict = judge(4, 9, 9, 1.5, unknown);
  EXPECT_FALSE(verdict.accept);
  EXPECT_NEAR(verdict.next_h, 0.9 * std::pow(3.0001, -0.2), 1e-14);
  EXPECT_EQ(verdict.next_order, 4);
  verdict = judge(4, 9, 9, 1.5, unknown);
  EXPECT_EQ(verdict.next_h, 0.25);
  verdict = judge(4, 9, 9, 1.5, unknown);
  EXPECT_EQ(verdict.next_h, 0.25);
  EXPECT_EQ(verdict.next_order, 1);
  EXPECT_EQ(judge(3, 9, 9, NAN, unknown).next_h, 0.25);
}

TEST_F(BdfOrderRules, StepsThatCannotBeSolvedShrinkByFour) {
  EXPECT_EQ(controller->shrink(1).next_h, 0.25);
  EXPECT_EQ(controller->shrink(1).next_order, 0);
  EXPECT_EQ(controller->shrink(1).next_order, 1);
}

// What it remembers makes the next verdicts the same.
TEST_F(BdfOrderRules, Remembers) {
  leave_the_start();
  judge(2, unknown, 1, 0.1, 0.01);
  judge(2, unknown, 1, 0.1, 0.01);
  const std::vector<double> memory = controller->memory();
  controller->start();
  EXPECT_TRUE(controller->remember(memory));
  EXPECT_EQ(judge(2, unknown, 1, 0.1, 0.01).next_order, 3);
}

}  // namespace
}  // namespace driftless::tests
