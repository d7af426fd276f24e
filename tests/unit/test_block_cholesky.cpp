// linalg::BlockPattern and BlockCholesky against dense computations.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>
#include <driftless/linalg/block_cholesky.hpp>

#include "support/allocation_counter.hpp"
#include "support/dense_oracle.hpp"

namespace {

using driftless::Matrix;
using driftless::Vector;
using driftless::linalg::BlockCholesky;
using driftless::linalg::BlockPattern;

using Pairs = std::vector<std::pair<int, int>>;

struct Case {
  std::string name;
  std::vector<int> sizes;
  Pairs pairs;
  std::vector<int> groups;
};

Pairs chain(int n) {
  Pairs pairs;
  for (int i = 0; i + 1 < n; ++i) pairs.emplace_back(i, i + 1);
  return pairs;
}

// Three nodes A, B, C per loop; {A_k, C_k, B_(k + 1)} and {B_k, C_k} are coupled.
Pairs four_bars(int loops) {
  Pairs pairs;
  for (int k = 0; k < loops; ++k) {
    const int A = 3 * k, B = A + 1, C = A + 2;
    pairs.insert(pairs.end(), {{A, C}, {B, C}});
    if (k + 1 < loops) pairs.insert(pairs.end(), {{A, B + 3}, {C, B + 3}});
  }
  return pairs;
}

Pairs star(int n, int center) {
  Pairs pairs;
  for (int i = 0; i < n; ++i)
    if (i != center) pairs.emplace_back(center, i);
  return pairs;
}

std::vector<Case> cases(std::mt19937& engine) {
  const auto mixed = [&](int n) {
    std::vector<int> sizes(static_cast<std::size_t>(n));
    for (int& size : sizes) size = std::uniform_int_distribution<int>(1, 7)(engine);
    return sizes;
  };
  std::vector<Case> all;
  all.push_back({"empty", {}, {}, {}});
  all.push_back({"one node", {3}, {}, {}});
  all.push_back({"isolated", mixed(6), {}, {}});
  all.push_back({"chain", mixed(20), chain(20), {}});
  all.push_back({"chain of 2", std::vector<int>(30, 2), chain(30), {}});
  all.push_back({"four-bars", std::vector<int>(24, 2), four_bars(8), {}});
  all.push_back({"four-bars of many sizes", mixed(24), four_bars(8), {}});
  Pairs ring = chain(17);
  ring.emplace_back(0, 16);
  all.push_back({"ring", mixed(17), ring, {}});
  all.push_back({"star", mixed(15), star(15, 4), {}});
  all.push_back({"star, center first", mixed(8), star(8, 4), {1, 1, 1, 1, 0, 1, 1, 1}});
  Pairs tree;
  for (int i = 1; i < 25; ++i) tree.emplace_back(i, std::uniform_int_distribution<int>(0, i - 1)(engine));
  all.push_back({"tree", mixed(25), tree, {}});
  Pairs arrow = chain(20);
  for (const auto& pair : star(20, 7)) arrow.push_back(pair);  // some of them twice
  all.push_back({"arrow", mixed(20), arrow, {}});
  Pairs dense;
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j <= i; ++j) dense.emplace_back(i, j);
  all.push_back({"dense", mixed(9), dense, {}});
  std::vector<int> sizes = mixed(12), groups(12);
  sizes[5] = 40;
  all.push_back({"one large node", sizes, chain(12), {}});
  sizes[5] = 0;
  for (int i = 0; i < 12; ++i) groups[static_cast<std::size_t>(i)] = i % 2;
  all.push_back({"every other node first, one empty", sizes, chain(12), groups});
  Pairs net;
  for (int i = 0; i < 36; ++i) {
    if (i % 6 != 5) net.emplace_back(i, i + 1);
    if (i < 30) net.emplace_back(i, i + 6);
  }
  all.push_back({"net", mixed(36), net, {}});
  for (int k = 0; k < 20; ++k) {
    const int n = 10 + 2 * k;
    Pairs some;
    std::uniform_int_distribution<int> node(0, n - 1);
    for (int i = 0; i < 3 * n / 2; ++i) some.emplace_back(node(engine), node(engine));
    std::vector<int> random_groups(static_cast<std::size_t>(n));
    for (int& group : random_groups) group = std::uniform_int_distribution<int>(-1, 1)(engine);
    all.push_back(
        {"random " + std::to_string(k), mixed(n), some, k % 2 ? random_groups : std::vector<int>()});
  }
  return all;
}

