// What docs/stiffness.md says of radau5: steps that do not depend on the stiffness, in the formulations that theory names (Ascher, Petzold
// 1993, section 4), also where nothing damps a fast oscillation.
#include <gtest/gtest.h>

#include <cmath>

#include "stiff_runs.hpp"

namespace driftless::tests {
namespace {

Method radau5(const std::string& formulation) {
  return {.formulation = formulation, .integrator = "radau5"};
}

TEST(Radau5Stiff, EveryFormulationBearsAStiffSpring) {
  for (const char* formulation :
       {"index1", "baumgarte", "invariant-stabilized", "stabilized-index1", "index2", "index2-baumgarte",
        "index3", "ggl", "ggl:D=unit", "projected-invariants:variant=a", "projected-invariants:variant=b",
        "projected-invariants:variant=c", "state-space"}) {
    const Outcome soft = stiff_pendulum("1e3", radau5(formulation));
    for (const char* k : {"1e6", "1e9", "1e12"}) {
      const Outcome stiff = stiff_pendulum(k, radau5(formulation));
      ASSERT_TRUE(stiff.complete) << formulation << " " << k;
      EXPECT_LE(static_cast<double>(stiff.steps), 1.2 * static_cast<double>(soft.steps))
          << formulation << " " << k;
      EXPECT_LT(stiff.q, 1e-5) << formulation << " " << k;
    }
  }
}

TEST(Radau5Stiff, TransientsAreCheap) {
  for (const char* formulation : {"index1", "ggl", "index3", "projected-invariants", "state-space"}) {
    const long slow = stiff_pendulum("1e12", radau5(formulation)).steps;
    const Outcome far = stiff_pendulum("1e12", radau5(formulation), {{"stretch", "1e-6"}});
    ASSERT_TRUE(far.complete) << formulation;
    EXPECT_LT(far.steps, slow + 100) << formulation;
  }
}

// No damping: orders 3 to 5 of BDF follow such oscillations, an L-stable method does not.
TEST(Radau5Stiff, UndampedOscillationsAreDamped) {
  const long soft = stiff_pendulum("1e3", radau5("ggl"), {{"damping", "0"}}).steps;
  for (const char* k : {"1e4", "1e5", "3e5", "1e6", "1e9"}) {
    const Outcome stiff = stiff_pendulum(k, radau5("ggl"), {{"damping", "0"}});
    ASSERT_TRUE(stiff.complete) << k;
    EXPECT_LE(stiff.steps, soft) << k;
  }
}

TEST(Radau5Stiff, CorrectionsMustNotReachIntoASpring) {
  const Set absolute = {{"coordinates", "absolute"}};
  for (const char* formulation : {"index2", "index2-baumgarte", "index3", "ggl:D=unit"}) {
    const Outcome stiff = stiff_pendulum("1e12", radau5(formulation), absolute);
    ASSERT_TRUE(stiff.complete) << formulation;
    EXPECT_LT(stiff.steps, 100) << formulation;
    EXPECT_LT(stiff.q, 1e-5) << formulation;
  }
}

Outcome example(int number, const char* nu, const std::string& formulation) {
  Set set = {{"nu", nu}};
  if (number == 3) set.emplace_back("eps", "1");
  return outcome("000-example" + std::to_string(number), set, radau5(formulation), 1);
}

void expect_few_steps(int number, const std::vector<std::string>& formulations, bool velocities = false) {
  for (const std::string& formulation : formulations)
    for (const char* nu : {"1", "100", "1000", "1e4"}) {
      const Outcome run = example(number, nu, formulation);
      ASSERT_TRUE(run.complete) << formulation << " " << nu;
      EXPECT_LT(run.steps, 30) << formulation << " " << nu;
      EXPECT_LT(run.q, 1e-5) << formulation << " " << nu;
      if (velocities) {
        EXPECT_LT(run.v, 1e-5) << formulation << " " << nu;
      }
    }
}

// A constraint that turns as fast as it likes, imposed at the new time; all stages have to be solved for at once.
TEST(Radau5Stiff, Example1) {
  expect_few_steps(1, {"index2", "stabilized-index1", "projected-invariants"});
}

// F C' is implicit once the constraint is differentiated first; direct discretization has it explicit.
TEST(Radau5Stiff, Example2) {
  expect_few_steps(2, {"index1", "stabilized-index1", "projected-invariants", "state-space"});
  EXPECT_GT(example(2, "1e4", "index2").steps, 100);
}

TEST(Radau5Stiff, Example3) {
  expect_few_steps(3,
                   {"index1", "invariant-stabilized", "projected-invariants:variant=a",
                    "projected-invariants:variant=b", "projected-invariants:variant=c", "state-space"},
                   true);
  EXPECT_GT(example(3, "1e4", "ggl").steps, 100);
}

TEST(Radau5Stiff, Example4) {
  expect_few_steps(
      4, {"projected-invariants:variant=a", "projected-invariants:variant=c", "stabilized-index1"}, true);
}

}  // namespace
}  // namespace driftless::tests
