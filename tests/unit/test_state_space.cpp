// state-space: its right-hand side against formulas of the paper and against `index1`, its map to z and the
// derivatives by differences, on every shape of problem; what it refuses and says.
#include <gtest/gtest.h>

#include "support/models.hpp"
#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

// u' for R = (1, 0), with x_2 eliminated by hand: Examples 1 and 2 of Ascher, Petzold (1993) become
//   u' = -(1 + nu tan nu t) u + (2 + nu tan nu t) e^t      and      u' = -(nu/(2-t)) u + (1 + nu/(2-t)) e^t
TEST(StateSpace, RightHandSideOfTheExamples) {
  const double nu = 7;
  const auto compare = [&](const char* name, auto decay) {
    const auto p = catalog::make_problem(name, {{"nu", "7"}});
    const auto system = build_system(*p.problem, "state-space:R=1;0");
    system->anchor(p.start);
    ASSERT_EQ(system->size(), 1);
    Vector y(1), dy(1);
    Matrix dy_y(1, 1);
    for (const double t : {0.0, 0.1, 0.3, 0.77})
      for (const double u : {-2.0, 0.5, 3.0}) {
        y << u;
        ASSERT_EQ(system->ode()->rhs(t, y, dy), Status::ok);
        ASSERT_EQ(system->ode()->jacobian(t, y, dy_y), Status::ok);
        const double lambda = decay(t), expected = -lambda * u + (1 + lambda) * std::exp(t);
        EXPECT_NEAR(dy(0), expected, 1e-12 * (1 + std::abs(lambda) * 10)) << name << " " << t << " " << u;
        EXPECT_NEAR(dy_y(0, 0), -lambda, 1e-12 * (1 + std::abs(lambda) * 10)) << name << " " << t;
      }
  };
  compare("000-example1", [&](double t) { return 1 + nu * std::tan(nu * t); });
  compare("000-example2", [&](double t) { return nu / (2 - t); });
}

// A point of the chart away from its base, beside which nothing vanishes.
class StateSpaceOnEveryShape : public testing::TestWithParam<ShapeCase> {
 protected:
  void SetUp() override {
    const ShapeCase& c = GetParam();
    system = build_system(*c.problem, "state-space");
    system->anchor(c.start);
    y.resize(system->size());
    system->pack(c.start, y);
    t = c.start.t + (c.problem->shape().moving ? 0.05 : 0);
    y += 0.1 * Vector::LinSpaced(y.size(), 1, -0.5);
    state = c.start;
    system->unpack(t, y, state);
    ASSERT_TRUE(state.z.allFinite());
  }
  const Shape& shape() const { return GetParam().problem->shape(); }
  Vector z_of(const Vector& at) const {
    State s = state;
    system->unpack(t, at, s);
    return s.z;
  }
  std::unique_ptr<System> system;
  double t = 0;
  Vector y;
  State state;
};

TEST_P(StateSpaceOnEveryShape, StatesAreOnTheManifoldAndHaveTheseCoordinates) {
  Manifold manifold(*GetParam().problem);
  ASSERT_EQ(manifold.evaluate(t, state.z), Status::ok);
  const double speed = 1 + state.z.lpNorm<Eigen::Infinity>();
  if (!manifold.empty()) {
    EXPECT_LT(manifold.h().lpNorm<Eigen::Infinity>(), 1e-14 * speed);
  }
  Vector back(y.size());
  system->pack(state, back);
  EXPECT_LT((back - y).lpNorm<Eigen::Infinity>(), 1e-14 * speed);
  Vector normalized = state.q();
  GetParam().problem->normalize(normalized);
  EXPECT_LT((normalized - state.q()).lpNorm<Eigen::Infinity>(), 1e-15);
  // As many unknowns as there are freedoms.
  EXPECT_EQ(system->size(),
            shape().nv - shape().ng + (shape().order - 1) * (shape().nv - shape().ng - shape().nk));
}

// u is linear in z, so that u' is the same map of z' of the underlying ODE.
TEST_P(StateSpaceOnEveryShape, FollowsTheUnderlyingOde) {
  const auto index1 = build_system(*GetParam().problem, "index1");
  State rate = state, with_multipliers = state;
  ASSERT_EQ(index1->ode()->rhs(t, state.z, rate.z), Status::ok);
  Vector expected(y.size()), dy(y.size());
  system->pack(rate, expected);
  ASSERT_EQ(system->ode()->rhs(t, y, dy, &with_multipliers), Status::ok);
  EXPECT_LT((dy - expected).lpNorm<Eigen::Infinity>(), 1e-12 * (1 + expected.lpNorm<Eigen::Infinity>()));
  ASSERT_EQ(index1->multipliers(state), Status::ok);
  EXPECT_LT((with_multipliers.lambda - state.lambda).norm(), 1e-12 * (1 + state.lambda.norm()));
  EXPECT_LT((with_multipliers.kappa - state.kappa).norm(), 1e-12 * (1 + state.kappa.norm()));
}

TEST_P(StateSpaceOnEveryShape, JacobianByDifferences) {
  const auto n = y.size();
  Matrix jacobian(n, n), differences(n, n);
  ASSERT_EQ(system->ode()->jacobian(t, y, jacobian), Status::ok);
  const double s = 1e-5;
  for (Eigen::Index j = 0; j < n; ++j) {
    Vector plus(n), minus(n);
    ASSERT_EQ(system->ode()->rhs(t, y + s * Vector::Unit(n, j), plus), Status::ok);
    ASSERT_EQ(system->ode()->rhs(t, y - s * Vector::Unit(n, j), minus), Status::ok);
    differences.col(j) = (plus - minus) / (2 * s);
  }
  EXPECT_LT((jacobian - differences).lpNorm<Eigen::Infinity>(),
            1e-8 * (1 + jacobian.lpNorm<Eigen::Infinity>()))
      << jacobian << "\n\n"
      << differences;
}

