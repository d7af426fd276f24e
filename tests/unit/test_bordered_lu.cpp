// Systems with constraint rows: against Eigen's LU with full pivoting, with and without the zero block, and what counts as singular.
#include <gtest/gtest.h>

#include <driftless/linalg/bordered_lu.hpp>

#include "support/dense_oracle.hpp"

namespace driftless::tests {
namespace {

using linalg::BorderedLu;

template <class Scalar>
using Square = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

// Entries that look random, always the same; the corner is zero where `bordered`.
template <class Scalar>
Square<Scalar> example(int n, int m, bool bordered) {
  Square<Scalar> P(n + m, n + m);
  for (int j = 0; j < n + m; ++j)
    for (int i = 0; i < n + m; ++i) {
      P(i, j) = Scalar(std::sin(1.0 + 3.7 * i + 7.3 * j + 0.9 * i * j));
      if constexpr (!std::is_same_v<Scalar, double>) P(i, j) += Scalar(0, std::cos(2.1 * i - 0.7 * j));
    }
  if (bordered) P.bottomRightCorner(m, m).setZero();
  return P;
}

template <class Scalar>
void solves(int n, int m, bool bordered) {
  const Square<Scalar> P = example<Scalar>(n, m, bordered);
  BorderedLu<Scalar> lu(n, m);
  ASSERT_TRUE(lu.factor(P)) << n << " " << m;
  Eigen::Matrix<Scalar, Eigen::Dynamic, 1> b = P.col(0) + P.col(n + m - 1) * Scalar(2), x = b;
  lu.solve(x);
  const Eigen::Matrix<Scalar, Eigen::Dynamic, 1> expected = lu_solution(P, b);
  EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-11) << n << " " << m << " " << bordered;

  // Several at once, as rows, of which the last ones fill a block up.
  Square<Scalar> X = Square<Scalar>::Zero(8, n + m);
  for (int i = 0; i < 6; ++i) X.row(i) = b.transpose() * Scalar(i + 1);
  lu.solve_rows(X);
  for (int i = 0; i < 6; ++i)
    EXPECT_LT((X.row(i).transpose() - expected * Scalar(i + 1)).cwiseAbs().maxCoeff(), 1e-10)
        << n << " " << m;
}

TEST(BorderedLuTest, SolvesAllSizes) {
  for (int n = 1; n <= 12; ++n)
    for (int m = 0; m <= n; ++m)
      for (const bool bordered : {true, false}) {
        solves<double>(n, m, bordered);
        solves<std::complex<double>>(n, m, bordered);
      }
}

// K may be singular, even zero, as long as the whole is not: [[0, I], [I, 0]].
TEST(BorderedLuTest, NeedsNoRegularBlock) {
  Eigen::MatrixXd P = Eigen::MatrixXd::Zero(4, 4);
  P.topRightCorner(2, 2).setIdentity();
  P.bottomLeftCorner(2, 2).setIdentity();
  BorderedLu<double> lu(2, 2);
  ASSERT_TRUE(lu.factor(P));
  Eigen::VectorXd x(4);
  x << 1, 2, 3, 4;
  lu.solve(x);
  EXPECT_EQ(x, Eigen::Vector4d(3, 4, 1, 2));
}

// A right-hand side that is not finite leaves nothing behind, also where sizes are no multiples of four.
TEST(BorderedLuTest, ForgetsARightHandSide) {
  const Eigen::MatrixXd P = example<double>(4, 2, false);
  BorderedLu<double> lu(4, 2);
  ASSERT_TRUE(lu.factor(P));
  Eigen::VectorXd bad = Eigen::VectorXd::Constant(6, std::numeric_limits<double>::quiet_NaN()), x = P.col(3);
  lu.solve(bad);
  lu.solve(x);
  EXPECT_LT((x - Eigen::VectorXd::Unit(6, 3)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(BorderedLuTest, SingularDoesNotDependOnUnits) {
  Eigen::MatrixXd P = example<double>(5, 3, true);
  BorderedLu<double> lu(5, 3);
  for (const double unit : {1e-80, 1.0, 1e80}) {
    Eigen::MatrixXd scaled = P;
    scaled.bottomRows(3) *= unit;
    scaled.rightCols(3) *= unit;
    EXPECT_TRUE(lu.factor(scaled)) << unit;
  }
  P.row(7) = 1e30 * P.row(6);  // two constraint rows that say the same
  EXPECT_FALSE(lu.factor(P));
  P = example<double>(3, 4, true);  // more constraint rows than columns they could use
  EXPECT_FALSE(BorderedLu<double>(3, 4).factor(P));
  P(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(BorderedLu<double>(3, 4).factor(P));
}

}  // namespace
}  // namespace driftless::tests
