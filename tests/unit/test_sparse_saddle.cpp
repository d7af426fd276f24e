// The saddle point without zeros against whole matrices.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include <driftless/linalg/sparse_saddle.hpp>

namespace driftless::tests {
namespace {

using linalg::FactorStatus;
using linalg::SparseRows;
using linalg::SparseSaddle;

// A chain of bodies with 1 to 6 velocities, between neighbours 1 to 3 rows; the first hangs on nothing.
struct Chain {
  std::vector<int> blocks;
  SparseRows C, B;
  Matrix M, whole_C, whole_B;
  std::vector<double> mass;
  Vector f, r;

  explicit Chain(int bodies, unsigned seed = 3) : random(seed) {
    std::vector<int> first = {0};
    for (int i = 0; i < bodies; ++i) {
      blocks.push_back(1 + i % 6);
      first.push_back(first.back() + blocks.back());
    }
    C.columns = first.back();
    for (int i = 1; i < bodies; ++i) {
      std::vector<int> columns;
      for (int k = first[i - 1]; k < first[i + 1]; ++k) columns.push_back(k);
      for (int row = 0; row < std::min({3, blocks[i - 1], blocks[i]}); ++row) C.add_row(columns);
    }
    B = C;
    for (double& x : C.value) x = normal(random);
    for (std::size_t k = 0; k < C.value.size(); ++k) B.value[k] = C.value[k] + 0.1 * normal(random);
    M = Matrix::Zero(C.columns, C.columns);
    for (int i = 0; i < bodies; ++i) {
      const int n = blocks[i];
      const Matrix A = Matrix::NullaryExpr(n, n, [&] { return normal(random); });
      M.block(first[i], first[i], n, n) = A * A.transpose() + Matrix::Identity(n, n);
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) mass.push_back(M(first[i] + k, first[i] + j));
    }
    whole_C = whole(C);
    whole_B = whole(B);
    f = Vector::NullaryExpr(C.columns, [&] { return normal(random); });
    r = Vector::NullaryExpr(C.rows, [&] { return normal(random); });
  }

  static Matrix whole(const SparseRows& rows) {
    Matrix all = Matrix::Zero(rows.rows, rows.columns);
    for (int i = 0; i < rows.rows; ++i)
      for (int k = rows.first(i); k < rows.last(i); ++k) all(i, rows.column_of(k)) = rows.at(k);
    return all;
  }

  // [M B^T; C 0] (a, l) = (f, r)
  Vector solution(const Matrix& mass_matrix, const Matrix& pulls, const Matrix& rows) const {
    const Eigen::Index n = mass_matrix.rows(), m = rows.rows();
    Matrix all = Matrix::Zero(n + m, n + m);
    all.topLeftCorner(n, n) = mass_matrix;
    all.topRightCorner(n, m) = pulls.transpose();
    all.bottomLeftCorner(m, n) = rows;
    Vector right(n + m);
    right << f, r.head(m);
    return all.partialPivLu().solve(right);
  }

