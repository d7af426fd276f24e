// linalg::SaddlePoint against Eigen's FullPivLU of the whole matrix: sizes, structures, units, conditioning.
#include <cmath>
#include <vector>

#include "saddle_cases.hpp"
#include "support/allocation_counter.hpp"

namespace {

using namespace saddle_cases;

class SaddlePointTest : public SaddleCases {};

TEST_F(SaddlePointTest, AgreesWithFullPivotingForAllSizesAndStructures) {
  for (const MassStructure structure : structures)
    for (int n = 1; n <= 20; ++n)
      for (int m = 0; m <= n; ++m) {
        const SaddleShape of = shape(n, m, structure);
        const Matrix M = mass(of), C = with_condition(m, n, 100.0);
        SaddlePoint saddle(of);
        ASSERT_EQ(saddle.factor(M, C), FactorStatus::ok) << n << " x " << m;
        EXPECT_FALSE(saddle.used_whole_matrix());
        EXPECT_LT(error(saddle, whole(of, M, C.transpose(), C), n, m), 1e-10) << n << " x " << m;
      }
}

TEST_F(SaddlePointTest, AgreesWithFullPivotingForGivenB) {
  for (const MassStructure structure : structures)
    for (int n = 1; n <= 20; n += 3)
      for (int m = 0; m <= n; ++m) {
        const SaddleShape of = shape(n, m, structure);
        const Matrix M = mass(of), C = with_condition(m, n, 10.0);
        const Matrix B = C.transpose() + 0.05 * random(n, m);
        const Matrix K = whole(of, M, B, C);
        if (driftless::tests::singular_values(K).minCoeff() < 1e-3) continue;  // a B that happens to be bad
        SaddlePoint saddle(of);
        ASSERT_EQ(saddle.factor(M, B, C), FactorStatus::ok) << n << " x " << m;
        EXPECT_FALSE(saddle.used_whole_matrix());
        EXPECT_LT(error(saddle, K, n, m), 1e-9) << n << " x " << m;
      }
}

TEST_F(SaddlePointTest, LargeSizesAndFewerOrNoUnknowns) {
  const SaddleShape large{150, 90, MassStructure::dense, {}};
  const Matrix M = positive(150), C = random(90, 150);
  SaddlePoint saddle(large);
  ASSERT_EQ(saddle.factor(M, C), FactorStatus::ok);
  EXPECT_LT(error(saddle, whole(large, M, C.transpose(), C), 150, 90), 1e-9);

  SaddlePoint nothing(SaddleShape{0, 0, MassStructure::dense, {}});
  EXPECT_EQ(nothing.factor(Matrix(0, 0), Matrix(0, 0)), FactorStatus::ok);
  Vector empty(0);
  EXPECT_NO_THROW(nothing.solve(empty, empty, empty, empty));
  SaddlePoint untouched;
  EXPECT_EQ(untouched.factor(Matrix(0, 0), Matrix(0, 0)), FactorStatus::ok);

  SaddlePoint too_many(SaddleShape{2, 3, MassStructure::dense, {}});
  EXPECT_EQ(too_many.factor(Matrix::Identity(2, 2), random(3, 2)), FactorStatus::rank_loss);
  EXPECT_EQ(too_many.dependent_rows(), std::vector<int>{2});
  SaddlePoint only_rows(SaddleShape{0, 2, MassStructure::identity, {}});
  EXPECT_EQ(only_rows.factor(Matrix(0, 0), Matrix(2, 0)), FactorStatus::rank_loss);
}

TEST_F(SaddlePointTest, BlocksOfLargerMatricesAndAliasedVectors) {
  const SaddleShape of = shape(6, 4, MassStructure::dense);
  Matrix frame = Matrix::Constant(20, 20, not_a_number);
  frame.block(2, 3, 6, 6) = positive(6);
  frame.block(10, 11, 4, 6) = random(4, 6);
  const Matrix M = frame.block(2, 3, 6, 6), C = frame.block(10, 11, 4, 6);
  SaddlePoint saddle(of);
  ASSERT_EQ(saddle.factor(frame.block(2, 3, 6, 6), frame.block(10, 11, 4, 6)), FactorStatus::ok);
  EXPECT_LT(error(saddle, whole(of, M, C.transpose(), C), 6, 4), 1e-11);

  const Vector f = random(6, 1), r = random(4, 1);
  Vector a(6), l(4), f_then_a = f, r_then_l = r;
  saddle.solve(f, r, a, l);
  saddle.solve(f_then_a, r_then_l, f_then_a, r_then_l);
  EXPECT_EQ(a, f_then_a);
  EXPECT_EQ(l, r_then_l);
}

TEST_F(SaddlePointTest, RankTestDoesNotDependOnUnits) {
  for (int trial = 0; trial < 50; ++trial) {
    const int n = 5 + trial % 10, m = 3 + trial % 3;
    Matrix regular = with_condition(m, n, 1e5), dependent = random(m, n);
    dependent.row(m - 1) = 0.3 * dependent.row(0) - 2.0 * dependent.row(1);
    Vector units(m);
    for (int i = 0; i < m; ++i) units[i] = std::pow(10.0, double((i * 7 + trial * 3) % 41 - 20));
    const Matrix M = positive(n);
    SaddlePoint saddle(shape(n, m, MassStructure::dense));
    EXPECT_EQ(saddle.factor(M, regular), FactorStatus::ok);
    EXPECT_EQ(saddle.factor(M, units.asDiagonal() * regular), FactorStatus::ok);
    for (const Matrix& C : {dependent, Matrix(units.asDiagonal() * dependent)}) {
      EXPECT_EQ(saddle.factor(M, C), FactorStatus::rank_loss);
      EXPECT_EQ(saddle.dependent_rows(), std::vector<int>{m - 1});
      EXPECT_EQ(saddle.condition_estimate(), infinity);
      EXPECT_EQ(saddle.factor(M, C.transpose(), C), FactorStatus::rank_loss);
      EXPECT_EQ(saddle.dependent_rows(), std::vector<int>{m - 1});
    }
  }
}

TEST_F(SaddlePointTest, WeakDependenceAmongManyRowsIsFound) {
  // The last row takes part with a small coefficient: the pivots of S alone would not show it.
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 20 + trial, m = n - 1 - trial % 7;
    Matrix C = random(m, n);
    Vector weights = random(m, 1);
    weights[m - 1] = std::pow(10.0, -double(trial % 5));
    weights[1] = 0.0;
    C.row(1) = (C.transpose() * weights).transpose();
    SaddlePoint saddle(shape(n, m, structures[trial % 4]));
    const Matrix M = mass(shape(n, m, structures[trial % 4]));
    EXPECT_EQ(saddle.factor(M, C), FactorStatus::rank_loss) << trial;
    EXPECT_EQ(saddle.dependent_rows(), std::vector<int>{m - 1}) << trial;
    EXPECT_EQ(saddle.factor(M, C.transpose(), C), FactorStatus::rank_loss) << trial;
  }
}

