// DependentSaddle against dense formulas: with C = A C0 and B = B0 E, where rows of C0 and columns of B0 are independent, the motion is
// that of C0 and B0 alone, from the whole matrix [M B0; C0 0], and the multipliers are pinv(B) (f - M a).
#include <gtest/gtest.h>

#include <cmath>

#include <driftless/linalg/dependent_saddle.hpp>

#include "support/dense_oracle.hpp"

namespace driftless::tests {
namespace {

using linalg::DependentSaddle;
using linalg::FactorStatus;

Matrix numbers(int rows, int columns, double seed) {
  return Matrix::NullaryExpr(rows, columns, [&](auto i, auto j) {
    return std::sin(seed + 1.7 * double(i) + 2.9 * double(j * j + j));
  });
}

Matrix positive(int n, double seed) {
  const Matrix X = numbers(n, n, seed);
  return gram(X) + Matrix::Identity(n, n);
}

struct Dependent {
  int n = 5, m = 4, rank = 2;
  Matrix M = positive(n, 0.3), C0 = numbers(rank, n, 1.1), A = numbers(m, rank, 0.7);
  Matrix B0 = C0.transpose(), E = A.transpose();
  Matrix C = product(A, C0), B = product(B0, E);
  Vector f = numbers(n, 1, 2.1), r0 = numbers(rank, 1, 3.3), r = A * r0;
  std::vector<int> rows = {2, 0}, columns = {3, 1};

  void give_input() {
    B0 = numbers(n, rank, 5.1);
    E = numbers(rank, m, 4.2);
    B = product(B0, E);
  }
  Vector motion() const {
    Matrix whole = Matrix::Zero(n + rank, n + rank);
    whole << M, B0, C0, Matrix::Zero(rank, rank);
    Vector right(n + rank);
    right << f, r0;
    return lu_solution(whole, right).head(n);
  }
  void expect_solved() const {
    DependentSaddle saddle;
    ASSERT_EQ(saddle.factor(M, B, C, rows, columns), FactorStatus::ok);
    Vector a(n), l(m);
    saddle.solve(f, r, a, l);
    const Vector exact = motion();
    EXPECT_LT((a - exact).norm(), 1e-12 * (1 + exact.norm()));
    const Vector least = least_norm_solution(B, f - M * exact, 1e-10);
    EXPECT_LT((l - least).norm(), 1e-12 * (1 + least.norm()));
  }
};

// Places in metres and turns in the metric of points of a mechanism of 1e9 m: rows of lengths 1 and 1e-9.
TEST(DependentSaddle, RowsOfAnyLength) {
  const int n = 6;
  const double L = 1e9;
  Matrix M = Matrix::Identity(n, n);
  M.bottomRightCorner(3, 3) *= L * L;
  Matrix C = numbers(5, n, 1.3);
  C.rightCols(3) *= L;
  C.row(2) << Vector::Zero(3).transpose(), numbers(1, 3, 0.4);  // of turns alone
  C.row(4) = C.row(0);
  const Vector r = C * (Vector(n) << 1 * L, 2 * L, -1 * L, 0.5, 0.3, 0.1).finished();
  DependentSaddle saddle;
  ASSERT_EQ(saddle.factor(M, C.transpose(), C, {0, 1, 2, 3}, {0, 1, 2, 3}), FactorStatus::ok);
  Vector a(n), l(5);
  saddle.solve(Vector::Zero(n), r, a, l);
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(C.row(i).dot(a), r(i), 1e-12 * C.row(i).cwiseAbs().dot(a.cwiseAbs())) << i;
}

TEST(DependentSaddle, MotionOfTheIndependentRowsAndLeastMultipliers) {
  Dependent{}.expect_solved();
}

TEST(DependentSaddle, InputOfItsOwn) {
  Dependent d;
  d.give_input();
  d.expect_solved();
}

TEST(DependentSaddle, WhichRowsAreNamedDoesNotMatter) {
  Dependent d;
  d.rows = {1, 3};
  d.columns = {0, 2};
  d.expect_solved();
}

TEST(DependentSaddle, MoreRowsThanUnknowns) {
  Dependent d;
  d.m = 7;
  d.A = numbers(d.m, d.rank, 0.7);
  d.C = product(d.A, d.C0);
  d.B = d.C.transpose();
  d.r = d.A * d.r0;
  d.rows = d.columns = {6, 1};
  d.expect_solved();
}

// Inertia is missing along the first constraint only.
TEST(DependentSaddle, SingularMass) {
  Dependent d;
  const Vector along = d.C0.row(0).transpose().normalized();
  const Matrix across = Matrix::Identity(d.n, d.n) - along * along.transpose();
  d.M = product(across, d.M, across);
  d.expect_solved();
  d.give_input();
  d.expect_solved();
}

TEST(DependentSaddle, FreeMotionWithoutInertia) {
  Dependent d;
  const Vector free = kernel(d.C0).col(0).normalized();
  const Matrix across = Matrix::Identity(d.n, d.n) - free * free.transpose();
  d.M = product(across, d.M, across);
  EXPECT_EQ(DependentSaddle().factor(d.M, d.B, d.C, d.rows, d.columns), FactorStatus::singular_mass);
}

// C0 M^-1 B0 is singular though C0 and B0 have full rank: forces that move along the constraints.
TEST(DependentSaddle, ForcesThatCannotKeepTheConstraints) {
  Dependent d;
  d.give_input();
  d.B0.col(0) = d.M * kernel(d.C0).col(0);
  d.B = product(d.B0, d.E);
  EXPECT_EQ(DependentSaddle().factor(d.M, d.B, d.C, d.rows, d.columns), FactorStatus::rank_loss);
}

TEST(DependentSaddle, OfContradictingRowsTheNamedOnesAreMet) {
  const Dependent d;
  DependentSaddle saddle;
  ASSERT_EQ(saddle.factor(d.M, d.B, d.C, d.rows, d.columns), FactorStatus::ok);
  const Vector r{{1, -1, 2, 0.5}};
  Vector a(d.n), l(d.m);
  saddle.solve(d.f, r, a, l);
  const Vector missed = d.C * a - r;
  EXPECT_LT(std::abs(missed(0)) + std::abs(missed(2)), 1e-12);
  EXPECT_GT(std::abs(missed(1)) + std::abs(missed(3)), 0.1);
  EXPECT_LT((d.M * a + d.B * l - d.f).norm(), 1e-12);
}

TEST(DependentSaddle, NoRowCounts) {
  const Dependent d;
  const Matrix none = Matrix::Zero(d.m, d.n);
  DependentSaddle saddle;
  ASSERT_EQ(saddle.factor(d.M, none.transpose(), none, {}, {}), FactorStatus::ok);
  Vector a = d.f, l(d.m);
  saddle.solve(a, d.r, a, l);  // the same vector
  EXPECT_LT((d.M * a - d.f).norm(), 1e-12);
  EXPECT_EQ(l.norm(), 0);
}

TEST(DependentSaddle, NotFinite) {
  Dependent d;
  d.C(1, 1) = NAN;
  EXPECT_EQ(DependentSaddle().factor(d.M, d.B, d.C, d.rows, d.columns), FactorStatus::not_finite);
}

}  // namespace
}  // namespace driftless::tests
