// Matrices made of fields against whole ones, entry by entry: their solutions answer what the whole matrix makes of them.
#include <gtest/gtest.h>

#include <complex>
#include <random>

#include <driftless/linalg/column_groups.hpp>
#include <driftless/linalg/field_matrix.hpp>

namespace driftless::tests {
namespace {

using linalg::FieldMatrix;
using linalg::FieldPattern;
using linalg::SparseRows;

// A chain of bodies with 3 velocities each; two rows of positions and one of velocities between neighbours.
struct Chain {
  static constexpr int size = 3;
  std::vector<int> bodies;
  SparseRows pairs, C;
  std::vector<double> mass;
  int positions = 0;

  explicit Chain(int count) : bodies(static_cast<std::size_t>(count), size) {
    const auto columns_of = [&](int first, int last) {
      std::vector<int> columns;
      for (int k = size * first; k < size * (last + 1); ++k) columns.push_back(k);
      return columns;
    };
    pairs.columns = C.columns = size * count;
    for (int b = 0; b < count; ++b)
      for (int i = 0; i < size; ++i)
        pairs.add_row(columns_of(std::max(b - 1, 0), std::min(b + 1, count - 1)));
    positions = 2 * (count - 1);
    for (int b = 0; b + 1 < count; ++b)
      for (int i = 0; i < 2; ++i) C.add_row(columns_of(b, b + 1));
    for (int b = 0; b + 1 < count; ++b) C.add_row(columns_of(b, b + 1));
    for (int b = 0; b < count; ++b)
      for (int i = 0; i < size * size; ++i) mass.push_back(some() + (i % 4 == 0 ? 4 : 0));
    fill(pairs);
    fill(C);
  }
  void fill(SparseRows& rows) {
    for (double& x : rows.value) x = some();
  }
  double some() { return normal(random); }

  std::mt19937 random{7};
  std::normal_distribution<double> normal;
};

Matrix whole(const SparseRows& rows) {
  Matrix all = Matrix::Zero(rows.rows, rows.columns);
  for (int i = 0; i < rows.rows; ++i)
    for (int k = rows.first(i); k < rows.last(i); ++k) all(i, rows.column_of(k)) = rows.at(k);
  return all;
}

template <class Scalar>
void answers(Scalar c) {
  using Square = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  for (const int count : {1, 2, 5}) {
    Chain chain(count);
    const int nv = Chain::size * count, rows = chain.C.rows, ng = chain.positions, n = 2 * nv + rows + ng;
    const auto pattern = std::make_shared<const FieldPattern>(
        chain.bodies, chain.pairs, chain.C, ng, linalg::Fields{.velocities = 2, .rows = 1, .positions = 1});
    ASSERT_EQ(pattern->size(), n);
    std::vector<char> counting(static_cast<std::size_t>(rows), 0), of_positions = counting;
    for (int i = ng; i < rows; ++i) of_positions[static_cast<std::size_t>(i)] = 1;
    const bool leaves_out = rows > 2;
    if (leaves_out) counting[1] = of_positions[1] = 1;
    Vector scale(nv);
    for (double& x : scale) x = 1 + 0.1 * std::abs(chain.some());

    FieldMatrix<Scalar> matrix(pattern);
    Square A = Square::Zero(n, n);
    const Matrix pairs = whole(chain.pairs), C = whole(chain.C);
    Matrix imposed = C, only_positions = C.topRows(ng);
    if (leaves_out) imposed.row(1).setZero(), only_positions.row(1).setZero();
    const int l = pattern->row_field(0), m = pattern->row_field(1);
    EXPECT_EQ(l, 2 * nv);
    EXPECT_EQ(m, 2 * nv + rows);
    for (const int again : {1, 2}) {  // cleared, it is as new
      matrix.clear();
      A.setZero();
      matrix.add_identity(0, 0, c), A.topLeftCorner(nv, nv).diagonal().array() += c;
      matrix.add_identity(0, 1, -1.0), A.block(0, nv, nv, nv).diagonal().array() -= 1.0;
      matrix.add_pairs(1, 0, chain.pairs, 0.5), A.block(nv, 0, nv, nv) += 0.5 * pairs;
      matrix.add_mass(1, 1, chain.mass, c);
      for (int b = 0; b < count; ++b)
        A.block(nv + 3 * b, nv + 3 * b, 3, 3) +=
            c * Eigen::Map<const Matrix>(chain.mass.data() + 9 * b, 3, 3);
      matrix.add(0, 1, 1, 2, 0.25), A(1, nv + 2) += 0.25;
      matrix.add_transposed(1, 0, chain.C, 1.0), A.block(nv, l, nv, rows) += C.transpose();
      matrix.add_transposed(0, 1, chain.C, -1.0, scale);
      A.block(0, m, nv, ng) -= scale.asDiagonal() * C.topRows(ng).transpose();
      matrix.add_rows(0, 1, chain.C, 1.0, counting), A.block(l, nv, rows, nv) += imposed;
      matrix.add_rows(1, 0, chain.C, 2.0, of_positions), A.block(m, 0, ng, nv) += 2.0 * only_positions;
      for (int i = 0; leaves_out && i < 2; ++i) {
        matrix.add_to_row(i, i, 1, 1.0);
        A(i == 0 ? l + 1 : m + 1, i == 0 ? l + 1 : m + 1) += 1.0;
      }
      ASSERT_TRUE(matrix.factor()) << count << again;
    }
    typename FieldMatrix<Scalar>::Values x(n);
    for (Eigen::Index i = 0; i < n; ++i) x(i) = Scalar(chain.some());
    const auto right = x.eval();
    matrix.solve(x);
    EXPECT_LT((A * x - right).norm(), 1e-10 * (1 + x.norm())) << count;
  }
}

TEST(FieldMatrix, AnswersTheWholeMatrix) {
  answers<double>(3.0);
}
TEST(FieldMatrix, AnswersTheWholeMatrixOfComplexNumbers) {
  answers<std::complex<double>>({2.0, 1.5});
}

TEST(FieldMatrix, MultipliesByMassBlocks) {
  Chain chain(3);
  const FieldPattern pattern(chain.bodies, chain.pairs, chain.C, chain.positions, {});
  Vector x = Vector::LinSpaced(9, 1, 9), y = Vector::Ones(9), expected = y;
  for (int b = 0; b < 3; ++b)
    expected.segment(3 * b, 3) +=
        Eigen::Map<const Matrix>(chain.mass.data() + 9 * b, 3, 3) * x.segment(3 * b, 3);
  pattern.add_mass_times(chain.mass, x.data(), y.data());
  EXPECT_LT((y - expected).norm(), 1e-14);
}

// Columns of a group share no row, every column is in one, and there are as many groups as a row of the chain has entries.
TEST(ColumnGroups, ShareNoRow) {
  Chain chain(7);
  const linalg::ColumnGroups groups = linalg::column_groups(chain.C);
  EXPECT_EQ(groups.count, 2 * Chain::size);
  for (int i = 0; i < chain.C.rows; ++i) {
    std::vector<int> used(static_cast<std::size_t>(groups.count), 0);
    for (int k = chain.C.first(i); k < chain.C.last(i); ++k) {
      const int group = groups.of_column[static_cast<std::size_t>(chain.C.column_of(k))];
      ASSERT_GE(group, 0);
      EXPECT_EQ(used[static_cast<std::size_t>(group)]++, 0);
    }
  }
  EXPECT_EQ(linalg::column_groups(SparseRows{}).count, 0);
}

}  // namespace
}  // namespace driftless::tests
