// Newton's method for the equations of implicit steps, on differential-algebraic systems of index 3 and on a
// Jacobian that is wrong by a known factor, so that the contraction rate is known.
#include "integrators/common/newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <driftless/driftless.hpp>

namespace driftless::tests {
namespace {

using integrators::Newton;
using integrators::NewtonSettings;

// A system by its functions; F_y' and F_y are set by the test.
class SmallDae : public DaeSystem {
 public:
  SmallDae(int equations, std::vector<int> index)
      : index_(std::move(index)),
        F_y_(Matrix::Zero(equations, equations)),
        F_yp_(Matrix::Zero(equations, equations)) {}
  int equations() const override { return static_cast<int>(F_y_.rows()); }
  void assemble(MatrixOut F_y, MatrixOut F_yp) const override {
    F_y = F_y_;
    F_yp = F_yp_;
  }
  const std::vector<int>& index_of_unknowns() const override { return index_; }
  int differential_unknowns() const override { return static_cast<int>(F_yp_.diagonal().count()); }
  std::unique_ptr<IterationMatrix<double>> real_matrix() override { return dense_real_matrix(*this, work); }
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() override { return nullptr; }
  Work work;

 protected:
  std::vector<int> index_;
  Matrix F_y_, F_yp_;
};

// The pendulum in Cartesian coordinates, index 3: q' = v, v' = (0, -1) - lambda q, (|q|^2 - 1)/2 = 0.
class Pendulum3 final : public SmallDae {
 public:
  Pendulum3() : SmallDae(5, {0, 0, 2, 2, 3}) {}  // v as in RADAU5: an error of q reaches it divided by h
  Status residual(double, VectorIn y, VectorIn yp, VectorOut r) override {
    r.head(2) = yp.head(2) - y.segment(2, 2);
    r.segment(2, 2) = yp.segment(2, 2) + y(4) * y.head(2);
    r(3) += 1;
    r(4) = (y.head(2).squaredNorm() - 1) / 2;
    return Status::ok;
  }
  Status linearize(double, VectorIn y, VectorIn) override {
    ++work.jacobians;
    F_yp_.diagonal().head(4).setOnes();
    F_y_.setZero();
    F_y_.block(0, 2, 2, 2) = -Matrix::Identity(2, 2);
    F_y_.block(2, 0, 2, 2) = y(4) * Matrix::Identity(2, 2);
    F_y_.block(2, 4, 2, 1) = y.head(2);
    F_y_.block(4, 0, 1, 2) = y.head(2).transpose();
    return Status::ok;
  }
};

// Backward Euler with constant steps converges with order 1 on index 3 after two steps (Brenan, Campbell,
// Petzold, theorem 3.2.1), lambda included. At h = 1e-6 roundoff moves lambda by eps/h^2 = 2e-4, far more than
// the tolerance: its increments count by h^2.
TEST(NewtonTest, SolvesIndex3) {
  const auto instance = catalog::make_problem("pendulum", {{"vy", "1"}});
  for (const double h : {1e-2, 1e-4, 1e-6}) {
    Pendulum3 dae;
    Newton newton(dae, dae.work, {});
    Vector y(5), last(5);
    y << instance.start.z, instance.start.lambda;
    for (int i = 0; i < 5; ++i) {
      last = y;
      ASSERT_EQ(newton.solve((i + 1) * h, 1 / h, last, y), Status::ok) << h;
      newton.accepted();
      EXPECT_NEAR(y.head(2).norm(), 1, 1e-10);
    }
    const State exact = *instance.reference.at(5 * h);
    EXPECT_LT((y.head(2) - exact.q()).norm(), 20 * h * h + 1e-9) << h;
    EXPECT_LT((y.segment(2, 2) - exact.v()).norm(), 10 * h) << h;
    EXPECT_NEAR(y(4), exact.lambda(0), 10 * h + 1e-14 / (h * h)) << h;
    EXPECT_LE(dae.work.jacobians, h < 1e-3 ? 1 : 5) << h;
  }
}

// y' + y = 0 with a Jacobian that is wrong by `error` (c + 1): iterates converge with the rate error/(1 + error).
class Biased final : public SmallDae {
 public:
  explicit Biased(double error) : SmallDae(1, {0}), bias(error) {}
  Status residual(double, VectorIn y, VectorIn yp, VectorOut r) override {
    r = yp + y;
    ++residuals;
    return y(0) > limit ? Status::not_finite : Status::ok;
  }
  Status linearize(double, VectorIn, VectorIn) override {
    ++work.jacobians;
    F_yp_(0, 0) = 1 + bias;
    F_y_(0, 0) = 1 + bias;
    return Status::ok;
  }
  double bias, limit = 1e300;
  int residuals = 0;
};

TEST(NewtonTest, IteratesAsOftenAsTheRateDemands) {
  Biased dae(0.25);  // rate 1/5
  Newton newton(dae, dae.work, {.tolerance = 1e-6, .iterations = 50});
  const Vector anchor = Vector::Constant(1, 1);
  Vector y = anchor;
  ASSERT_EQ(newton.solve(1, 1, anchor, y), Status::ok);
  // Error 0.5 / 5^k at the k-th iterate, in units of 1 + |y| = 1.5: below 1e-6 from k = 8 on.
  EXPECT_NEAR(y(0), 0.5, 1.5e-6);
  EXPECT_EQ(dae.work.newton, 8);
}

TEST(NewtonTest, OldJacobianIsRenewedWhenItNoLongerServes) {
  Biased dae(0);
  Newton newton(dae, dae.work, {.iterations = 50});
  const Vector anchor = Vector::Constant(1, 1);
  Vector y = anchor;
  ASSERT_EQ(newton.solve(1, 1, anchor, y), Status::ok);
  newton.accepted();
  // Kept while all is well, also with another c.
  y = anchor;
  ASSERT_EQ(newton.solve(1, 3, anchor, y), Status::ok);
  EXPECT_NEAR(y(0), 0.75, 1e-14);
  EXPECT_EQ(dae.work.jacobians, 1);
  EXPECT_EQ(dae.work.factorizations, 2);
  newton.accepted();
  // A rate of 1/5 still converges, but the next step begins anew; one not accepted asks for nothing.
  dae.bias = 0.25;
  dae.linearize(0, y, y);
  newton.accepted();
  for (const bool accepted : {false, true}) {
    y = anchor;
    const long before = dae.work.jacobians;
    ASSERT_EQ(newton.solve(1, 1, anchor, y), Status::ok);
    EXPECT_EQ(dae.work.jacobians, before);
    if (accepted) newton.accepted();
  }
  dae.bias = 0;
  y = anchor;
  const long before = dae.work.jacobians;
  ASSERT_EQ(newton.solve(1, 1, anchor, y), Status::ok);
  EXPECT_EQ(dae.work.jacobians, before + 1);
  newton.accepted();
  // An old one that diverges (rate 3) is renewed in the same solve, from the same start.
  dae.bias = -0.75;
  dae.linearize(0, y, y);
  dae.bias = 0;
  y = anchor;
  ASSERT_EQ(newton.solve(1, 2, anchor, y), Status::ok);
  EXPECT_NEAR(y(0), 2. / 3, 1e-14);
  EXPECT_EQ(dae.work.jacobians, before + 3);
}

TEST(NewtonTest, DivergenceStopsEarly) {
  Biased dae(-0.75);  // rate 3
  Newton newton(dae, dae.work, {.tolerance = 1e-10, .iterations = 1000});
  const Vector anchor = Vector::Constant(1, 1);
  Vector y = anchor;
  EXPECT_EQ(newton.solve(1, 1, anchor, y), Status::no_convergence);
  EXPECT_EQ(dae.work.newton, 2 + 3) << "a rate above 1 is hopeless; full Newton may grow once on its way";
  EXPECT_TRUE(y.allFinite());
}

TEST(NewtonTest, SingularMatrixAndFailingModelAreStatuses) {
  const Vector anchor = Vector::Constant(1, 1);
  {
    Biased dae(-1);  // the matrix is 0
    Newton newton(dae, dae.work, {});
    Vector y = anchor;
    EXPECT_EQ(newton.solve(1, 1, anchor, y), Status::singular_step);
  }
  Biased dae(0);
  dae.limit = 0.9;
  Newton newton(dae, dae.work, {});
  Vector y = anchor;
  EXPECT_EQ(newton.solve(1, 1, anchor, y), Status::not_finite);
  EXPECT_EQ(y, anchor) << "where it failed";
  y(0) = 0.8;
  EXPECT_EQ(newton.solve(1, 1, anchor, y), Status::ok);
}

TEST(NewtonTest, StartAtTheSolutionTakesOneIteration) {
  Biased dae(0);
  Newton newton(dae, dae.work, {});
  const Vector anchor = Vector::Constant(1, 1);
  Vector y = Vector::Constant(1, 0.5);
  EXPECT_EQ(newton.solve(1, 1, anchor, y), Status::ok);
  EXPECT_EQ(dae.work.newton, 1);
}

}  // namespace
}  // namespace driftless::tests
