// Adams-Bashforth methods: weights, exactness on equal and unequal steps, history under rejections and moves,
// starters.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "adams_walk.hpp"
#include "integrators/common/adams_bashforth.hpp"
#include "support/allocation_counter.hpp"
#include "support/problems.hpp"

namespace driftless::tests {
namespace {

using integrators::AdamsValues;
using integrators::integration_weights;

// The classical coefficients (Hairer, Norsett, Wanner I, III.1), newest first.
AdamsValues classical(int k) {
  switch (k) {
    case 2:
      return {3. / 2, -1. / 2};
    case 3:
      return {23. / 12, -16. / 12, 5. / 12};
    case 4:
      return {55. / 24, -59. / 24, 37. / 24, -9. / 24};
    default:
      return {1901. / 720, -2774. / 720, 2616. / 720, -1274. / 720, 251. / 720};
  }
}

TEST(AdamsWeights, AreTheClassicalOnesOnAUniformGrid) {
  for (int k = 2; k <= 5; ++k) {
    const AdamsValues w = integration_weights({0, -1, -2, -3, -4}, k, 1);
    for (std::size_t i = 0; i < w.size(); ++i) EXPECT_NEAR(w[i], classical(k)[i], 1e-15) << k << " " << i;
  }
}

// The moments sum w_i s_i^m = x^(m+1)/(m+1), m < k, define the weights.
TEST(AdamsWeights, HaveTheMomentsOnAnyGrid) {
  const AdamsValues nodes = {1, 0, -0.3, -1.9, -2.1};
  for (int k = 2; k <= 5; ++k)
    for (const double x : {0.25, 1.0, 1.5}) {
      const AdamsValues w = integration_weights(nodes, k, x);
      for (int m = 0; m < k; ++m) {
        double sum = 0;
        for (std::size_t i = 0; i < w.size(); ++i) sum += w[i] * std::pow(nodes[i], m);
        EXPECT_NEAR(sum, std::pow(x, m + 1) / (m + 1), 3e-14) << k << " " << x << " " << m;
      }
    }
}

class AdamsBashforthTest : public testing::TestWithParam<int> {
 protected:
  const int k = GetParam();
};

TEST_P(AdamsBashforthTest, FactsInTheTable) {
  const auto& entry = catalog::integrator("ab" + std::to_string(k));
  EXPECT_EQ(entry.order, k);
  EXPECT_EQ(entry.dense_order, k);
  EXPECT_FALSE(entry.traits.error_estimate);
}

TEST_P(AdamsBashforthTest, ExactUpToItsOrderAndNotBeyond) {
  for (const auto& steps : {std::vector<double>(9, 0.1), unequal}) {
    for (int degree = 1; degree <= k + 1; ++degree) {
      Walk walk(k, Power{degree}, 0.5, {std::pow(0.5, degree)});
      for (const double h : steps) {
        walk.step(h);
        if (degree <= k) {
          EXPECT_NEAR(walk.x(), std::pow(walk.t(), degree), 2e-14) << degree << " " << walk.t();
        }
      }
      if (degree > k) {
        EXPECT_GT(std::abs(walk.x() - std::pow(walk.t(), degree)), 1e-5);
      }
    }
  }
}

// After the starter's k - 1 steps each step is the classical formula, with the right-hand sides at the moved
// states.
TEST_P(AdamsBashforthTest, TakesTheClassicalStepAlsoAfterMoves) {
  const double h = 0.1;
  for (const double move : {0.0, 0.01}) {
    Walk walk(k, Decay{1}, 0, {1});
    for (int n = 0; n < 12; ++n) {
      walk.step(h, move);
      if (n < k - 1) continue;
      const std::size_t now = walk.states.size() - 2;
      double expected = walk.states[now].z(0) + move;
      for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i)
        expected -= h * classical(k)[i] * walk.states[now - i].z(0);
      EXPECT_NEAR(walk.x(), expected, 2e-15) << n;
    }
  }
}

TEST_P(AdamsBashforthTest, MultipliersBelongToTheMovedState) {
  const ShapeCase& c = shape_case("mechanical");
  const auto system = build_system(*c.problem, "index1");
  const auto integrator = make_ab(k);
  State state = c.start;
  ASSERT_EQ(integrator->start(*system, state), Status::ok);
  for (int n = 0; n < k + 2; ++n) {
    State& candidate = *integrator->attempt(0.01).state;
    const Vector before = candidate.z;
    candidate.z << 0.6, -0.8, 0.8, 0.6;
    const Vector move = candidate.z - before;
    ASSERT_EQ(integrator->accept(candidate, &move), Status::ok);
    EXPECT_NEAR(candidate.lambda(0), 1.8, 1e-14) << n;  // m (v^2 - gravity y)/l^2
  }
}

TEST_P(AdamsBashforthTest, RejectedAndFailedStepsLeaveNoTrace) {
  Walk straight(k, Decay{1}, 0, {1}), detour(k, Decay{1}, 0, {1});
  for (const double h : unequal) {
    straight.step(h);
    detour.integrator->attempt(2 * h);
    const Step failed = detour.integrator->attempt(std::numeric_limits<double>::infinity());
    EXPECT_NE(failed.status, Status::ok);
    EXPECT_GT(failed.failed_t, detour.t());
    ASSERT_NE(failed.failed_y, nullptr);
    State& outside = *detour.integrator->attempt(h / 3).state;
    outside.z(0) = 100;  // where the model has no value
    const Vector move = Vector::Constant(1, 99);
    EXPECT_EQ(detour.integrator->accept(outside, &move), Status::not_finite);
    detour.step(h);
    EXPECT_EQ(detour.x(), straight.x()) << detour.t();
    EXPECT_EQ(detour.at(detour.t() - h / 4), straight.at(detour.t() - h / 4));
  }
}

TEST_P(AdamsBashforthTest, RestartForgetsEverything) {
  Walk walk(k, Decay{1}, 0, {1}), fresh(k, Decay{1}, 0, {1});
  for (const double h : unequal) walk.step(h, 0.1);
  walk.restart();
  EXPECT_EQ(walk.at(0), 1);
  for (const double h : unequal) {
    walk.step(h);
    fresh.step(h);
    EXPECT_EQ(walk.x(), fresh.x());
    EXPECT_EQ(walk.at(walk.t() - h / 2), fresh.at(walk.t() - h / 2));
  }
}

TEST_P(AdamsBashforthTest, OneRightHandSidePerStep) {
  Walk walk(k, Decay{1}, 0, {1});
  for (int n = 0; n < k - 1; ++n) walk.step(0.1);
  const long before = walk.system->work().rhs;
  for (int n = 0; n < 10; ++n) walk.step(0.1);
  EXPECT_EQ(walk.system->work().rhs - before, 10);
}

TEST_P(AdamsBashforthTest, DoesNotAllocate) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "a sanitizer owns malloc";
  Walk walk(k, Decay{1}, 0, {1});
  State between = walk.begin;
  const Vector move = Vector::Zero(1);
  walk.step(0.1);
  walk.restart();
  EXPECT_EQ(allocation_counter::during([&] {
              for (const double h : unequal) {
                walk.integrator->attempt(h / 2);
                State& candidate = *walk.integrator->attempt(h).state;
                walk.integrator->accept(candidate, &move);
                walk.integrator->interpolate(candidate.t - h / 3, between);
              }
            }),
            0);
}

