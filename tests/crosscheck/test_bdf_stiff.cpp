// What docs/stiffness.md says: the number of steps of bdf stays bounded while the stiffness grows, and the error near the tolerance, in
// the formulations that theory names (Ascher, Petzold 1993, section 4) and in no other; an explicit method follows the fast scale.
#include <gtest/gtest.h>

#include <cmath>

#include "stiff_runs.hpp"

namespace driftless::tests {
namespace {

Method bdf(const std::string& formulation, const std::string& stabilizer = "") {
  return {.formulation = formulation, .integrator = "bdf", .stabilizer = stabilizer};
}

TEST(BdfStiff, EveryFormulationBearsAStiffSpring) {
  for (const char* formulation :
       {"index1", "baumgarte", "invariant-stabilized", "stabilized-index1", "index2", "index2-baumgarte",
        "index3", "ggl", "ggl:D=unit", "projected-invariants:variant=a", "projected-invariants:variant=b",
        "projected-invariants:variant=c", "state-space", "overdetermined-index1", "overdetermined-index2"}) {
    const Outcome soft = stiff_pendulum("1e6", bdf(formulation));
    for (const char* k : {"1e9", "1e12"}) {
      const Outcome stiff = stiff_pendulum(k, bdf(formulation));
      ASSERT_TRUE(stiff.complete) << formulation << " " << k;
      EXPECT_LE(static_cast<double>(stiff.steps), 1.5 * static_cast<double>(soft.steps))
          << formulation << " " << k;
      EXPECT_LT(stiff.q, 1e-4) << formulation << " " << k;
    }
  }
  // A rate of sqrt(k): ten times more steps for k a hundred times larger.
  const Method explicit_method{.integrator = "dopri5"};
  const Outcome soft = stiff_pendulum("1e6", explicit_method), stiff = stiff_pendulum("1e8", explicit_method);
  ASSERT_TRUE(stiff.complete);
  EXPECT_NEAR(static_cast<double>(stiff.steps) / static_cast<double>(soft.steps), 10, 3);
  EXPECT_FALSE(stiff_pendulum("1e12", explicit_method).complete);
}

// The damped transient costs a number of steps that is proportional to log k.
TEST(BdfStiff, TransientsAreCheap) {
  for (const char* formulation : {"index1", "ggl", "index3", "projected-invariants", "state-space"}) {
    const Set off = {{"stretch", "1e-6"}};
    const long slow = stiff_pendulum("1e12", bdf(formulation)).steps;
    const Outcome stiff = stiff_pendulum("1e12", bdf(formulation), off);
    ASSERT_TRUE(stiff.complete) << formulation;
    EXPECT_LT(stiff.steps, slow + 200) << formulation;
  }
}

// The stretch in the constraint: those that let lambda act alone do not feel it, a correction along G^T does.
TEST(BdfStiff, CorrectionsMustNotReachIntoASpring) {
  const Set absolute = {{"coordinates", "absolute"}};
  for (const char* formulation : {"index2", "index2-baumgarte", "index3", "ggl:D=unit"}) {
    const Outcome stiff = stiff_pendulum("1e12", bdf(formulation), absolute);
    ASSERT_TRUE(stiff.complete) << formulation;
    EXPECT_LT(stiff.steps, 300) << formulation;
    EXPECT_LT(stiff.q, 1e-4) << formulation;
  }
  EXPECT_LT(stiff_pendulum("1e12", bdf("index1", "none"), absolute).steps, 300);
  EXPECT_FALSE(stiff_pendulum("1e12", bdf("index1", "post"), absolute).complete);
}

TEST(BdfStiff, Flyball) {
  const Outcome implicit_run = outcome("flyball", {}, bdf("index1"), 10),
                explicit_run = outcome("flyball", {}, {.integrator = "dopri5"}, 10, 1e-6, 100000);
  ASSERT_TRUE(implicit_run.complete && explicit_run.complete);
  EXPECT_LT(implicit_run.q, 1e-4);
  EXPECT_GT(explicit_run.steps, 10 * implicit_run.steps);
}

Outcome example(int number, const char* nu, const Method& method, double tolerance = 1e-6) {
  return outcome("000-example" + std::to_string(number), {{"nu", nu}}, method, 1, tolerance);
}

// F C' is implicit once the constraint is differentiated first, (4.3); direct discretization has it explicit, (4.4).
TEST(BdfStiff, Example2) {
  for (const char* formulation :
       {"index1", "invariant-stabilized", "stabilized-index1", "projected-invariants", "state-space"})
    for (const char* nu : {"1", "100", "1000", "1e4"}) {
      const Outcome run = example(2, nu, bdf(formulation));
      ASSERT_TRUE(run.complete) << formulation << " " << nu;
      EXPECT_LT(run.steps, 60) << formulation << " " << nu;
      EXPECT_LT(run.q, 1e-4) << formulation << " " << nu;
    }
  for (const char* formulation : {"index2", "projected-invariants:D=input", "baumgarte:gamma=1e4"})
    EXPECT_GT(example(2, "1000", bdf(formulation)).steps, 1000) << formulation;
  // Stability alone: steps proportional to nu. At the limit, nu h = 2 (2 - t), there are nu log(2)/2 of them.
  const long some = example(2, "1000", bdf("index2"), 1e-2).steps,
             many = example(2, "1e4", bdf("index2"), 1e-2).steps;
  EXPECT_NEAR(static_cast<double>(many) / static_cast<double>(some), 10, 4);
  EXPECT_NEAR(std::log2(static_cast<double>(many) / (1e4 * std::log(2.0) / 2)), 0, 2);
}

// D = G^T or no multiplier at all survives a nearly singular mass matrix; lambda together with an imposed constraint does not.
TEST(BdfStiff, Example3) {
  for (const char* eps : {"0", "1", "2"}) {
    const auto run = [&](const char* formulation) {
      return outcome("000-example3", {{"nu", "1000"}, {"eps", eps}}, bdf(formulation), 1);
    };
    for (const char* formulation :
         {"index1", "invariant-stabilized", "projected-invariants:variant=a",
          "projected-invariants:variant=b", "projected-invariants:variant=c", "state-space"}) {
      ASSERT_TRUE(run(formulation).complete) << formulation;
      EXPECT_LT(run(formulation).steps, 60) << formulation;
      EXPECT_LT(run(formulation).q, 1e-4) << formulation;
      EXPECT_LT(run(formulation).v, 1e-4) << formulation;
    }
    for (const char* formulation : {"index2", "ggl", "projected-invariants:D=input"})
      EXPECT_GT(run(formulation).steps, 1000) << formulation;
    // Its velocities cannot be had to the tolerance there, and it says so.
    EXPECT_FALSE(run("index3").complete);
  }
}

// Imposed at the new time, a constraint may turn as fast as it likes.
TEST(BdfStiff, Example1) {
  for (const char* formulation : {"index2", "stabilized-index1", "projected-invariants"})
    for (const char* nu : {"100", "1000", "1e4"}) {
      const Outcome run = example(1, nu, bdf(formulation));
      ASSERT_TRUE(run.complete) << formulation << " " << nu;
      EXPECT_LT(run.steps, 100) << formulation << " " << nu;
      EXPECT_LT(run.q, 1e-4) << formulation << " " << nu;
    }
  const Outcome drifting = example(1, "1000", bdf("index1", "none"));
  EXPECT_TRUE(!drifting.complete || drifting.q > 1e-2);
}

// 0 = g' makes nu times the error of q one of v; variants a and c do not need steps for that.
TEST(BdfStiff, Example4) {
  for (const char* formulation :
       {"projected-invariants:variant=a", "projected-invariants:variant=c", "stabilized-index1"})
    for (const char* nu : {"100", "1000", "1e4"}) {
      const Outcome run = example(4, nu, bdf(formulation));
      ASSERT_TRUE(run.complete) << formulation << " " << nu;
      EXPECT_LT(run.steps, 200) << formulation << " " << nu;
      EXPECT_LT(run.q, 1e-4) << formulation << " " << nu;
      EXPECT_LT(run.v, 1e-4) << formulation << " " << nu;
    }
  for (const char* formulation : {"ggl", "projected-invariants:variant=b"}) {
    const Outcome slow = example(4, "100", bdf(formulation)), fast = example(4, "1000", bdf(formulation));
    EXPECT_NEAR(std::log10(static_cast<double>(fast.steps) / static_cast<double>(slow.steps)), 1, 0.4)
        << formulation;
    EXPECT_NEAR(fast.v / (1000 * fast.q), 1, 0.2) << formulation;
  }
}

// Orders above 2 follow an undamped oscillation smaller than the tolerance; order 2 damps it.
TEST(BdfStiff, UndampedOscillations) {
  const auto steps = [](const char* k, const char* integrator) {
    return outcome("stiff-pendulum", {{"k", k}, {"damping", "0"}, {"stretch", "1e-6"}},
                   {.formulation = "ggl", .integrator = integrator}, 2, 1e-5)
        .steps;
  };
  EXPECT_GT(steps("1e6", "bdf"), 15 * steps("1e3", "bdf"));
  EXPECT_LT(steps("1e6", "bdf:max_order=2"), 2 * steps("1e3", "bdf:max_order=2"));
  EXPECT_GT(steps("1e6", "bdf"), 2 * steps("1e6", "bdf:max_order=2"));
}

}  // namespace
}  // namespace driftless::tests