TEST_P(StateSpaceOnEveryShape, ErrorsAreThoseOfZ) {
  const Vector error = Vector::LinSpaced(y.size(), -0.7, 1);
  const double s = 1e-5;
  const Vector expected = (z_of(y + s * error) - z_of(y - s * error)) / (2 * s);
  Vector error_z(state.z.size());
  z_of(y);
  system->unpack_error(error, error_z);
  EXPECT_LT((error_z - expected).lpNorm<Eigen::Infinity>(), 1e-8 * (1 + expected.lpNorm<Eigen::Infinity>()));
}

INSTANTIATE_TEST_SUITE_P(Shapes, StateSpaceOnEveryShape, testing::ValuesIn(shape_cases()), [](const auto& c) {
  std::string name = c.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Chosen coordinates of a pendulum are those along the tangent: u = sin of the angle from the base.
TEST(StateSpace, ChosenCoordinatesOfAPendulum) {
  const auto p =
      catalog::make_problem("pendulum", {{"x", "0.6"}, {"y", "-0.8"}, {"vx", "0.8"}, {"vy", "0.6"}});
  const auto system = build_system(*p.problem, "state-space");
  system->anchor(p.start);
  Vector y(2);
  system->pack(p.start, y);
  EXPECT_NEAR(y(0), 0, 1e-15);
  EXPECT_NEAR(std::abs(y(1)), 1, 1e-15);
  const double along = y(1);  // the sign of the direction
  const double angle = 0.3, from = std::atan2(-0.8, 0.6);
  y << along * std::sin(angle), 0;
  State state = p.start;
  system->unpack(0, y, state);
  EXPECT_NEAR(state.q()(0), std::cos(from + angle), 1e-15);
  EXPECT_NEAR(state.q()(1), std::sin(from + angle), 1e-15);
}

TEST(StateSpace, AMatrixFromCpp) {
  const auto p = catalog::make_problem("000-example2");
  Matrix R(1, 2);
  R << 2, -1;
  const auto system = formulations::state_space({.R = R})->build(*p.problem);
  Vector y(1);
  system->pack(p.start, y);
  EXPECT_DOUBLE_EQ(y(0), 1);  // x = (1, 1)
  EXPECT_EQ(formulations::state_space({})->build(*p.problem)->size(), 1);
  EXPECT_NE(formulations::state_space({.R = R.transpose()})->refuses(p.problem->shape()), std::nullopt);
  R(0) = std::nan("");
  EXPECT_NE(complaint([&] { formulations::state_space({.R = R}); }).find("not finite"), std::string::npos);
}

// The second row is the first one twice.
struct Redundant {
  static constexpr int nq = 3, ng = 2;
  void force(auto, auto, auto, auto f) const { f[1] = -1.0; }
  void constraint(auto, auto q, auto g) const {
    g[0] = q[0] - q[1] * q[2];
    g[1] = 2.0 * g[0];
  }
};

struct Determined {
  static constexpr int nq = 1, ng = 1;
  static constexpr bool moving = true;
  void force(auto, auto, auto, auto f) const { f[0] = 0.0; }
  void constraint(auto t, auto q, auto g) const { g[0] = q[0] - t; }
};

// The heavy top of problems/, whose quaternions nobody would normalize.
struct LongQuaternions {
  static constexpr int nq = 7, nv = 6;
  problems::HeavyTop top = {};
  void mass(auto t, auto q, auto M) const { top.mass(t, q, M); }
  void force(auto t, auto q, auto v, auto f) const { top.force(t, q, v, f); }
  void kinematics(auto t, auto q, auto v, auto rates) const { top.kinematics(t, q, v, rates); }
};

TEST(StateSpace, RefusesWhatItCannotTreat) {
  const auto says = [](const std::string& formulation, const Problem& problem, const State& start) {
    return complaint([&] { solve(problem, start, {.formulation = formulation}, {.t_end = 1}); });
  };
  const auto expect = [](const std::string& text, const std::string& piece) {
    EXPECT_NE(text.find(piece), std::string::npos) << text;
  };
  const ShapeCase& c = shape_case("mechanical");
  expect(says("state-space:R=1;0;0", *c.problem, c.start),
         "R has 3 numbers (for nq = 2 coordinates and ng = 1");
  expect(says("state-space:R=1;x", *c.problem, c.start), "an entry of option R is 'x'");
  const auto determined = make_problem(Determined{});
  expect(says("state-space", *determined, make_state(*determined, {{0}, {1}})),
         "1 constraints for 1 velocities determine all of them, so that no motion is left to integrate");
  const auto quaternions = make_problem(LongQuaternions{});
  expect(says("state-space", *quaternions, make_state(*quaternions, {{0, 0, 0, 1, 0, 0, 0}})),
         "add a function `normalize`");
}

TEST(StateSpace, NamesRedundantConstraints) {
  const auto problem = make_problem(Redundant{});
  const auto system = build_system(*problem, "state-space");
  const State start = make_state(*problem, {{2, 1, 2}, {0, 0, 0}});
  system->anchor(start);
  Vector y(system->size()), dy(system->size());
  system->pack(start, y);
  EXPECT_EQ(system->ode()->rhs(0, y, dy), Status::rank_loss);
  EXPECT_NE(system->explain(Status::rank_loss, 0, y).find("g[1] depends on g[0]"), std::string::npos)
      << system->explain(Status::rank_loss, 0, y);
}

}  // namespace
}  // namespace driftless::tests
