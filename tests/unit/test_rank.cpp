// Redundant rows, rank, smallest singular value and null space.
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <driftless/linalg/null_space.hpp>
#include <driftless/linalg/rank.hpp>

#include "support/dense_oracle.hpp"

namespace {

using driftless::Matrix;
using driftless::Vector;
using driftless::linalg::dependent_rows;
using driftless::linalg::null_space;
using driftless::linalg::rank;
using driftless::linalg::smallest_singular_value;

class RankTest : public ::testing::Test {
 protected:
  std::mt19937 engine{1729};
  Matrix random(int rows, int columns) {
    std::normal_distribution<double> normal;
    return Matrix::NullaryExpr(rows, columns, [&] { return normal(engine); });
  }
};

TEST_F(RankTest, NamesTheLaterRowAndWhatItDependsOn) {
  Matrix C = random(7, 9);
  C.row(3) = 2.0 * C.row(0) - 1e-3 * C.row(2);
  C.row(5).setZero();
  C.row(6) = C.row(3) + C.row(4);
  const std::vector<int> none{}, on3{0, 2}, on6{0, 2, 4};
  for (const double unit : {1.0, 1e-200, 1e200}) {
    Matrix scaled = C;
    scaled.row(3) *= unit;
    scaled.row(2) *= std::sqrt(unit);
    const auto found = dependent_rows(scaled);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[0].row, 3);
    EXPECT_EQ(found[0].on, on3);
    EXPECT_EQ(found[1].row, 5);
    EXPECT_EQ(found[1].on, none);
    EXPECT_EQ(found[2].row, 6);
    EXPECT_EQ(found[2].on, on6);
    EXPECT_EQ(rank(scaled), 4);
  }
}

TEST_F(RankTest, ToleranceIsTheAngle) {
  for (const double angle : {1e-4, 1e-6, 1e-8, 1e-10}) {
    Matrix C = Matrix::Zero(2, 3);
    C.row(0) << 1e5, 0.0, 0.0;
    C.row(1) << std::cos(angle), std::sin(angle), 0.0;
    EXPECT_EQ(dependent_rows(C, 0.5 * angle).size(), 0u) << angle;
    EXPECT_EQ(dependent_rows(C, 2.0 * angle).size(), 1u) << angle;
    EXPECT_EQ(rank(C), angle > 3e-7 ? 2 : 1) << angle;
    EXPECT_NEAR(smallest_singular_value(C) / (std::sqrt(2.0) * std::sin(angle / 2.0)), 1.0, 1e-4) << angle;
  }
}

TEST_F(RankTest, MoreRowsThanColumnsAndEmpty) {
  const auto found = dependent_rows(random(5, 3));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].row, 3);
  EXPECT_EQ(found[1].row, 4);
  EXPECT_EQ(found[1].on, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(rank(Matrix(0, 4)), 0);
  EXPECT_EQ(rank(Matrix(2, 0)), 0);
  EXPECT_EQ(smallest_singular_value(random(4, 3)), 0.0);
  EXPECT_EQ(smallest_singular_value(Matrix(0, 3)), std::numeric_limits<double>::infinity());
}

TEST_F(RankTest, SmallestSingularValueIgnoresUnits) {
  const Matrix orthogonal = driftless::tests::orthogonal_factor(random(6, 6));
  const Vector units{{1e-9, 1.0, 1e9, 3.0}};
  EXPECT_NEAR(smallest_singular_value(units.asDiagonal() * orthogonal.topRows(4)), 1.0, 1e-13);
  Matrix C = random(3, 5);
  C.row(1).setZero();
  EXPECT_EQ(smallest_singular_value(C), 0.0);
  C(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(smallest_singular_value(C)));
  const auto found = dependent_rows(C);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].row, 1);
}

TEST_F(RankTest, NullSpaceIsOrthonormalAndComplete) {
  for (int n = 1; n <= 15; ++n)
    for (int m = 0; m <= n + 2; ++m) {
      Matrix C = random(m, n);
      if (m > 2) C.row(2) = 1e7 * (C.row(0) - C.row(1));
      if (m > 0) C.row(0) *= 1e-9;
      const Matrix Z = null_space(C);
      ASSERT_EQ(Z.rows(), n);
      ASSERT_EQ(Z.cols(), n - rank(C)) << n << " x " << m;
      EXPECT_LT((driftless::tests::gram(Z.transpose()) - Matrix::Identity(Z.cols(), Z.cols())).norm(), 1e-13);
      EXPECT_LT(driftless::tests::product(driftless::linalg::row_normalised(C), Z).norm(), 1e-13);
    }
  EXPECT_EQ(null_space(Matrix::Zero(2, 3)).cols(), 3);
  EXPECT_EQ(null_space(Matrix(0, 4)).cols(), 4);
}

}  // namespace
