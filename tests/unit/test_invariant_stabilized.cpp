// invariant-stabilized: what its right-hand side does to h, by every F; its Jacobian; its agreement with
// `baumgarte` where both are the same equation; invariants; a user's D.
#include <gtest/gtest.h>

#include "support/dense_oracle.hpp"
#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

constexpr double gamma_used = 3;

struct Off {  // a point beside the manifold, with h and H there
  Off(const ShapeCase& c, double t_off)
      : t(t_off), z(c.start.z + 0.01 * Vector::LinSpaced(c.start.z.size(), 1, -0.5)), manifold(*c.problem) {
    c.problem->normalize(z.head(c.problem->shape().nq));
    EXPECT_EQ(manifold.linearize(t, z), Status::ok);
    H.setZero(manifold.rows(), c.problem->shape().layout().tangent_size());
    manifold.jacobian(H);
    h = manifold.h();
    h_sharp = Vector::Zero(h.size());
    const int ng = c.problem->shape().ng, shifted = (c.problem->shape().order - 1) * ng;
    h_sharp.head(shifted) = h.segment(ng, shifted);
  }
  // The rate of h along a right-hand side, by differences.
  Vector rate(const Vector& dz) {
    const double s = 1e-6;
    manifold.evaluate(t + s, z + s * dz);
    const Vector plus = manifold.h();
    manifold.evaluate(t - s, z - s * dz);
    return (plus - manifold.h()) / (2 * s);
  }
  double t;
  Vector z, h, h_sharp;
  Matrix H;
  Manifold manifold;
};

class OnEveryShape : public testing::TestWithParam<ShapeCase> {
 protected:
  Vector rhs(const std::string& options, const Off& off) const {
    const auto system = build_system(*GetParam().problem, "invariant-stabilized:gamma=3," + options);
    Vector dz(off.z.size());
    EXPECT_EQ(system->ode()->rhs(off.t, off.z, dz), Status::ok);
    return dz;
  }
  bool constrained() const { return GetParam().problem->shape().multipliers() > 0; }
};

// (1.13): h' = h# - gamma h; (2.4): h' = -gamma h, whatever D.
TEST_P(OnEveryShape, ViolationsDecayAtTheRateGamma) {
  if (!constrained()) return;
  Off off(GetParam(), 0.3);
  const double scale = 1 + off.h.norm() + off.H.norm();
  for (const std::string F : {"F=full", "F=block", "F=input"}) {
    EXPECT_LT((off.rate(rhs(F, off)) - off.h_sharp + gamma_used * off.h).norm(), 1e-7 * scale) << F;
    EXPECT_LT((off.rate(rhs(F + ",form=integral", off)) + gamma_used * off.h).norm(), 1e-7 * scale) << F;
  }
}

// (1.14): h' = h# - gamma H H^T h. (4.8): positions as with (1.13); level 1 in addition by -gamma L G+ g.
TEST_P(OnEveryShape, TransposeAndSplitAct) {
  if (!constrained()) return;
  Off off(GetParam(), 0.3);
  const double scale = 1 + off.h.norm() + off.H.norm();
  const Vector by_transpose = off.rate(rhs("F=transpose,time=model", off));
  const Vector expected = off.h_sharp - gamma_used * off.H * (off.H.transpose() * off.h);
  EXPECT_LT((by_transpose - expected).norm(), 1e-7 * scale * (1 + off.H.norm()));
  const Shape& s = GetParam().problem->shape();
  if (s.ng == 0 || s.nk > 0 || s.order != 2) return;
  const Matrix G = off.H.topLeftCorner(s.ng, s.nv), L = off.H.bottomLeftCorner(s.ng, s.nv);
  const Vector move = G.transpose() * lu_solution(gram(G), off.h.head(s.ng));
  Vector split = off.h_sharp - gamma_used * off.h;
  split.tail(s.ng) -= gamma_used * L * move;
  EXPECT_LT((off.rate(rhs("F=split", off)) - split).norm(), 1e-7 * scale);
}