// ---- starters ----

TEST_P(AdamsBashforthTest, OrderWithEveryStarter) {
  // The starter's local error h^(p+1), made a fixed number of times, is a global one of the same power.
  const std::pair<const char*, int> starters[] = {
      {"forward-euler", 1}, {"explicit-midpoint", 2}, {"heun", 2}, {"kutta3", 3}, {"rk4", 4}, {"dopri5", 5},
      {"dop853", 8}};
  for (const auto& [name, p] : starters) {
    const auto error = [&, start = name](int steps) {
      Walk walk(k, Decay{1}, 0, {1}, start);
      for (int n = 0; n < steps; ++n) walk.step(1. / steps);
      return std::abs(walk.x() - std::exp(-1));
    };
    EXPECT_NEAR(std::log2(error(128) / error(256)), std::min(k, p + 1), 0.2) << name << " " << error(128);
  }
}

TEST_P(AdamsBashforthTest, NamesTheStartersWhenTheChoiceIsWrong) {
  const std::string said = complaint([&] { make_ab(k, "rk5"); });
  EXPECT_EQ(said.find("option start of ab" + std::to_string(k) +
                      " is 'rk5' (one of: forward-euler, "
                      "explicit-midpoint, heun, kutta3, rk4, dopri5, dop853)"),
            0u)
      << said;
}

INSTANTIATE_TEST_SUITE_P(All, AdamsBashforthTest, testing::Values(2, 3, 4, 5),
                         [](const auto& c) { return "ab" + std::to_string(c.param); });

}  // namespace
}  // namespace driftless::tests