// The rows of C are those of the nodes; every pair (and every node) has columns of its own, in which its two nodes have entries. S = C C^T.
struct Gram {
  Matrix C;

  Gram(const BlockPattern& pattern, const Pairs& pairs, std::mt19937& engine) {
    std::normal_distribution<double> normal;
    int columns = 0;
    for (int i = 0; i < pattern.nodes(); ++i) columns += pattern.size(i);
    C = Matrix::Zero(pattern.rows(), columns + 2 * static_cast<int>(pairs.size()));
    for (int i = 0, c = 0; i < pattern.nodes(); c += pattern.size(i), ++i)
      for (int r = 0; r < pattern.size(i); ++r)
        for (int k = 0; k < pattern.size(i); ++k)
          C(pattern.offset(i) + r, c + k) = normal(engine) + (r == k ? 6.0 : 0.0);
    for (const auto& [i, j] : pairs) {
      for (int k = 0; k < 2; ++k, ++columns)
        for (const int node : {i, j})
          for (int r = 0; r < pattern.size(node); ++r) C(pattern.offset(node) + r, columns) = normal(engine);
    }
  }

  Matrix matrix() const { return driftless::tests::gram(C); }
};

void fill(BlockCholesky& cholesky, const Pairs& pairs, const Matrix& S) {
  const BlockPattern& pattern = cholesky.pattern();
  cholesky.clear();
  const auto put = [&](int i, int j) {
    const auto slot = pattern.slot(i, j);
    for (int r = 0; r < pattern.size(i); ++r)
      for (int c = 0; c < (i == j ? r + 1 : pattern.size(j)); ++c)
        cholesky
            .values()[static_cast<std::ptrdiff_t>(slot.offset) + r * slot.row_step + c * slot.column_step] =
            S(pattern.offset(i) + r, pattern.offset(j) + c);
  };
  for (int i = 0; i < pattern.nodes(); ++i) put(i, i);
  for (const auto& [i, j] : pairs)
    if (i != j) put(i, j);
}

Vector random_vector(int n, std::mt19937& engine) {
  std::normal_distribution<double> normal;
  return Vector::NullaryExpr(n, [&] { return normal(engine); });
}

std::vector<int> order_of(const BlockCholesky& cholesky) {
  std::vector<int> order(static_cast<std::size_t>(cholesky.pattern().rows()));
  for (int row = 0; row < cholesky.pattern().rows(); ++row)
    order[static_cast<std::size_t>(cholesky.place(row))] = row;
  return order;
}

TEST(BlockCholesky, SolvesLikeADenseMatrix) {
  std::mt19937 engine(7);
  for (const Case& one : cases(engine)) {
    const auto pattern = std::make_shared<const BlockPattern>(one.sizes, one.pairs, one.groups);
    BlockCholesky cholesky(pattern);
    for (int round = 0; round < 2; ++round) {
      const Matrix S = Gram(*pattern, one.pairs, engine).matrix();
      const Vector exact = random_vector(pattern->rows(), engine);
      fill(cholesky, one.pairs, S);
      ASSERT_EQ(cholesky.factor(1e-13, 1e-8), 0) << one.name;
      Vector x = S * exact;
      cholesky.solve(x.data());
      EXPECT_LE((x - exact).norm(), 1e-12 * exact.norm()) << one.name;
    }
  }
}

// The textbook's column by column, in the order that place() tells.
TEST(BlockCholesky, SquaresAndPivotsAreThoseOfTheDenseFactorisation) {
  std::mt19937 engine(8);
  for (const Case& one : cases(engine)) {
    BlockCholesky cholesky(std::make_shared<const BlockPattern>(one.sizes, one.pairs, one.groups));
    const Matrix S = Gram(cholesky.pattern(), one.pairs, engine).matrix();
    fill(cholesky, one.pairs, S);
    ASSERT_EQ(cholesky.factor(1e-13, 1e-8), 0);
    const std::vector<int> order = order_of(cholesky);
    Matrix A = S;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const int p = order[k];
      const auto row = static_cast<std::size_t>(p);
      EXPECT_EQ(cholesky.squares()[row], S(p, p)) << one.name;
      EXPECT_NEAR(cholesky.pivots()[row], A(p, p), 1e-12 * S(p, p)) << one.name << " " << p;
      for (std::size_t i = k + 1; i < order.size(); ++i)
        for (std::size_t j = k + 1; j < order.size(); ++j)
          A(order[i], order[j]) -= S(p, p) == 0.0 ? 0.0 : A(order[i], p) * A(p, order[j]) / A(p, p);
    }
  }
}

