// Every stabilizer, with every F, through the same suite.
#include <gtest/gtest.h>

#include <limits>

#include "conformance/methods.hpp"

namespace driftless::tests {
namespace {

// One variant on every shape of problem that it does not refuse.
class EveryStabilizer : public testing::TestWithParam<std::string> {
 protected:
  const std::string& text() const { return GetParam(); }
  bool has(const char* word) const { return text().find(word) != std::string::npos; }
  bool is_none() const { return text() == "none"; }

  template <class Body>
  void on_every_shape(Body body) {
    for (const ShapeCase& c : shape_cases()) {
      SCOPED_TRACE(text() + " on " + c.name);
      const auto stabilizer = make_stabilizer(text());
      if (stabilizer->refuses(c.problem->shape())) continue;
      Manifold manifold(*c.problem);
      stabilizer->start(manifold);
      body(c, *stabilizer, manifold);
    }
  }
};

TEST_P(EveryStabilizer, LeavesTheManifoldAlone) {
  on_every_shape([&](const ShapeCase& c, Stabilizer& stabilizer, Manifold& manifold) {
    State state = c.start;
    const Correction fix = stabilizer.apply(manifold, state, {c.start, 0.1});
    EXPECT_EQ(fix.status, Status::ok);
    EXPECT_LT((state.z - c.start.z).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_EQ(fix.move == nullptr, is_none() || manifold.empty());
  });
}

// From a step that did not move, `forward` does what `post` does.
TEST_P(EveryStabilizer, PullsBackWhatItAnswers) {
  const bool converges = has("projection"), positions = !has("velocity"), velocities = !has("position"),
             coupled = !has("split"), partly = has("transpose") || has("sor");
  on_every_shape([&](const ShapeCase& c, Stabilizer& stabilizer, Manifold& manifold) {
    if (is_none() || manifold.empty()) return;
    State state = c.start;
    state.z += 1e-4 * Vector::LinSpaced(state.z.size(), 1, -1);
    const Vector z_before = state.z;  // quaternions off their unit length, which belongs to the move
    State from = state;
    c.problem->normalize(from.z.head(state.layout.nq));
    manifold.evaluate(state.t, from.z);
    const Vector before = manifold.h();
    const Correction fix = stabilizer.apply(manifold, state, {from, 0.1});
    ASSERT_EQ(fix.status, Status::ok);
    EXPECT_NEAR(fix.violation, before.cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_LT((*fix.move - (state.z - z_before)).cwiseAbs().maxCoeff(), 1e-15);
    manifold.evaluate(state.t, state.z);
    if (partly && !converges) {
      EXPECT_LT(manifold.h().norm(), before.norm());
      return;
    }
    // backward, alpha = 1: half of it stays. One Newton step squares 1e-4, times curvatures; sweeps end at
    // the tolerance of a displacement.
    const Vector left = manifold.h() - (has("backward") ? 0.5 : 0.0) * before;
    const double newton = has("sor") ? 1e-9 : converges ? 1e-12 : 1e-6;
    const int ng = c.problem->shape().ng;
    if (positions && ng > 0) {
      EXPECT_LT(left.head(ng).cwiseAbs().maxCoeff(), newton);
    }
    const bool velocity_met = velocities && (coupled || converges);
    if (velocity_met && manifold.rows() > ng) {
      EXPECT_LT(left.tail(manifold.rows() - ng).cwiseAbs().maxCoeff(), newton);
    }
  });
}

// What it says it removes from an error is what apply() does to one: the derivative of apply along it.
TEST_P(EveryStabilizer, RemovesFromAnErrorWhatItSays) {
  on_every_shape([&](const ShapeCase& c, Stabilizer& stabilizer, Manifold& manifold) {
    if (manifold.empty() || !stabilizer.traits.removes_errors()) return;
    const double epsilon = 1e-6;
    const Vector error = Vector::LinSpaced(c.start.z.size(), 1, 2);
    const auto applied = [&](double size) {
      State state = c.start;
      state.z += size * error;
      EXPECT_EQ(stabilizer.apply(manifold, state, {c.start, 0.1}).status, Status::ok);
      return state.z;
    };
    const Vector derivative = (applied(epsilon) - applied(-epsilon)) / (2 * epsilon);
    State state = c.start;
    ASSERT_EQ(stabilizer.apply(manifold, state, {c.start, 0.1}).status, Status::ok);
    Vector removed = error;
    stabilizer.remove_normal_part(manifold, state, removed);
    EXPECT_LT((removed - derivative).norm(), 2e-5 * (error.norm() + derivative.norm()));
  });
}

TEST_P(EveryStabilizer, NotFiniteIsAStatus) {
  on_every_shape([&](const ShapeCase& c, Stabilizer& stabilizer, Manifold& manifold) {
    if (is_none() || manifold.empty()) return;
    State state = c.start;
    state.z.setConstant(std::numeric_limits<double>::quiet_NaN());
    const State from = state;
    EXPECT_EQ(stabilizer.apply(manifold, state, {from, 0.1}).status, Status::not_finite);
  });
}

INSTANTIATE_TEST_SUITE_P(All, EveryStabilizer, testing::ValuesIn(stabilizer_variants()),
                         [](const auto& c) { return test_name(c.param); });

// At the centre of the circle its gradient vanishes: nothing answers the violation, and nothing breaks.
TEST(Stabilizers, AVanishingRowIsLeftAlone) {
  const ShapeCase& c = shape_case("mechanical");
  for (const auto& row : catalog::stabilizer_table()) {
    if (row.name == "none") continue;
    const auto stabilizer = row.entry.make(OptionValues(row.name, row.entry.options, {}));
    Manifold manifold(*c.problem);
    stabilizer->start(manifold);
    State state = c.start;
    state.z << 0, 0, 1, 0;
    const State from = state;
    const Status status = stabilizer->apply(manifold, state, {from, 0.1}).status;
    EXPECT_NE(status, Status::not_finite) << row.name;
    EXPECT_EQ(state.q(), from.q()) << row.name;
  }
}

}  // namespace
}  // namespace driftless::tests
