// linalg::SaddlePoint where most entries of C are zero (sparse_panel.hpp), against Eigen's FullPivLU of the whole matrix.
#include <cmath>
#include <vector>

#include <driftless/linalg/sparse_cholesky.hpp>
#include <driftless/linalg/sparse_panel.hpp>

#include "saddle_cases.hpp"
#include "support/allocation_counter.hpp"

namespace {

using namespace saddle_cases;
using driftless::linalg::SparseCholesky;
using driftless::linalg::SparsePanel;

class SparseSaddle : public SaddleCases {
 protected:
  // Rows 2 i and 2 i + 1 join block i of three columns to a block some places further.
  Matrix joints(int m, int n, int reach = 1) {
    Matrix C = Matrix::Zero(m, n);
    for (int i = 0; i < m; ++i)
      for (const int first : {3 * (i / 2), 3 * (i / 2 + 1 + (i / 2) % reach)})
        if (first + 3 <= n) C.block(i, first, 1, 3) = random(1, 3);
    return C;
  }
};

TEST_F(SparseSaddle, AgreesWithFullPivoting) {
  for (const MassStructure structure : structures)
    for (const int m : {13, 14, 20, 37, 60})
      for (const int reach : {1, 3}) {
        const int n = 3 * ((m + 1) / 2 + 3);
        const SaddleShape of = shape(n, m, structure);
        const Matrix M = mass(of), C = joints(m, n, reach);
        SaddlePoint saddle(of);
        ASSERT_EQ(saddle.factor(M, C), FactorStatus::ok) << m;
        EXPECT_FALSE(saddle.used_whole_matrix());
        const Matrix K = whole(of, M, C.transpose(), C);
        EXPECT_LT(error(saddle, K, n, m), 1e-10) << m;
        Vector squares(m), pivots(m);
        ASSERT_TRUE(saddle.row_pivots(squares, pivots));
        const Matrix inverse = driftless::tests::inverse(K.topLeftCorner(n, n)),
                     S = driftless::tests::product(C, inverse, C.transpose());
        EXPECT_LT((squares - S.diagonal()).norm(), 1e-10 * S.norm());
      }
}

TEST_F(SparseSaddle, FollowsEntriesThatComeAndGo) {
  const int m = 24, n = 45;
  const SaddleShape of = shape(n, m, MassStructure::block_diagonal);
  const Matrix M = mass(of);
  SaddlePoint saddle(of);
  for (int round = 0; round < 6; ++round) {
    Matrix C = joints(m, n, 1 + round % 3);
    if (round == 2) C.row(7) = Matrix(random(1, n));  // one full row
    if (round == 3) C.col(0).setZero();               // a column without any entry
    if (round == 4) C = random(m, n);                 // full, and dense from then on
    ASSERT_EQ(saddle.factor(M, C), FactorStatus::ok) << round;
    EXPECT_LT(error(saddle, whole(of, M, C.transpose(), C), n, m), 1e-9) << round;
  }
}

TEST_F(SparseSaddle, NamesDependentRowsAndRefusesWhatIsNotFinite) {
  const int m = 20, n = 42;
  const SaddleShape of = shape(n, m, MassStructure::diagonal);
  const Matrix M = mass(of);
  SaddlePoint saddle(of);
  Matrix C = joints(m, n);
  C.row(17) = 2 * C.row(3) - C.row(8);
  EXPECT_EQ(saddle.factor(M, C), FactorStatus::rank_loss);
  EXPECT_EQ(saddle.dependent_rows(), std::vector<int>{17});
  for (const double bad : {not_a_number, infinity})
    for (const bool elsewhere : {false, true}) {
      Matrix broken = joints(m, n);
      broken(5, elsewhere ? n - 1 : 6) = bad;
      EXPECT_NE(saddle.factor(M, broken), FactorStatus::ok);
    }
  C = joints(m, n);
  EXPECT_EQ(saddle.factor(M, C), FactorStatus::ok);
  EXPECT_LT(error(saddle, whole(of, M, C.transpose(), C), n, m), 1e-10);
}

TEST_F(SparseSaddle, GivenBStaysDense) {
  const int m = 20, n = 42;
  const SaddleShape of = shape(n, m, MassStructure::block_diagonal);
  const Matrix M = mass(of), C = joints(m, n), B = C.transpose() + 0.01 * random(n, m);
  SaddlePoint saddle(of);
  ASSERT_EQ(saddle.factor(M, C), FactorStatus::ok);  // sparse before, and after
  ASSERT_EQ(saddle.factor(M, B, C), FactorStatus::ok);
  EXPECT_LT(error(saddle, whole(of, M, B, C), n, m), 1e-9);
  ASSERT_EQ(saddle.factor(M, C), FactorStatus::ok);
  EXPECT_LT(error(saddle, whole(of, M, C.transpose(), C), n, m), 1e-9);
}

TEST_F(SparseSaddle, DoesNotAllocate) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "malloc is not counted in this build";
  const int m = 24, n = 45;
  const SaddleShape of = shape(n, m, MassStructure::block_diagonal);
  const Matrix M = mass(of), C = joints(m, n), D = joints(m, n, 3), full = random(m, n);
  const Vector f = random(n, 1), r = random(m, 1);
  Vector a(n), l(m);
  SaddlePoint saddle(of);
  const long allocations = allocation_counter::during([&] {
    for (const Matrix* rows : {&C, &D, &C, &full}) {
      saddle.factor(M, *rows);
      saddle.solve(f, r, a, l);
    }
  });
  EXPECT_EQ(allocations, 0);
}

// The panel itself is not used where it would not pay, and says so.
TEST_F(SparseSaddle, PanelsThatAreFullAreRefused) {
  SparsePanel panel(20, 40, std::vector<int>(40, 1));
  EXPECT_FALSE(panel.take(random(20, 40).eval().data(), 20));
  SparsePanel sparse(20, 42, std::vector<int>(14, 3));
  const Matrix C = joints(20, 42);
  ASSERT_TRUE(sparse.take(C.data(), 20));
  Matrix S(20, 20);
  sparse.gram(S.data());
  EXPECT_LT((Matrix(S.triangularView<Eigen::Lower>()) -
             Matrix(driftless::tests::gram(C).triangularView<Eigen::Lower>()))
                .norm(),
            1e-12);
}

TEST_F(SparseSaddle, CholeskyOfBandsAndFullMatrices) {
  for (const int size : {1, 2, 5, 20, 33})
    for (const int band : {0, 1, 4, 40}) {
      const Matrix full = positive(size);
      Matrix A = full;
      for (int j = 0; j < size; ++j)
        for (int i = 0; i < size; ++i)
          if (std::abs(i - j) > band) A(i, j) = 0;
      A.diagonal().array() += 40;  // which leaves it positive definite
      const Vector b = random(size, 1);
      Vector x = b;
      Matrix L = A;
      SparseCholesky cholesky(size);
      ASSERT_TRUE(cholesky.factor(L.data(), 0));
      cholesky.forward(L.data(), x.data());
      cholesky.backward(L.data(), x.data());
      EXPECT_LT((x - driftless::tests::lu_solution(A, b)).norm(), 1e-12 * (1 + b.norm())) << size << band;
      L = A;
      L(size - 1, size - 1) = -1;
      EXPECT_FALSE(cholesky.factor(L.data(), 0));
    }
}

}  // namespace
