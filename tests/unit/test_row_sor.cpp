// Linear algebra that factors nothing: sweeps of SOR against the textbook form on C C^T, and the largest
// eigenvalue against Eigen's.
#include <gtest/gtest.h>

#include <cmath>

#include <driftless/linalg/power_iteration.hpp>
#include <driftless/linalg/row_sor.hpp>

#include "support/allocation_counter.hpp"
#include "support/dense_oracle.hpp"

namespace driftless::linalg {
namespace {

Matrix example(int rows, int columns) {
  Matrix C(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) C(i, j) = std::sin(1 + 3.7 * i + 1.3 * j * (i + 1)) * (1 + i);
  return C;
}

// A = C C^T formed, and one entry of x after the other: x_i += omega (r - A x)_i/A_ii.
Vector textbook(const Matrix& C, const Vector& r, int sweeps, double omega, Vector x) {
  const Matrix A = tests::gram(C);
  const auto visit = [&](Eigen::Index i) { x(i) += omega * (r(i) - A.row(i).dot(x)) / A(i, i); };
  for (int s = 0; s < sweeps; ++s) {
    for (Eigen::Index i = 0; i < r.size(); ++i) visit(i);
    for (Eigen::Index i = r.size() - 1; i >= 0; --i) visit(i);
  }
  return x;
}

TEST(RowSor, IsSorOnTheProduct) {
  const Matrix C = example(4, 7);
  const Vector r = Vector::LinSpaced(4, 1, -2), guess = Vector::LinSpaced(4, 0.1, 0.3);
  for (const double omega : {0.7, 1.0, 1.6}) {
    RowSor sor(4);
    ASSERT_EQ(sor.prepare(C), FactorStatus::ok);
    Vector x = guess, a(7);
    sor.solve(C, r, 3, omega, x, a);
    EXPECT_LT((x - textbook(C, r, 3, omega, guess)).norm(), 1e-13);
    EXPECT_LT((a - C.transpose() * x).norm(), 1e-13);
  }
}

TEST(RowSor, ConvergesToTheSmallestSolutionForAllRelaxations) {
  const Matrix C = example(3, 6);
  const Vector r = Vector::LinSpaced(3, 1, 2),
               smallest = C.transpose() * tests::lu_solution(tests::gram(C), r);
  for (const double omega : {0.2, 1.0, 1.9}) {
    RowSor sor(3);
    sor.prepare(C);
    Vector x = Vector::Zero(3), a(6);
    sor.solve(C, r, 4000, omega, x, a);
    EXPECT_LT((a - smallest).norm(), 1e-12) << omega;
  }
}

TEST(RowSor, OneRowIsSolvedAtOnce) {
  const Matrix C = example(1, 3);
  RowSor sor(1);
  sor.prepare(C);
  Vector x = Vector::Zero(1), a(3);
  const Vector r = Vector::Constant(1, 2.0);
  sor.solve(C, r, 1, 1, x, a);
  EXPECT_LT((C * a - r).norm(), 1e-15);
}

TEST(RowSor, VerdictsAndNoAllocation) {
  Matrix C = example(3, 5);
  RowSor sor(3);
  Vector x = Vector::Zero(3), a(5);
  const Vector r = Vector::Ones(3);
  if (allocation_counter::counting_works()) {
    EXPECT_EQ(allocation_counter::during([&] {
                sor.prepare(C);
                sor.solve(C, r, 5, 1, x, a);
              }),
              0);
  }
  C.row(1).setZero();
  EXPECT_EQ(sor.prepare(C), FactorStatus::rank_loss);
  C(0, 0) = std::nan("");
  EXPECT_EQ(sor.prepare(C), FactorStatus::not_finite);
}

TEST(PowerIteration, LargestEigenvalueOfTheProduct) {
  for (const auto& [rows, columns] : {std::pair{1, 4}, {2, 3}, {5, 8}, {12, 30}}) {
    const Matrix C = example(rows, columns);
    const double exact = tests::symmetric_eigen(tests::gram(C)).values.maxCoeff();
    Vector u(rows), w(columns);
    const double value = largest_gram_eigenvalue(C, u, w);
    EXPECT_LE(value, exact * (1 + 1e-13));
    EXPECT_GE(value, exact * (1 - 1e-3)) << rows;
    if (allocation_counter::counting_works()) {
      EXPECT_EQ(allocation_counter::during([&] { largest_gram_eigenvalue(C, u, w); }), 0);
    }
  }
  // Rows that are opposite and such that no row leads, as a vector of ones would be blind for.
  Matrix C(2, 2);
  C << 1, 0, -0.99, 0.1;
  Vector u(2), w(2);
  EXPECT_NEAR(largest_gram_eigenvalue(C, u, w), tests::symmetric_eigen(tests::gram(C)).values.maxCoeff(),
              1e-3);
  EXPECT_EQ(largest_gram_eigenvalue(Matrix::Zero(2, 2), u, w), 0);
}

}  // namespace
}  // namespace driftless::linalg
