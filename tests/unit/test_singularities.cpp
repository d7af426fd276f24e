// The singularity monitor and the ends that singular configurations bring about, against what is known of the mechanisms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

using Kind = Singularity::Kind;

std::vector<Singularity> of_kind(const Solution& s, Kind kind) {
  std::vector<Singularity> found;
  for (const Singularity& one : s.singularities)
    if (one.kind == kind) found.push_back(one);
  return found;
}

Solution run(const ProblemInstance& p, Options options, Method method = {}) {
  if (!std::isfinite(options.t_end)) options.t_end = p.t_end;
  return solve(*p.problem, p.start, method, options);
}

// How often f changes sign along the reference.
template <class Function>
int sign_changes(const ProblemInstance& p, double t_end, Function f) {
  int changes = 0;
  double before = f(*p.reference.at(p.start.t));
  for (int i = 1; i <= 20000; ++i) {
    const double now = f(*p.reference.at(p.start.t + (t_end - p.start.t) * i / 20000));
    changes += (now > 0) != (before > 0) ? 1 : 0;
    before = now;
  }
  return changes;
}

// All bars in line: cos(crank angle) = 0, and G loses the rank N.
TEST(Singularities, NFourBarReportsEveryCrossing) {
  for (const int N : {1, 2, 5}) {
    const auto p = catalog::make_problem("n-four-bar", {{"N", std::to_string(N)}});
    const auto flat = [](const State& state) { return std::cos(state.q()(2)); };
    const Solution s = run(p, {.t_end = 10, .rtol = 1e-8});
    ASSERT_TRUE(s.complete()) << s.end_message;
    const auto crossings = of_kind(s, Kind::crossed);
    EXPECT_EQ(static_cast<int>(crossings.size()), sign_changes(p, 10, flat));
    for (const Singularity& one : crossings) {
      EXPECT_NEAR(flat(*p.reference.at(one.t)), 0, 2e-6) << "N = " << N << ", t = " << one.t;
      EXPECT_EQ(one.rank_before, 6 * N + 2);
      EXPECT_EQ(one.rank, 5 * N + 2);
      EXPECT_FALSE(one.rows.empty());
      EXPECT_NEAR(flat(one.state), 0, 1e-5) << "the configuration";
    }
    EXPECT_LT((s.final.q() - p.reference.at(10)->q()).lpNorm<Eigen::Infinity>(), 1e-6);
    ASSERT_TRUE(s.energy.has_value());
    EXPECT_LT(std::abs(s.energy->balance), 1e-4);
  }
}

// A row that vanishes has no angle to others; it counts by its own length.
TEST(Singularities, RowsThatVanish) {
  const auto p = catalog::make_problem("003-slider-crank", {{"theta0", "1.2"}});
  const Solution s = run(p, {.rtol = 1e-8});
  ASSERT_TRUE(s.complete()) << s.end_message;
  const auto crossings = of_kind(s, Kind::crossed);
  const auto angle = [](const State& state) { return state.q()(0); };
  ASSERT_EQ(static_cast<int>(crossings.size()), sign_changes(p, p.t_end, angle));
  for (const Singularity& one : crossings) {
    EXPECT_NEAR(angle(*p.reference.at(one.t)), 0, 1e-6);
    EXPECT_EQ(one.rank, 0);
    EXPECT_EQ(one.rows, std::vector<int>{0});
  }
  const auto approaches = of_kind(s, Kind::approaching);
  EXPECT_LE(approaches.size(), crossings.size());
  for (const Singularity& one : approaches) EXPECT_GT(one.size, 0);
}

TEST(Singularities, BothDeadPoints) {
  const auto p = catalog::make_problem("equal-link-slider-crank");
  const Solution s = run(p, {.rtol = 1e-8});
  ASSERT_TRUE(s.complete()) << s.end_message;
  const auto upright = [](const State& state) { return std::cos(state.q()(0)); };
  EXPECT_EQ(static_cast<int>(of_kind(s, Kind::crossed).size()), sign_changes(p, p.t_end, upright));
  EXPECT_LT((s.final.q() - p.reference.at(p.t_end)->q()).lpNorm<Eigen::Infinity>(), 1e-6);
}

// Other methods see the same crossings.
TEST(Singularities, WhateverTheMethod) {
  const auto p = catalog::make_problem("003-slider-crank");
  for (const Method& method :
       {Method{.integrator = "dop853"}, Method{.stabilizer = "projection:F=full"},
        Method{.formulation = "baumgarte", .stabilizer = "none"}, Method{.formulation = "ggl"},
        Method{.formulation = "index1", .integrator = "radau5"}}) {
    const Solution s = run(p, {.rtol = 1e-7}, method);
    ASSERT_TRUE(s.complete()) << s.end_message;
    EXPECT_EQ(of_kind(s, Kind::crossed).size(), 5u) << method.formulation << " " << method.integrator;
  }
}