TEST(BlockCholesky, RestSharesAreTheSolutionWithTheRowsBefore) {
  std::mt19937 engine(9);
  for (const Case& one : cases(engine)) {
    BlockCholesky cholesky(std::make_shared<const BlockPattern>(one.sizes, one.pairs, one.groups));
    const int n = cholesky.pattern().rows();
    const Matrix S = Gram(cholesky.pattern(), one.pairs, engine).matrix();
    fill(cholesky, one.pairs, S);
    ASSERT_EQ(cholesky.factor(1e-13, 1e-8), 0);
    const std::vector<int> order = order_of(cholesky);
    for (int row = 0; row < n; row += 1 + n / 8) {
      const int before = cholesky.place(row);
      Matrix A(before, before);
      Vector b(before), expected = Vector::Zero(n), y = Vector::Constant(n, 3.0);
      for (int i = 0; i < before; ++i) {
        b[i] = S(order[static_cast<std::size_t>(i)], row);
        for (int j = 0; j < before; ++j)
          A(i, j) = S(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
      }
      if (before > 0) {
        const Vector shares = driftless::tests::lu_solution(A, b);
        for (int i = 0; i < before; ++i) expected[order[static_cast<std::size_t>(i)]] = shares[i];
      }
      cholesky.rest_shares(row, y.data());
      EXPECT_LE((y - expected).norm(), 1e-12 * (1.0 + expected.norm())) << one.name << " " << row;
    }
  }
}

// Rows of C repeated in a neighbour, or combinations of two others of their node.
TEST(BlockCholesky, DependentRowsAreCountedAndTheRestIsSolved) {
  std::mt19937 engine(10);
  const int loops = 12;
  const Pairs pairs = four_bars(loops);
  for (const int repeated : {0, 1, 5, 12}) {
    BlockCholesky cholesky(std::make_shared<const BlockPattern>(std::vector<int>(3 * loops, 3), pairs));
    const BlockPattern& pattern = cholesky.pattern();
    Gram gram(pattern, pairs, engine);
    for (int k = 0; k < repeated; ++k) {
      const int A = pattern.offset(3 * k), C = pattern.offset(3 * k + 2);
      // C_k reaches all that A_k reaches
      gram.C.row(C + 1) = k % 2 ? gram.C.row(A).eval() : (gram.C.row(C) + 3.0 * gram.C.row(C + 2)).eval();
    }
    const Matrix S = gram.matrix();
    fill(cholesky, pairs, S);
    ASSERT_EQ(cholesky.factor(1e-12, 1e-6), repeated);
    ASSERT_EQ(cholesky.dependent().size(), static_cast<std::size_t>(repeated));
    for (const int row : cholesky.dependent()) {
      const auto k = static_cast<std::size_t>(row);
      EXPECT_LE(cholesky.pivots()[k], 1e-12 * cholesky.squares()[k]);
      Vector y(pattern.rows());
      cholesky.rest_shares(row, y.data());
      EXPECT_LE((gram.C.transpose() * y - gram.C.row(row).transpose()).norm(), 1e-9 * gram.C.row(row).norm());
    }
    const Vector b = S * random_vector(pattern.rows(), engine);
    Vector x = Vector::Zero(pattern.rows());
    for (int refinement = 0; refinement <= 3; ++refinement) {
      Vector rest = b - S * x;
      cholesky.solve(rest.data());
      x += rest;
    }
    EXPECT_LE((S * x - b).norm(), 1e-12 * b.norm()) << repeated;
  }
}

TEST(BlockCholesky, ReplacedPivotsAreThoseAskedFor) {
  BlockCholesky cholesky(std::make_shared<const BlockPattern>(std::vector<int>{1, 1, 1}, Pairs{{0, 1}}));
  Matrix S = Matrix::Zero(3, 3);
  S.topLeftCorner(2, 2) << 4, 4, 4, 4;  // and S_22 = 0
  fill(cholesky, {{0, 1}}, S);
  EXPECT_EQ(cholesky.factor(1e-10, 0.25), 2);
  Vector x(3);
  x << 0, 0, 5;
  const int second = cholesky.place(0) < cholesky.place(1) ? 1 : 0;
  x[second] = 1.0;
  cholesky.solve(
      x.data());  // [4 4; 4 4 + 1], whose inverse has 1 in the corner of the second; 1 in place of 0
  EXPECT_DOUBLE_EQ(x[second], 1.0);
  EXPECT_DOUBLE_EQ(x[1 - second], -1.0);
  EXPECT_DOUBLE_EQ(x[2], 5.0);
}

TEST(BlockCholesky, RowsLeftOutAreThoseOfTheIdentity) {
  std::mt19937 engine(11);
  for (const Case& one : cases(engine)) {
    BlockCholesky cholesky(std::make_shared<const BlockPattern>(one.sizes, one.pairs, one.groups));
    const int n = cholesky.pattern().rows();
    const Matrix S = Gram(cholesky.pattern(), one.pairs, engine).matrix();
    std::vector<int> out;
    for (int row = 0; row < n; ++row)
      if (std::uniform_int_distribution<int>(0, 3)(engine) == 0) out.push_back(row);
    Matrix masked = S, dirty = S;
    for (const int row : out) {
      masked.row(row).setZero();
      masked.col(row).setZero();
      masked(row, row) = 1.0;
      dirty.row(row).setConstant(std::numeric_limits<double>::quiet_NaN());
      dirty.col(row).setConstant(std::numeric_limits<double>::quiet_NaN());
    }
    Vector exact = random_vector(n, engine);
    for (const int row : out) exact[row] = 0.0;
    Vector b = masked * exact;
    for (const int row : out) b[row] = 17.0;
    fill(cholesky, one.pairs, dirty);
    cholesky.leave_out(out);
    ASSERT_EQ(cholesky.factor(1e-13, 1e-8), 0) << one.name;
    cholesky.solve(b.data());
    EXPECT_LE((b - exact).norm(), 1e-12 * (1.0 + exact.norm())) << one.name;
    for (const int row : out) {
      EXPECT_EQ(b[row], 0.0);
      EXPECT_EQ(cholesky.pivots()[static_cast<std::size_t>(row)], 1.0);
    }
    fill(cholesky, one.pairs, S);
    cholesky.leave_out({});
    ASSERT_EQ(cholesky.factor(1e-13, 1e-8), 0);
    b = S * exact;
    cholesky.solve(b.data());
    EXPECT_LE((b - exact).norm(), 1e-12 * (1.0 + exact.norm())) << one.name;
  }
}

TEST(BlockCholesky, WhatIsNotFiniteIsFound) {
  std::mt19937 engine(12);
  const Pairs pairs = four_bars(4);
  BlockCholesky cholesky(std::make_shared<const BlockPattern>(std::vector<int>(12, 2), pairs));
  const Matrix S = Gram(cholesky.pattern(), pairs, engine).matrix();
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (int i = 0; i < 24; ++i)
      for (int j = 0; j <= i; ++j) {
        if (S(i, j) == 0.0) continue;
        Matrix broken = S;
        broken(i, j) = broken(j, i) = bad;
        fill(cholesky, pairs, broken);
        EXPECT_EQ(cholesky.factor(1e-13, 1e-8), -1) << i << " " << j;
      }
}

TEST(BlockCholesky, NothingIsAllocatedAfterConstruction) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "the sanitizer has its own malloc";
  std::mt19937 engine(13);
  for (const Case& one : cases(engine)) {
    BlockCholesky cholesky(std::make_shared<const BlockPattern>(one.sizes, one.pairs, one.groups));
    const int n = cholesky.pattern().rows();
    Matrix S = Gram(cholesky.pattern(), one.pairs, engine).matrix();
    if (n > 0) S.col(0).setZero(), S.row(0).setZero();  // so that a row is dependent
    fill(cholesky, one.pairs, S);
    Vector x = Vector::Ones(n);
    std::vector<int> out(static_cast<std::size_t>(n / 2), n - 1);
    EXPECT_EQ(allocation_counter::during([&] {
                cholesky.leave_out(out);
                cholesky.factor(1e-13, 1e-8);
                cholesky.solve(x.data());
                if (n > 0) cholesky.rest_shares(n / 2, x.data());
                cholesky.clear();
              }),
              0)
        << one.name;
  }
}