TEST_F(SaddlePointTest, RowsOfExtremeUnitsAreStillSolved) {
  const SaddleShape of = shape(5, 3, MassStructure::dense);
  const Matrix M = positive(5), C = random(3, 5);
  const Vector units{{1e-170, 1.0, 1e170}}, f = random(5, 1), r = random(3, 1);
  SaddlePoint plain(of), scaled(of);
  ASSERT_EQ(plain.factor(M, C), FactorStatus::ok);
  ASSERT_EQ(scaled.factor(M, units.asDiagonal() * C), FactorStatus::ok);
  Vector a(5), l(3), a_scaled(5), l_scaled(3);
  plain.solve(f, r, a, l);
  scaled.solve(f, units.cwiseProduct(r), a_scaled, l_scaled);
  EXPECT_LT((a - a_scaled).norm(), 1e-11 * a.norm());
  EXPECT_LT((l - units.cwiseProduct(l_scaled)).norm(), 1e-11 * l.norm());
}

TEST_F(SaddlePointTest, IllConditionedIsAcceptedAndZeroRowsAreNot) {
  for (int trial = 0; trial < 100; ++trial) {
    const SaddleShape of = shape(8, 6, structures[trial % 4]);
    const Matrix M = mass(of), C = with_condition(6, 8, 1e5);
    SaddlePoint saddle(of);
    ASSERT_EQ(saddle.factor(M, C), FactorStatus::ok);
    EXPECT_LT(error(saddle, whole(of, M, C.transpose(), C), 8, 6), 1e-4);
    EXPECT_GT(saddle.condition_estimate(), 1e5);
    EXPECT_LT(saddle.condition_estimate(), 1e14);
    Matrix zero = random(6, 8);
    zero.row(trial % 6).setZero();
    EXPECT_EQ(saddle.factor(M, zero), FactorStatus::rank_loss);
    EXPECT_EQ(saddle.dependent_rows(), std::vector<int>{trial % 6});
  }
}

TEST_F(SaddlePointTest, ConditionOfTheScaledSchurComplement) {
  const SaddleShape of = shape(7, 5, MassStructure::dense);
  const Matrix M = positive(7), C = random(5, 7);
  Matrix S = driftless::tests::product(C, driftless::tests::inverse(M), C.transpose());
  const Vector scale = S.diagonal().cwiseSqrt().cwiseInverse();
  S = (scale.asDiagonal() * S * scale.asDiagonal()).eval();
  const auto norm = [](const Matrix& A) { return A.cwiseAbs().colwise().sum().maxCoeff(); };
  SaddlePoint saddle(of);
  ASSERT_EQ(saddle.factor(M, C), FactorStatus::ok);
  EXPECT_NEAR(saddle.condition_estimate() / (norm(S) * norm(driftless::tests::inverse(S))), 1.0, 1e-9);
  ASSERT_EQ(saddle.factor(M, C.transpose(), C), FactorStatus::ok);
  EXPECT_NEAR(saddle.condition_estimate() / (norm(S) * norm(driftless::tests::inverse(S))), 1.0, 1e-9);
  SaddlePoint free(shape(7, 0, MassStructure::dense));
  ASSERT_EQ(free.factor(M, Matrix(0, 7)), FactorStatus::ok);
  EXPECT_EQ(free.condition_estimate(), 1.0);
}

TEST_F(SaddlePointTest, DoesNotAllocateAfterConstruction) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "malloc is not counted in this build";
  for (const MassStructure structure : structures)
    for (const int n : {1, 6, 12, 20, 400}) {
      const SaddleShape of = shape(n, n / 2, structure);
      const Matrix C = random(n / 2, n), B = C.transpose();
      const Vector f = random(n, 1), r = random(n / 2, 1);
      Matrix M = mass(of), singular = M;
      singular(0, 0) = 0.0;
      Vector a(n), l(n / 2);
      SaddlePoint saddle(of);
      const auto allocations = allocation_counter::during([&] {
        if (saddle.factor(M, C) == FactorStatus::ok) saddle.solve(f, r, a, l);
        if (saddle.factor(M, B, C) == FactorStatus::ok) saddle.solve(f, r, a, l);
        if (n > 1 && n < 100 && saddle.factor(singular, C) == FactorStatus::ok) saddle.solve(f, r, a, l);
      });
      EXPECT_EQ(allocations, 0) << n;
      ASSERT_EQ(saddle.factor(M, C), FactorStatus::ok);
    }
}

}  // namespace
