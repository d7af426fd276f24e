// The rules of predictive step control, each with numbers of its own; error_order 3, so that errors go with h^4.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

std::unique_ptr<StepController> controller(const std::string& text = "predictive:safety=0.5,keep=1") {
  const NamedChoice choice = parse_choice(text);
  const ControllerEntry& entry = catalog::controller(choice.name);
  auto made =
      entry.make(OptionValues(choice.name, entry.options, choice.options), {.step = {}, .tolerance = {}});
  made->start();
  return made;
}

TEST(Predictive, FirstStepIsPlain) {
  EXPECT_NEAR(controller()->judge({1. / 16, 3, 0.1}).next_h, 0.1 * 0.5 * 2, 1e-15);
  EXPECT_NEAR(controller()->judge({1e-12, 3, 0.1}).next_h, 0.8, 1e-15) << "at most 8 times";
  EXPECT_NEAR(controller()->judge({0, 3, 0.1}).next_h, 0.8, 1e-15);
  EXPECT_NEAR(controller("predictive:safety=0.1,keep=1")->judge({1, 3, 0.1}).next_h, 0.02, 1e-15)
      << "at least a fifth";
}

// Errors that grew sixteenfold at the same step will do so again: the step is halved once more. Falling ones are not trusted.
TEST(Predictive, ContinuesATrend) {
  const auto c = controller();
  c->judge({1. / 16, 3, 0.1});
  EXPECT_NEAR(c->judge({1, 3, 0.1}).next_h, 0.1 * 0.5 / 2, 1e-15);
  EXPECT_NEAR(c->judge({1. / 16, 3, 0.1}).next_h, 0.1 * 0.5 * 2, 1e-15) << "plain";
  // The step doubled and the error with h^4: nothing changed in the solution.
  const auto d = controller();
  d->judge({1. / 16, 3, 0.1});
  EXPECT_NEAR(d->judge({1, 3, 0.2}).next_h, 0.2 * 0.5, 1e-15);
}

TEST(Predictive, RejectsAndRemembersIt) {
  const auto c = controller();
  c->judge({1. / 16, 3, 0.1});
  const Verdict no = c->judge({16, 3, 0.1});
  EXPECT_FALSE(no.accept);
  EXPECT_NEAR(no.next_h, 0.1 * 0.5 / 2, 1e-15);
  EXPECT_NEAR(c->judge({1e300, 3, 0.1}).next_h, 0.02, 1e-15);
  EXPECT_FALSE(c->judge({std::nan(""), 3, 0.1}).accept);
  EXPECT_EQ(c->judge({1e-8, 3, 0.02}).next_h, 0.02) << "no growth right after a rejection";
  EXPECT_GT(c->judge({1e-8, 3, 0.02}).next_h, 0.02);
  EXPECT_EQ(c->shrink(0.1).next_h, 0.05);
  EXPECT_EQ(c->judge({1e-8, 3, 0.05}).next_h, 0.05);
}

TEST(Predictive, KeepsAStepThatMightGrowALittle) {
  const auto next = [](double error) {
    return controller("predictive:safety=0.8,keep=1.2")->judge({error, 3, 1}).next_h;
  };
  EXPECT_EQ(next(std::pow(0.8 / 1.19, 4)), 1);
  EXPECT_NEAR(next(std::pow(0.8 / 1.21, 4)), 1.21, 1e-12);
  EXPECT_NEAR(next(std::pow(0.8 / 0.99, 4)), 0.99, 1e-12) << "shrinks at once";
}

TEST(Predictive, GoesOnFromItsMemory) {
  const auto a = controller(), b = controller();
  a->judge({0.3, 3, 0.1});
  a->judge({2, 3, 0.1});
  ASSERT_TRUE(b->remember(a->memory()));
  EXPECT_EQ(a->judge({0.01, 3, 0.07}).next_h, b->judge({0.01, 3, 0.07}).next_h);
  EXPECT_EQ(a->judge({0.5, 3, 0.07}).next_h, b->judge({0.5, 3, 0.07}).next_h);
  EXPECT_FALSE(b->remember({-1, 0.1, 0}));
  EXPECT_FALSE(b->remember({0.1, 0, 0}));
}

}  // namespace
}  // namespace driftless::tests