TEST(BlockPattern, SmallerGroupsComeFirstWhereTheyMeet) {
  std::mt19937 engine(14);
  for (const Case& one : cases(engine)) {
    if (one.groups.empty()) continue;
    const BlockPattern pattern(one.sizes, one.pairs, one.groups);
    for (const auto& [i, j] : one.pairs) {
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      if (one.groups[a] >= one.groups[b] || one.sizes[a] == 0 || one.sizes[b] == 0) continue;
      EXPECT_LT(pattern.place(pattern.offset(i)), pattern.place(pattern.offset(j))) << one.name;
    }
  }
}

TEST(BlockPattern, FillOfChainsAndRowsOfLoopsIsLinear) {
  const int n = 60000;
  Pairs ring = chain(n);
  ring.emplace_back(0, n - 1);
  Pairs hub = chain(n);
  for (const auto& pair : star(n, 0)) hub.push_back(pair);
  const std::vector<int> sizes(n, 2);
  const std::pair<Pairs, int> expected[] = {
      {chain(n), 2}, {four_bars(n / 3), 3}, {ring, 3}, {star(n, 5), 2}, {hub, 3}};
  for (const auto& [pairs, most] : expected) {
    const BlockPattern pattern(sizes, pairs);
    EXPECT_LE(pattern.blocks(), static_cast<std::size_t>(most * n));
    EXPECT_LE(pattern.entries(), static_cast<std::size_t>(20 * n));
  }
  std::vector<int> every_other(n);
  for (int i = 0; i < n; ++i) every_other[static_cast<std::size_t>(i)] = i % 2;
  EXPECT_LE(BlockPattern(sizes, chain(n), every_other).blocks(), static_cast<std::size_t>(3 * n));
}