  std::mt19937 random;
  std::normal_distribution<double> normal;
};

Vector joined(const Vector& a, const Vector& l) {
  Vector all(a.size() + l.size());
  all << a, l;
  return all;
}

TEST(SparseSaddle, SolvesWhatWholeMatricesSolve) {
  for (const int bodies : {1, 2, 7, 40}) {
    const Chain chain(bodies);
    SparseSaddle saddle(chain.C, chain.C.rows, chain.blocks);
    Vector a(chain.C.columns), l(chain.C.rows);
    ASSERT_EQ(saddle.factor(chain.mass.data(), chain.C), FactorStatus::ok);
    EXPECT_TRUE(bodies == 1 || saddle.dependent().empty());
    saddle.solve(chain.C, chain.f, chain.r, a, l);
    const Vector exact = chain.solution(chain.M, chain.whole_C, chain.whole_C);
    EXPECT_LT((joined(a, l) - exact).norm(), 1e-10 * exact.norm()) << bodies;
    // M = I, and again with the first mass: what is kept of M must not be mistaken for that of another.
    ASSERT_EQ(saddle.factor(nullptr, chain.C), FactorStatus::ok);
    saddle.solve(chain.C, chain.f, chain.r, a, l);
    const Vector unit =
        chain.solution(Matrix::Identity(chain.C.columns, chain.C.columns), chain.whole_C, chain.whole_C);
    EXPECT_LT((joined(a, l) - unit).norm(), 1e-10 * unit.norm()) << bodies;
    ASSERT_EQ(saddle.factor(chain.mass.data(), chain.C), FactorStatus::ok);
    saddle.solve(chain.C, chain.f, chain.r, a, l);
    EXPECT_LT((joined(a, l) - exact).norm(), 1e-10 * exact.norm()) << bodies;
  }
}

TEST(SparseSaddle, SolvesWherePullsAndRowsDiffer) {
  const Chain chain(30);
  SparseSaddle saddle(chain.C, chain.C.rows, chain.blocks);
  Vector a(chain.C.columns), l(chain.C.rows);
  ASSERT_EQ(saddle.factor(chain.mass.data(), chain.B, chain.C), FactorStatus::ok);
  saddle.solve(chain.C, chain.f, chain.r, a, l);
  const Vector exact = chain.solution(chain.M, chain.whole_B, chain.whole_C);
  EXPECT_LT((joined(a, l) - exact).norm(), 1e-10 * exact.norm());
}

TEST(SparseSaddle, SomeRowsOnly) {
  const Chain chain(20);
  const int rows = chain.C.rows / 2;
  SparseSaddle saddle(chain.C, rows, chain.blocks);
  Vector a(chain.C.columns), l(rows);
  ASSERT_EQ(saddle.factor(nullptr, chain.C), FactorStatus::ok);
  saddle.solve(chain.C, chain.f, chain.r.head(rows), a, l);
  const Matrix some = chain.whole_C.topRows(rows);
  const Vector exact = chain.solution(Matrix::Identity(chain.C.columns, chain.C.columns), some, some);
  EXPECT_LT((joined(a, l) - exact).norm(), 1e-10 * exact.norm());
}

TEST(SparseSaddle, LeavesOutRowsThatOthersImply) {
  Chain chain(20);
  // Row 7 as a combination of the rows of its own joint, if it has some; at least of row 6.
  const int copy = 7, of = 6;
  ASSERT_EQ(chain.C.last(of) - chain.C.first(of), chain.C.last(copy) - chain.C.first(copy));
  for (int k = 0; k < chain.C.last(of) - chain.C.first(of); ++k)
    chain.C.value[static_cast<std::size_t>(chain.C.first(copy) + k)] = -2 * chain.C.at(chain.C.first(of) + k);
  chain.r(copy) = -2 * chain.r(of);
  SparseSaddle saddle(chain.C, chain.C.rows, chain.blocks);
  Vector a(chain.C.columns), l(chain.C.rows);
  ASSERT_EQ(saddle.factor(chain.mass.data(), chain.C), FactorStatus::ok);
  ASSERT_EQ(saddle.dependent().size(), 1u);
  const int lost = saddle.dependent().front();
  EXPECT_TRUE(lost == copy || lost == of) << lost;
  saddle.solve(chain.C, chain.f, chain.r, a, l);
  EXPECT_LT((Chain::whole(chain.C) * a - chain.r).norm(), 1e-9 * chain.r.norm());
  EXPECT_LT((chain.M * a + Chain::whole(chain.C).transpose() * l - chain.f).norm(), 1e-9 * chain.f.norm());
  std::vector<double> shares;
  saddle.shares(lost, shares);
  for (int i = 0; i < chain.C.rows; ++i) {
    const double expected = i != copy && i != of ? 0 : i == lost ? 0 : lost == copy ? -2 : -0.5;
    EXPECT_NEAR(shares[static_cast<std::size_t>(i)], expected, 1e-8) << i;
  }
  // Told so, it does not even look at them.
  saddle.leave_out({copy});
  ASSERT_EQ(saddle.factor(chain.mass.data(), chain.C), FactorStatus::ok);
  EXPECT_TRUE(saddle.dependent().empty());
  saddle.solve(chain.C, chain.f, chain.r, a, l);
  EXPECT_NEAR(l(copy), 0, 1e-12);
  EXPECT_LT((Chain::whole(chain.C) * a - chain.r).norm(), 1e-9 * chain.r.norm());
}

// Rows at a small angle: S is made of squares, and refinement makes up for what is lost in them.
TEST(SparseSaddle, RefinesWhereRowsAreNearlyDependent) {
  Chain chain(20);
  const int near = 7, to = 6;
  for (int k = 0; k < chain.C.last(to) - chain.C.first(to); ++k) {
    auto& entry = chain.C.value[static_cast<std::size_t>(chain.C.first(near) + k)];
    entry = chain.C.at(chain.C.first(to) + k) + 1e-4 * entry;
  }
  SparseSaddle saddle(chain.C, chain.C.rows, chain.blocks);
  Vector a(chain.C.columns), l(chain.C.rows);
  ASSERT_EQ(saddle.factor(nullptr, chain.C), FactorStatus::ok);
  EXPECT_TRUE(saddle.dependent().empty());
  EXPECT_LT(saddle.weakest(), 1e-6);
  saddle.solve(chain.C, chain.f, chain.r, a, l);
  EXPECT_LT((Chain::whole(chain.C) * a - chain.r).norm(), 1e-10 * a.norm());
}

TEST(SparseSaddle, SaysWhatIsWrong) {
  Chain chain(5);
  SparseSaddle saddle(chain.C, chain.C.rows, chain.blocks);
  std::vector<double> mass = chain.mass;
  mass[0] = 0;
  EXPECT_EQ(saddle.factor(mass.data(), chain.C), FactorStatus::singular_mass);
  chain.C.value[0] = std::nan("");
  EXPECT_EQ(saddle.factor(nullptr, chain.C), FactorStatus::not_finite);
}

}  // namespace
}  // namespace driftless::tests
