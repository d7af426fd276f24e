// Mechanisms in relative coordinates against the same in the coordinates of their bodies: what the tree makes of matrices and forces must be
// V^T of what bodies have, v = V u; accelerations and multipliers must be those of the bodies; and runs must agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <driftless/mechanics/mechanism.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "crosscheck/relative_cases.hpp"
#include "support/allocation_counter.hpp"
#include "support/compare.hpp"

namespace driftless::tests {
namespace {

using namespace mechanics;
using namespace relative_cases;

struct Both {
  explicit Both(const Case& c)
      : mechanism(c.make()),
        bodies(mechanism.problem()),
        relative(mechanism.finished(), mechanism.joints(), mechanism.assembled()),
        joints(relative.problem()) {}

  // On the constraints, by joints, and moving.
  State somewhere(Numbers& number, double spread = 0.2) const {
    State state = relative.start();
    state.t = 0.4;
    Workspace work;
    joints->displace(state.t, state.q(), spread * number.entries(joints->shape().nv), work);
    state.v() += number.entries(joints->shape().nv);
    return consistent_state(*joints, state).state;
  }
  // v = V u
  Matrix V(const State& state) const {
    Matrix columns(bodies->shape().nv, joints->shape().nv);
    for (Eigen::Index k = 0; k < columns.cols(); ++k) {
      State unit = state;
      unit.v().setZero(), unit.v()(k) = 1;
      columns.col(k) = relative.absolute(unit).v();
    }
    return columns;
  }
  // d/ds v at (q + s q', u + s a), by differences of sixth order.
  Vector acceleration(const State& state, const Vector& a) const {
    Workspace work;
    Vector rates(joints->shape().nq), sum = Vector::Zero(bodies->shape().nv);
    joints->coordinate_rates(state.t, state.q(), state.v(), rates, work);
    const double h = 4e-3, weights[] = {45, -9, 1};
    for (int i = 1; i <= 3; ++i)
      for (const double side : {1.0, -1.0}) {
        State moved = state;
        moved.q() += side * i * h * rates;
        moved.v() += side * i * h * a;
        sum += side * weights[i - 1] / (60 * h) * relative.absolute(moved).v();
      }
    return sum;
  }

