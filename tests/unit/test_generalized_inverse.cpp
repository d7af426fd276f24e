// Generalized solutions of overdetermined systems against what defines them, and small matrices Q = A Z A^T against whole ones.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include <driftless/linalg/congruent_lu.hpp>
#include <driftless/linalg/generalized_inverse.hpp>

#include "support/dense_oracle.hpp"

namespace driftless::tests {
namespace {

using linalg::GeneralizedSolution;

Matrix random_matrix(int rows, int columns, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> entry(-1, 1);
  Matrix A(rows, columns);
  for (double& a : A.reshaped()) a = entry(engine);
  return A;
}

struct Case {
  Matrix A_1, R, A_2;
  Vector a_1, a_2;
};

Case random_case(int n, int k, unsigned seed) {
  Case c;
  c.A_1 = random_matrix(n, n, seed) + 3 * Matrix::Identity(n, n);
  c.A_2 = random_matrix(k, n, seed + 1);
  c.R = c.A_2.transpose();
  c.a_1 = random_matrix(n, 1, seed + 2);
  c.a_2 = random_matrix(k, 1, seed + 3);
  return c;
}

Vector solved(GeneralizedSolution definition, const Case& c) {
  Vector x;
  EXPECT_TRUE(linalg::generalized_solve(definition, c.A_1, c.R, c.A_2, c.a_1, c.a_2, x));
  return x;
}

TEST(GeneralizedInverse, SsfLeavesItsResidualInTheRangeOfR) {
  for (const auto& [n, k] : {std::pair{5, 2}, {20, 6}, {20, 12}, {4, 1}, {3, 3}}) {
    Case c = random_case(n, k, 7);
    for (const bool own : {false, true}) {
      if (own) c.R = random_matrix(n, k, 99) + c.A_2.transpose();
      for (const auto definition : {GeneralizedSolution::null_space, GeneralizedSolution::extended}) {
        const Vector x = solved(definition, c);
        EXPECT_LT((c.A_2 * x - c.a_2).norm(), 1e-12);
        EXPECT_LT(outside_range(c.R, c.a_1 - c.A_1 * x).norm(), 1e-11) << n << " " << k;
      }
    }
  }
}

// Multiplying rows that R reaches by one number changes nothing, (30) of the paper: range of R stays.
TEST(GeneralizedInverse, SsfDoesNotDependOnAUniformRowScale) {
  Case c = random_case(6, 2, 3);
  const Vector x = solved(GeneralizedSolution::null_space, c);
  c.A_1 *= 1e-4;
  c.a_1 *= 1e-4;
  EXPECT_LT((solved(GeneralizedSolution::null_space, c) - x).norm(), 1e-10);
}

TEST(GeneralizedInverse, LeastSquaresAreSmallestAmongWhatSatisfiesTheRows) {
  const Case c = random_case(8, 3, 11);
  const Vector x = solved(GeneralizedSolution::least_squares, c);
  EXPECT_LT((c.A_2 * x - c.a_2).norm(), 1e-12);
  // The gradient A_1^T (A_1 x - a_1) is normal to every direction that A_2 allows.
  const Vector gradient = c.A_1.transpose() * (c.A_1 * x - c.a_1);
  const Matrix free = kernel(c.A_2);
  EXPECT_LT((free.transpose() * gradient).norm(), 1e-11);
}

TEST(GeneralizedInverse, GaussNewtonSatisfiesTheNormalEquations) {
  const Case c = random_case(8, 3, 13);
  const Vector x = solved(GeneralizedSolution::gauss_newton, c);
  const Vector gradient = c.A_1.transpose() * (c.A_1 * x - c.a_1) + c.A_2.transpose() * (c.A_2 * x - c.a_2);
  EXPECT_LT(gradient.norm(), 1e-11);
}

TEST(GeneralizedInverse, AllAreThePlainSolutionWithoutRowsBeside) {
  const Case c = random_case(5, 0, 17);
  const Vector plain = lu_solution(c.A_1, c.a_1);
  for (const auto definition : {GeneralizedSolution::null_space, GeneralizedSolution::extended,
                                GeneralizedSolution::least_squares, GeneralizedSolution::gauss_newton})
    EXPECT_LT((solved(definition, c) - plain).norm(), 1e-12);
}

TEST(GeneralizedInverse, SaysWhereThereIsNone) {
  Case c = random_case(5, 2, 19);
  c.A_2.row(1) = 2 * c.A_2.row(0);
  c.R = c.A_2.transpose();
  Vector x = Vector::Constant(5, 4);
  for (const auto definition :
       {GeneralizedSolution::null_space, GeneralizedSolution::extended, GeneralizedSolution::least_squares})
    EXPECT_FALSE(linalg::generalized_solve(definition, c.A_1, c.R, c.A_2, c.a_1, c.a_2, x));
  EXPECT_EQ(x, Vector::Constant(5, 4));
  c.A_2(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(
      linalg::generalized_solve(GeneralizedSolution::gauss_newton, c.A_1, c.R, c.A_2, c.a_1, c.a_2, x));
}

// Every compiled size, the one beyond, and those where the last block of columns is not full.
TEST(CongruentLu, SolvesAsAWholeMatrixDoes) {
  for (int rows = 1; rows <= 14; ++rows)
    for (const int columns : {rows, rows + 1, rows + 3, 2 * rows + 2}) {
      const int ld = (columns + 3) / 4 * 4 + 4;
      const Matrix A = random_matrix(rows, columns, static_cast<unsigned>(rows));
      Matrix Z = Matrix::Zero(ld, columns);
      Z.topRows(columns) = 0.1 * random_matrix(columns, columns, 5) + Matrix::Identity(columns, columns);
      linalg::CongruentLu lu(rows, columns);
      ASSERT_TRUE(lu.factor(A.data(), Z.data(), ld)) << rows << " " << columns;
      const Matrix Q = product(A, Z.topRows(columns), A.transpose());
      const Vector x = Vector::LinSpaced(rows, 1, 2);
      Vector b = Q * x;
      lu.solve(b.data());
      EXPECT_LT((b - x).cwiseAbs().maxCoeff(), 1e-10 * inverse(Q).norm() * Q.norm())
          << rows << " " << columns;
    }
}

TEST(CongruentLu, TakesPivotsWhereItMust) {
  for (const int n : {2, 5, 6, 12, 13}) {
    const int ld = (n + 3) / 4 * 4;
    const Matrix A = Matrix::Identity(n, n);
    Matrix Z = Matrix::Zero(ld, n);  // a cyclic permutation: nothing on the diagonal
    for (int i = 0; i < n; ++i) Z((i + 1) % n, i) = i + 1;
    linalg::CongruentLu lu(n, n);
    ASSERT_TRUE(lu.factor(A.data(), Z.data(), ld));
    const Vector x = Vector::LinSpaced(n, 1, 2);
    Vector b = Z.topRows(n) * x;
    lu.solve(b.data());
    EXPECT_LT((b - x).norm(), 1e-14);
  }
}

TEST(CongruentLu, SaysWhereItIsSingular) {
  for (const int rows : {2, 6, 13}) {
    const int columns = rows + 1, ld = (columns + 3) / 4 * 4;
    Matrix A = random_matrix(rows, columns, 2);
    Matrix Z = Matrix::Zero(ld, columns);
    Z.topRows(columns).setIdentity();
    linalg::CongruentLu lu(rows, columns);
    EXPECT_TRUE(lu.factor(A.data(), Z.data(), ld));
    A.row(rows - 1) = A.row(0);
    EXPECT_FALSE(lu.factor(A.data(), Z.data(), ld));
    A(0, 0) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(lu.factor(A.data(), Z.data(), ld));
    A.setZero();
    EXPECT_FALSE(lu.factor(A.data(), Z.data(), ld));
  }
}

}  // namespace
}  // namespace driftless::tests