TEST(Singularities, RegularMechanismsHaveNone) {
  for (const char* name : {"andrews", "pendulum", "car-axis", "four-bar", "heavy-top", "chaplygin-sleigh"}) {
    const Solution s = run(catalog::make_problem(name), {});
    ASSERT_TRUE(s.complete()) << s.end_message;
    EXPECT_TRUE(of_kind(s, Kind::crossed).empty()) << name;
    EXPECT_TRUE(of_kind(s, Kind::rank_changed).empty()) << name;
    for (const std::string& note : s.notes) EXPECT_FALSE(contains(note, "redundant")) << name << ": " << note;
  }
}

// From the very configuration in which all bars are in line, on the branch of parallel cranks.
TEST(Singularities, AStartInASingularConfiguration) {
  const auto p = catalog::make_problem("n-four-bar");
  const double pi = std::numbers::pi;
  State flat = p.start;
  const double rate = -3;
  for (int k = 0; k <= 2; ++k) {
    flat.q().segment(3 * k, 3) << k + 0.5, 0, -pi / 2;
    flat.v().segment(3 * k, 3) << 0, 0.5 * rate, rate;
  }
  for (int k = 1; k <= 2; ++k) {
    flat.q().segment(3 * (2 + k), 3) << k + 0.5, 0, 0;
    flat.v().segment(3 * (2 + k), 3) << 0, rate, 0;
  }
  const Solution s = solve(*p.problem, flat, {}, {.t_end = 1, .rtol = 1e-8});
  ASSERT_TRUE(s.complete()) << s.end_message;
  const auto changes = of_kind(s, Kind::rank_changed);
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(changes.front().rank_before, 12);
  EXPECT_EQ(changes.front().rank, 14);
  for (int k = 1; k <= 2; ++k) EXPECT_NEAR(s.final.q()(3 * k + 2), s.final.q()(2), 1e-7) << "parallel cranks";
  ASSERT_TRUE(s.energy.has_value());
  EXPECT_LT(std::abs(s.energy->balance), 1e-4);
}

TEST(SingularEnds, LockUpIsExplained) {
  const auto p = catalog::make_problem("lock-up-slider-crank");
  for (const Method& method : {Method{}, Method{.formulation = "baumgarte"}, Method{.formulation = "ggl"},
                               Method{.formulation = "index1", .integrator = "radau5"}}) {
    const Solution s = run(p, {}, method);
    EXPECT_EQ(s.end, EndReason::lock_up) << method.formulation << ": " << s.end_message;
    EXPECT_NEAR(s.final.t, std::numbers::pi / 6, 1e-3) << method.formulation;
    EXPECT_TRUE(contains(s.end_message, "lock-up at t = 0.52")) << s.end_message;
    EXPECT_TRUE(contains(s.end_message, "drive of the crank")) << s.end_message;
    EXPECT_GT(s.states.size(), 10u) << "what was computed is kept";
  }
}

TEST(SingularEnds, ImpasseIsExplained) {
  const auto p = catalog::make_problem("impasse");
  const Solution s = run(p, {});
  EXPECT_EQ(s.end, EndReason::impasse) << s.end_message;
  EXPECT_NEAR(s.final.t, std::log(2.0), 1e-4);
  EXPECT_TRUE(contains(s.end_message, "an impasse at t = 0.69")) << s.end_message;
  EXPECT_GT(s.states.size(), 10u);
}

TEST(SingularEnds, ContradictionsAtTheStart) {
  const auto p = catalog::make_problem("redundant-pendulum", {{"gap", "0.1"}});
  const std::string said = complaint([&] { run(p, {}); });
  EXPECT_TRUE(contains(said, "the constraints contradict each other at the start")) << said;
  EXPECT_TRUE(contains(said, "rod length again depends on rod length")) << said;
  // Where the first row is met, |q|^2 = 1, the second one, (|q|^2 - 1.1)/2, is not.
  EXPECT_TRUE(contains(said, "residual -0.05 of rod length again")) << said;
}

TEST(SingularEnds, ContradictionsThatAppearLater) {
  const auto p = catalog::make_problem("redundant-pendulum", {{"growth", "1e-5"}});
  for (const char* stabilizer : {"post", "projection", "none"}) {
    const Solution s = run(p, {.t_end = 10}, {.stabilizer = stabilizer});
    EXPECT_EQ(s.end, EndReason::contradiction) << stabilizer << ": " << s.end_message;
    EXPECT_TRUE(contains(s.end_message, "rod length again depends on rod length")) << s.end_message;
    EXPECT_GT(s.states.size(), 2u);
    EXPECT_LT(s.final.t, 2) << stabilizer;
  }
}

}  // namespace
}  // namespace driftless::tests