  Mechanism mechanism;
  std::shared_ptr<const Problem> bodies;
  RelativeCoordinates relative;
  std::shared_ptr<const Problem> joints;
};

class Relative : public testing::TestWithParam<Case> {};

TEST_P(Relative, PlacesGoThereAndBack) {
  const Both both(GetParam());
  Numbers number;
  const State given = both.mechanism.assembled();
  same("start", both.relative.absolute(both.relative.start()).z, given.z, 1e-11);
  for (int i = 0; i < 3; ++i) {
    const State state = both.somewhere(number), absolute = both.relative.absolute(state);
    const State back = both.relative.relative(absolute);
    // Quaternions have two signs; the places of bodies have not.
    same("there again", both.relative.absolute(back).z, absolute.z, 1e-11);
    same("velocities", back.v(), state.v(), 1e-11);
    same("multipliers", back.lambda, state.lambda, 1e-12);
    Evaluation e;
    Parts parts = Part::position | Part::rates;
    if (both.bodies->shape().nk > 0) parts = parts | Part::velocity;
    both.bodies->evaluate(parts, Point(absolute.t, absolute.z), e);
    EXPECT_LE(largest(e.g), 1e-11) << "on the constraints of all joints";
    EXPECT_LE(largest(e.rates), 1e-10);
    EXPECT_LE(largest(e.w), 1e-10);
  }
}

TEST_P(Relative, MatricesAndForcesAreThoseOfTheBodies) {
  const Both both(GetParam());
  Numbers number;
  for (int i = 0; i < 2; ++i) {
    const State state = both.somewhere(number), absolute = both.relative.absolute(state);
    const Shape &s = both.joints->shape(), &all = both.bodies->shape();
    Parts parts = Part::mass | Part::force | Part::energy | Part::power | Part::jacobian | Part::position |
                  Part::rates | Part::curvature;
    if (s.nk > 0) parts = parts | Part::velocity_jacobian | Part::velocity;
    Evaluation ours, theirs;
    both.joints->evaluate(parts, Point(state.t, state.z), ours);
    both.bodies->evaluate(parts, Point(state.t, absolute.z), theirs);
    const Matrix V = both.V(state);
    const Vector bias = both.acceleration(state, Vector::Zero(s.nv));  // V' u
    same("M", ours.M, V.transpose() * theirs.M * V, 1e-12);
    same("f", ours.f, V.transpose() * (theirs.f - theirs.M * bias), 1e-8);
    EXPECT_NEAR(ours.energy, theirs.energy, 1e-11 * (1 + std::abs(theirs.energy)));
    if (all.has_power) {
      EXPECT_NEAR(ours.power, theirs.power, 1e-11 * (1 + std::abs(theirs.power)));
    }
    // Rows are found again by their names, one after the other.
    int row = 0;
    for (int k = 0; k < all.ng; ++k) {
      if (row == s.ng || both.joints->constraint_name(row) != both.bodies->constraint_name(k)) {
        EXPECT_LE(largest(theirs.G.row(k) * V), 1e-11) << both.bodies->constraint_name(k);
        continue;
      }
      same("G", ours.G.row(row), theirs.G.row(k) * V, 1e-12);
      EXPECT_NEAR(ours.g(row), theirs.g(k), 1e-11);
      EXPECT_NEAR(ours.rates(row, 0), theirs.rates(k, 0), 1e-11);
      EXPECT_NEAR(ours.c(row), theirs.c(k) + theirs.G.row(k).dot(bias), 1e-8 * (1 + largest(bias)));
      ++row;
    }
    EXPECT_EQ(row, s.ng);
    if (s.nk > 0) {
      same("K", ours.K, theirs.K * V, 1e-12);
      same("w", ours.w, theirs.w, 1e-12);
      same("ck", ours.ck, theirs.ck + theirs.K * bias, 1e-8);
    }
  }
}

TEST_P(Relative, AccelerationsAndMultipliersAreThoseOfTheBodies) {
  const Both both(GetParam());
  Numbers number;
  for (int i = 0; i < 3; ++i) {
    State state = both.somewhere(number);
    const Motion ours(*both.joints, state), whole(*both.joints, state, true);
    same("a by recursion", ours.a, whole.a, 1e-10);
    state.lambda = ours.multipliers.head(both.joints->shape().ng);
    state.kappa = ours.multipliers.tail(both.joints->shape().nk);
    const State absolute = both.relative.absolute(state);
    const Motion theirs(*both.bodies, absolute);
    same("a", both.acceleration(state, ours.a), theirs.a, 1e-8);
    same("multipliers by recursion", ours.multipliers, whole.multipliers, 1e-10);
    same("lambda", absolute.lambda, theirs.multipliers.head(absolute.lambda.size()), 1e-9);
    same("kappa", absolute.kappa, theirs.multipliers.tail(absolute.kappa.size()), 1e-9);
  }
}

// M a + G^T lambda + K^T kappa = f on the bodies.
TEST_P(Relative, MultipliersBalanceTheBodies) {
  const Both both(GetParam());
  Numbers number;
  State state = both.somewhere(number);
  const Motion ours(*both.joints, state);
  state.lambda = ours.multipliers.head(both.joints->shape().ng);
  state.kappa = ours.multipliers.tail(both.joints->shape().nk);
  const State absolute = both.relative.absolute(state);
  Parts parts = Part::mass | Part::force | Part::jacobian;
  if (absolute.kappa.size() > 0) parts = parts | Part::velocity_jacobian;
  Evaluation e;
  both.bodies->evaluate(parts, Point(state.t, absolute.z), e);
  Vector rest = e.M * Motion(*both.bodies, absolute).a - e.f;
  if (absolute.lambda.size() > 0) rest += e.G.transpose() * absolute.lambda;
  if (absolute.kappa.size() > 0) rest += e.K.transpose() * absolute.kappa;
  EXPECT_LE(largest(rest), 1e-9 * (1 + largest(e.f)));
}

// What is asked of the rows comes out, and multipliers without it.
TEST_P(Relative, RowsAreDriven) {
  if (!GetParam().regular) return;  // rows that depend on each other cannot all be driven
  const Both both(GetParam());
  Numbers number;
  const State state = both.somewhere(number);
  const Shape& s = both.joints->shape();
  const Vector r = number.entries(s.multipliers());
  Vector a(s.nv), multipliers(s.multipliers()), unforced(s.multipliers());
  Workspace work;
  work.unforced = &unforced;
  ASSERT_EQ(both.joints->acceleration(state.t, state.z, r, a, multipliers, work), Status::ok);
  Evaluation e;
  both.joints->evaluate(acceleration_parts(s), Point(state.t, state.z), e);
  if (s.ng > 0) same("r", e.G * a + e.c, r.head(s.ng), 1e-10);
  if (s.nk > 0) same("r of w", e.K * a + e.ck, r.tail(s.nk), 1e-10);
  same("unforced", unforced, Motion(*both.joints, state).multipliers, 1e-10);
}

// Derivatives against differences, along displacements.
TEST_P(Relative, Derivatives) {
  const Both both(GetParam());
  Numbers number;
  const State state = both.somewhere(number);
  const Shape& s = both.joints->shape();
  const Vector a = number.entries(s.nv), lambda = number.entries(s.ng), kappa = number.entries(s.nk);
  const Point at(state.t, state.z, a, lambda, kappa);
  Evaluation e;
  const Parts drift = s.nk > 0 ? Parts(Part::velocity_drift) : Parts();
  both.joints->evaluate(drift | Part::force_jacobian | Part::mass_product_jacobian |
                            Parts(Part::multiplier_jacobian) | Part::rate_jacobian |
                            Part::curvature_jacobian | Part::energy_gradient,
                        at, e);
  Workspace work;
  const double h = 1e-5;
  for (int k = 0; k < 2 * s.nv; ++k) {
    Evaluation side[2];
    for (const int i : {0, 1}) {
      State moved = state;
      const double step = i == 0 ? -h : h;
      if (k < s.nv)
        both.joints->displace(state.t, moved.q(), step * Vector::Unit(s.nv, k), work);
      else
        moved.v()(k - s.nv) += step;
      Parts parts = Part::mass | Part::force | Part::jacobian | Part::rates | Part::curvature | Part::energy;
      if (s.nk > 0) parts = parts | Part::velocity_jacobian | Part::velocity;
      both.joints->evaluate(parts, Point(state.t, moved.z), side[i]);
    }
    const auto slope = [&](auto of) { return Matrix((of(side[1]) - of(side[0])) / (2 * h)); };
    same("f_z", e.f_z.col(k), slope([](const Evaluation& x) { return x.f; }), 1e-7);
    EXPECT_NEAR(e.energy_z(k), (side[1].energy - side[0].energy) / (2 * h), 1e-6);
    if (s.ng > 0)
      same("(G a + c)_z", e.c_z.col(k), slope([&](const Evaluation& x) { return Vector(x.G * a + x.c); }),
           1e-6);
    if (k >= s.nv) continue;
    same("(M a)_x", e.Ma_x.col(k), slope([&](const Evaluation& x) { return Vector(x.M * a); }), 1e-7);
    if (s.ng > 0) same("L", e.L[0].col(k), slope([](const Evaluation& x) { return x.rates; }), 1e-6);
    if (s.nk > 0) same("w_x", e.w_x.col(k), slope([](const Evaluation& x) { return x.w; }), 1e-6);
    if (s.multipliers() > 0)
      same("(G^T lambda)_x", e.Bl_x.col(k), slope([&](const Evaluation& x) {
             Vector pull = Vector::Zero(s.nv);
             if (s.ng > 0) pull += x.G.transpose() * lambda;
             if (s.nk > 0) pull += x.K.transpose() * kappa;
             return pull;
           }),
           1e-7);
  }
}

TEST_P(Relative, RunsAgree) {
  const Both both(GetParam());
  const Options options{.t_end = 1, .rtol = 1e-10, .atol = 1e-10};
  State start = both.relative.start();
  Numbers number;
  start.v() = 0.5 * number.entries(start.v().size());
  start = consistent_state(*both.joints, start).state;
  const Solution ours = solve(*both.joints, start, {}, options),
                 theirs = solve(*both.bodies, both.relative.absolute(start), {}, options);
  ASSERT_TRUE(ours.complete()) << ours.end_message;
  ASSERT_TRUE(theirs.complete()) << theirs.end_message;
  const State end = both.relative.absolute(ours.final);
  same("q", end.q(), theirs.final.q(), 1e-8);
  same("v", end.v(), theirs.final.v(), 1e-8);
  same("lambda", end.lambda, theirs.final.lambda, 1e-7);
  same("kappa", end.kappa, theirs.final.kappa, 1e-7);
}

// Nothing is allocated after the first call.
TEST_P(Relative, AccelerationsNeedNoNewMemory) {
  if (!GetParam().regular) return;  // dependent rows are told apart elsewhere
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "a sanitizer owns malloc";
  const Both both(GetParam());
  Numbers number;
  const State state = both.somewhere(number);
  const Shape& s = both.joints->shape();
  Vector a(s.nv), multipliers(s.multipliers()), rates(s.nq), q = state.q();
  const Vector r = Vector::Zero(s.multipliers());
  Workspace work;
  const auto all = [&] {
    both.joints->acceleration(state.t, state.z, r, a, multipliers, work);
    both.joints->coordinate_rates(state.t, state.q(), state.v(), rates, work);
    both.joints->normalize(q);
  };
  all();
  EXPECT_EQ(allocation_counter::during(all), 0);
}

// Derivatives are right where implicit methods ask for them.
TEST(RelativeRuns, ImplicitMethods) {
  for (const std::string name :
       {"four_bar", "spatial_loop", "branches_backwards_with_springs", "loose_ends"}) {
    const Case& c =
        *std::find_if(cases().begin(), cases().end(), [&](const Case& one) { return one.name == name; });
    const Both both(c);
    const Options options{.t_end = 0.3, .rtol = 1e-9, .atol = 1e-9};
    const State start = consistent_state(*both.joints, both.relative.start()).state;
    const Solution plain = solve(*both.joints, start, {}, options);
    for (const Method& method : {Method{.formulation = "ggl", .integrator = "radau5"},
                                 Method{.formulation = "index3", .integrator = "bdf"},
                                 Method{.formulation = "index1", .integrator = "radau5"}}) {
      const Solution run = solve(*both.joints, start, method, options);
      ASSERT_TRUE(run.complete()) << name << " " << method.formulation << ": " << run.end_message;
      EXPECT_LE(largest(run.final.q() - plain.final.q()), 1e-6) << name << " " << method.formulation;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, Relative, testing::ValuesIn(cases()),
                         [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace driftless::tests