// On the manifold every form is the underlying ODE.
TEST_P(OnEveryShape, IsTheUnderlyingOdeOnTheManifold) {
  const ShapeCase& c = GetParam();
  const auto plain = build_system(*c.problem, "index1");
  Vector expected(c.start.z.size()), dz(c.start.z.size());
  ASSERT_EQ(plain->ode()->rhs(c.start.t, c.start.z, expected), Status::ok);
  for (const char* options : {"F=full", "F=block", "F=split", "F=transpose", "F=input", "form=integral"}) {
    const auto system = build_system(*c.problem, std::string("invariant-stabilized:") + options);
    ASSERT_EQ(system->ode()->rhs(c.start.t, c.start.z, dz), Status::ok);
    EXPECT_LT((dz - expected).norm(), 1e-9 * (1 + expected.norm())) << options;
  }
}

// The derivative of F multiplies h: on the manifold nothing is missing.
TEST_P(OnEveryShape, JacobianIsExactOnTheManifold) {
  const ShapeCase& c = GetParam();
  const int n = static_cast<int>(c.start.z.size());
  for (const char* options : {"F=full", "F=block", "F=split", "F=transpose", "F=input", "form=integral"}) {
    const auto system = build_system(*c.problem, std::string("invariant-stabilized:") + options);
    Matrix J(n, n), expected(n, n);
    Vector plus(n), minus(n);
    ASSERT_EQ(system->ode()->jacobian(c.start.t, c.start.z, J), Status::ok);
    const double step = 1e-6;
    for (int j = 0; j < n; ++j) {
      const Vector shift = step * Vector::Unit(n, j);
      ASSERT_EQ(system->ode()->rhs(c.start.t, c.start.z + shift, plus), Status::ok);
      ASSERT_EQ(system->ode()->rhs(c.start.t, c.start.z - shift, minus), Status::ok);
      expected.col(j) = (plus - minus) / (2 * step);
    }
    if (c.problem->shape().own_kinematics) {  // changes of a quaternion's length are outside of the motion
      Evaluation e;
      const int nq = c.problem->shape().nq;
      c.problem->evaluate(Part::kinematics, Point(c.start.t, c.start.z), e);
      const Matrix J_along = product(J.leftCols(nq), e.N), along = product(expected.leftCols(nq), e.N);
      EXPECT_LT((J_along - along).cwiseAbs().maxCoeff(), 1e-6 * (1 + along.cwiseAbs().maxCoeff())) << options;
      J = J.rightCols(n - nq).eval();
      expected = expected.rightCols(n - nq).eval();
    }
    EXPECT_LT((J - expected).cwiseAbs().maxCoeff(), 1e-6 * (1 + expected.cwiseAbs().maxCoeff()))
        << options << "\n"
        << J << "\n\n"
        << expected;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, OnEveryShape, testing::ValuesIn(shape_cases()), [](const auto& c) {
  std::string name = c.param.name;
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
});

// Order 1 with a mass matrix: D = M^-1 B is where Baumgarte's feedback acts, (1.6).
struct MassOfOrder1 {
  static constexpr int order = 1, nq = 3, ng = 1;
  void mass(auto, auto x, auto M) const {
    M(0, 0) = 2.0 + x[1] * x[1];
    M(1, 1) = 3.0;
    M(2, 2) = 1.0;
    M(0, 2) = M(2, 0) = 0.3;
  }
  void force(auto, auto x, auto f) const {
    f[0] = -x[1];
    f[1] = x[0] * x[2];
    f[2] = 1.0 - x[2];
  }
  void input(auto, auto x, auto B) const {
    B(0, 0) = 1.0 + x[2];
    B(1, 0) = 2.0;
    B(2, 0) = -0.5;
  }
  void constraint(auto, auto x, auto g) const { g[0] = x[0] * x[0] + x[1] - x[2] - 0.4; }
};

TEST(InvariantStabilized, InputIsBaumgarteForOrder1) {
  const auto problem = make_problem(MassOfOrder1{});
  Vector z(3), ours(3), baumgarte(3);
  z << 0.7, 0.2, 0.5;
  ASSERT_EQ(build_system(*problem, "invariant-stabilized:F=input,gamma=20")->ode()->rhs(0, z, ours),
            Status::ok);
  ASSERT_EQ(build_system(*problem, "baumgarte:gamma=20")->ode()->rhs(0, z, baumgarte), Status::ok);
  EXPECT_LT((ours - baumgarte).norm(), 1e-12);
}

TEST(InvariantStabilized, TakesAUsersD) {
  const ShapeCase& c = shape_case("both-constraints");
  Off off(c, 0.2);
  const int n = static_cast<int>(off.z.size());
  Vector full(n), ours(n);
  ASSERT_EQ(build_system(*c.problem, "invariant-stabilized:F=full,gamma=3,time=model")
                ->ode()
                ->rhs(off.t, off.z, full),
            Status::ok);
  formulations::InvariantStabilizedOptions options{.gamma = 3};
  options.D = [&](double t, VectorIn z, MatrixOut D) {  // H^T once more
    Manifold manifold(*c.problem);
    ASSERT_EQ(manifold.linearize(t, z), Status::ok);
    Matrix H(manifold.rows(), D.rows());
    manifold.jacobian(H);
    D = H.transpose();
  };
  ASSERT_EQ(formulations::invariant_stabilized(options)->build(*c.problem)->ode()->rhs(off.t, off.z, ours),
            Status::ok);
  EXPECT_LT((ours - full).norm(), 1e-9 * (1 + full.norm()));
  options.D = [&](double, VectorIn, MatrixOut D) { D.row(0).setOnes(); };
  EXPECT_EQ(formulations::invariant_stabilized(options)->build(*c.problem)->ode()->rhs(off.t, off.z, ours),
            Status::rank_loss);
  EXPECT_NE(complaint([] { formulations::invariant_stabilized({.gamma = -1}); }).find("gamma"),
            std::string::npos);
}

// Kepler's orbit with its energy in h. Forward Euler adds an error d to it in every step; with the term, h
// settles where gamma times the step takes away as much: near d/(gamma step), the error of two steps here
// instead of 6000.
TEST(InvariantStabilized, KeepsInvariants) {
  const auto kepler = catalog::make_problem("001-kepler");
  const auto energy_error = [&](const std::string& formulation) {
    const Solution s =
        solve(*kepler.problem, kepler.start,
              {.formulation = formulation, .integrator = "forward-euler", .stabilizer = "none"},
              {.t_end = 6, .step = 0.001});
    EXPECT_TRUE(s.complete()) << s.end_message;
    return std::abs(s.energy->end - s.energy->start);
  };
  EXPECT_LT(energy_error("invariant-stabilized:gamma=500,F=full,invariants=energy"),
            energy_error("index1") / 100);
  const std::string said =
      complaint([&] { energy_error("invariant-stabilized:F=full,invariants=momentum"); });
  EXPECT_NE(said.find("has no invariant 'momentum'"), std::string::npos) << said;
}

// Forward Euler adds an error d to g' in every step; it settles at d/(gamma step): a tenth of it for ten
// times gamma.
TEST(InvariantStabilized, DriftIsInverseToGamma) {
  const auto crank = catalog::make_problem("001-slider-crank");
  const auto drift = [&](const std::string& gamma) {
    const Solution s = solve(*crank.problem, crank.start,
                             {.formulation = "invariant-stabilized:gamma=" + gamma,
                              .integrator = "forward-euler",
                              .stabilizer = "none"},
                             {.t_end = 4, .step = 0.001});
    EXPECT_TRUE(s.complete()) << s.end_message;
    return s.drift->velocity;
  };
  EXPECT_NEAR(drift("20") / drift("200"), 10, 1);
}

}  // namespace
}  // namespace driftless::tests
