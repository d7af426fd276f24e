// PenaltyIteration against dense solutions: how fast it converges, what is left of roundoff, redundant rows.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>

#include "formulations/common/penalty_iteration.hpp"
#include "support/dense_oracle.hpp"

namespace driftless::tests {
namespace {

using formulations::Convergence;
using formulations::IterationLimit;
using formulations::PenaltyIteration;
using formulations::WholePenaltyMatrix;

struct Saddle {
  Matrix M, C;
  Vector f, r;
  int n() const { return static_cast<int>(M.rows()); }
  int m() const { return static_cast<int>(C.rows()); }
};

Matrix random_matrix(int rows, int columns, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  return Matrix::NullaryExpr(rows, columns, [&](auto, auto) { return uniform(random); });
}

Saddle random_saddle(int n, int m, unsigned seed) {
  std::mt19937 random(seed);
  const Matrix A = random_matrix(n, n, random);
  return {gram(A) + Matrix::Identity(n, n), random_matrix(m, n, random), random_matrix(n, 1, random),
          random_matrix(m, 1, random)};
}

std::unique_ptr<WholePenaltyMatrix> matrix_of(const Saddle& s) {
  auto matrix = std::make_unique<WholePenaltyMatrix>(
      linalg::SaddleShape{s.n(), s.m(), linalg::MassStructure::dense, {}});
  matrix->take(s.M, s.C);
  return matrix;
}

PenaltyIteration factored(const Saddle& s, double penalty, const IterationLimit& limit = {}) {
  PenaltyIteration iteration(matrix_of(s), limit);
  EXPECT_EQ(iteration.factor(Vector::Constant(s.m(), penalty), Vector::Ones(s.n())), Status::ok);
  return iteration;
}

// The whole matrix in extended precision.
Vector dense_solution(const Saddle& s) {
  const int n = s.n(), m = s.m();
  Matrix whole = Matrix::Zero(n + m, n + m);
  whole.topLeftCorner(n, n) = s.M;
  whole.topRightCorner(n, m) = s.C.transpose();
  whole.bottomLeftCorner(m, n) = s.C;
  Vector right(n + m);
  right << s.f, s.r;
  return extended_lu_solution(whole, right);
}

// One constraint: C a_k - r = (1 + s)^-k (C M^-1 f - r), s = alpha C M^-1 C^T.
TEST(PenaltyIteration, ConvergesByTheFactorOfTheory) {
  const Saddle s = random_saddle(6, 1, 1);
  const double S = product(s.C, inverse(s.M), s.C.transpose())(0, 0);
  const double free = (s.C * lu_solution(s.M, s.f) - s.r)(0);
  for (const double penalty : {0.3, 1.0, 10.0, 1000.0})
    for (const int count : {1, 2, 3}) {
      PenaltyIteration iteration = factored(s, penalty, {count, 0});
      Vector a(6);
      const Convergence reached = iteration.solve(s.f, s.r, Vector::Zero(1), a);
      EXPECT_EQ(reached.iterations, count);
      const double expected = free * std::pow(1 + penalty * S, -count);
      EXPECT_NEAR((s.C * a - s.r)(0), expected, 1e-10 * std::abs(expected) + 1e-15)
          << penalty << " " << count;
      // Increments are differences of such terms, and have the same factor from the third on.
      if (count == 3 && penalty <= 10) {
        EXPECT_NEAR(reached.factor, 1 / (1 + penalty * S), 1e-8);
      }
    }
}

// Several: the slowest direction wins.
TEST(PenaltyIteration, ItsSlowestDirectionIsTheSmallestEigenvalue) {
  const Saddle s = random_saddle(7, 4, 2);
  const Matrix S = product(s.C, inverse(s.M), s.C.transpose());
  const double smallest = symmetric_eigen(S).values(0);
  const double penalty = 0.5 / smallest;  // a factor of 2/3
  PenaltyIteration iteration = factored(s, penalty, {30, 0});
  Vector a(7);
  EXPECT_NEAR(iteration.solve(s.f, s.r, Vector::Zero(4), a).factor, 1 / (1 + penalty * smallest), 1e-3);
}

// For increments the accuracy does not suffer from the penalty; a single solution loses penalty * eps.
TEST(PenaltyIteration, EndsAtRoundoffWhateverThePenalty) {
  for (const unsigned seed : {3u, 4u, 5u}) {
    const Saddle s = random_saddle(9, 5, seed);
    const Vector exact = dense_solution(s);
    for (const double penalty : {1e2, 1e5, 1e7, 1e9, 1e11}) {
      PenaltyIteration iteration = factored(s, penalty);
      Vector a(9), l(5);
      const Convergence reached = iteration.solve(s.f, s.r, Vector::Zero(5), a);
      iteration.multipliers(s.f, a, l);
      EXPECT_TRUE(reached.reached);
      if (penalty == 1e7) {
        EXPECT_LE(reached.iterations, 4);
      }
      EXPECT_LT((a - exact.head(9)).norm(), 1e-14 * exact.norm() * 10) << penalty;
      EXPECT_LT((l - exact.tail(5)).norm(), 1e-14 * exact.norm() * 10) << penalty;
    }
  }
}

// Rows of which one is a combination of others, and one that is zero: a as without them, l the least-norm solution of C^T l = f - M a.
TEST(PenaltyIteration, RedundantRowsShareTheForceByLeastNorm) {
  const Saddle plain = random_saddle(6, 2, 6);
  const Vector exact = dense_solution(plain);
  Saddle s = plain;
  s.C.resize(4, 6);
  s.C << plain.C, 2 * plain.C.row(0) - plain.C.row(1), Matrix::Zero(1, 6);
  s.r.resize(4);
  s.r << plain.r, 2 * plain.r(0) - plain.r(1), 0;
  const Matrix C_T = s.C.transpose();
  const Vector least = least_norm_solution(C_T, s.f - s.M * exact.head(6), 1e-12);
  PenaltyIteration iteration = factored(s, 1e7);
  Vector a(6), l(4);
  EXPECT_TRUE(iteration.solve(s.f, s.r, Vector::Zero(4), a).reached);
  iteration.multipliers(s.f, a, l);
  EXPECT_LT((a - exact.head(6)).norm(), 1e-13 * exact.norm());
  EXPECT_LT((l - least).norm(), 1e-13 * least.norm());
  // Rows that contradict each other: least squares, and multipliers that do not grow with the iterations.
  s.r(2) += 1e-6;
  iteration.solve(s.f, s.r, Vector::Zero(4), a);
  iteration.multipliers(s.f, a, l);
  EXPECT_LT((s.C.transpose() * (s.C * a - s.r)).norm(), 1e-13);
  EXPECT_LT((l - least).norm(), 1e-4 * least.norm());
}

TEST(PenaltyIteration, WhatIsNotDefiniteIsSaid) {
  Saddle s = random_saddle(3, 1, 7);
  s.M.setZero();
  s.M(0, 0) = 1;
  s.C << 1, -1, 0;
  const Vector one = Vector::Ones(1);
  EXPECT_EQ(matrix_of(s)->factor(one), Status::singular_mass);
  s.C(0, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(matrix_of(s)->factor(one), Status::not_finite);
}

}  // namespace
}  // namespace driftless::tests