// A net of k x k nodes: Cholesky in the order given fills the band, k^3 blocks; minimum degree about k^2 log k.
TEST(BlockPattern, FillOfANetIsFarBelowThatOfItsBand) {
  const int k = 60;
  Pairs net;
  for (int i = 0; i < k * k; ++i) {
    if (i % k != k - 1) net.emplace_back(i, i + 1);
    if (i + k < k * k) net.emplace_back(i, i + k);
  }
  const BlockPattern pattern(std::vector<int>(k * k, 1), net);
  EXPECT_LT(pattern.blocks(), static_cast<std::size_t>(k * k * k) / 2);
}

TEST(BlockPattern, SlotsOfBothTrianglesAreTheSamePlace) {
  std::mt19937 engine(15);
  for (const Case& one : cases(engine)) {
    const BlockPattern pattern(one.sizes, one.pairs, one.groups);
    for (const auto& [i, j] : one.pairs) {
      if (i == j) continue;
      const auto a = pattern.slot(i, j), b = pattern.slot(j, i);
      EXPECT_EQ(a.offset, b.offset);
      EXPECT_EQ(a.row_step, b.column_step);
      EXPECT_EQ(a.column_step, b.row_step);
    }
  }
}

TEST(BlockPattern, RefusesWhatIsNotThere) {
  EXPECT_THROW(BlockPattern({1, 1}, {{0, 2}}), std::invalid_argument);
  EXPECT_THROW(BlockPattern({1, -1}, {}), std::invalid_argument);
  EXPECT_THROW(BlockPattern({1, 1}, {}, {0}), std::invalid_argument);
  const BlockPattern pattern({1, 1, 1}, {{0, 1}});
  EXPECT_THROW(pattern.slot(0, 2), std::out_of_range);
  EXPECT_THROW(pattern.unsymmetric_slot(2, 0), std::out_of_range);
  EXPECT_THROW(pattern.slot(0, 3), std::out_of_range);
}

}  // namespace
