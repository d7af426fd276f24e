// linalg::BlockLu, real and complex, against products with dense matrices.
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <type_traits>

#include <gtest/gtest.h>
#include <Eigen/Core>
#include <driftless/linalg/block_lu.hpp>

#include "support/allocation_counter.hpp"

namespace {

using driftless::linalg::BlockLu;
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

template <class Scalar>
class BlockLuTest : public ::testing::Test {
 protected:
  using Mat = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Vec = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  std::mt19937 engine{4711};

  Scalar number() {
    std::normal_distribution<double> normal;
    if constexpr (std::is_same_v<Scalar, double>)
      return normal(engine);
    else
      return {normal(engine), normal(engine)};
  }

  Vec vector(int n) {
    return Vec::NullaryExpr(n, [&] { return number(); });
  }

  std::vector<int> mixed(int n) {
    std::vector<int> sizes(static_cast<std::size_t>(n));
    for (int& size : sizes) size = std::uniform_int_distribution<int>(1, 7)(engine);
    return sizes;
  }

  std::vector<Case> cases() {
    std::vector<Case> all;
    all.push_back({"empty", {}, {}, {}});
    all.push_back({"isolated", mixed(6), {}, {}});
    all.push_back({"chain", mixed(20), chain(20), {}});
    all.push_back({"chain of 2", std::vector<int>(30, 2), chain(30), {}});
    Pairs ring = chain(17), loops, star, tree, arrow = chain(20), dense;
    ring.emplace_back(0, 16);
    all.push_back({"ring", mixed(17), ring, {}});
    for (int k = 0; k < 7; ++k)
      loops.insert(loops.end(),
                   {{3 * k, 3 * k + 2}, {3 * k + 1, 3 * k + 2}, {3 * k, 3 * k + 4}, {3 * k + 2, 3 * k + 4}});
    all.push_back({"row of loops", mixed(23), loops, {}});
    for (int i = 0; i < 12; ++i) star.emplace_back(12, i);
    all.push_back({"star", mixed(13), star, {}});
    for (int i = 1; i < 25; ++i) tree.emplace_back(i, std::uniform_int_distribution<int>(0, i - 1)(engine));
    all.push_back({"tree", mixed(25), tree, {}});
    for (int i = 0; i < 20; ++i) arrow.emplace_back(7, i);
    all.push_back({"arrow", mixed(20), arrow, {}});
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j < i; ++j) dense.emplace_back(i, j);
    all.push_back({"dense", mixed(9), dense, {}});
    std::vector<int> sizes = mixed(12), groups(12);
    sizes[5] = 40;
    for (int i = 0; i < 12; ++i) groups[static_cast<std::size_t>(i)] = (i + 1) % 2;
    all.push_back({"one large node", sizes, chain(12), groups});
    sizes[5] = 0;
    all.push_back({"one empty node", sizes, chain(12), {}});
    for (int n = 10; n < 40; n += 2) {
      Pairs some;
      std::uniform_int_distribution<int> node(0, n - 1);
      for (int i = 0; i < 3 * n / 2; ++i) some.emplace_back(node(engine), node(engine));
      all.push_back({"random " + std::to_string(n), mixed(n), some, {}});
    }
    return all;
  }

  // Blocks on the diagonal dominate, but their diagonals do not: rows have to be swapped inside.
  Mat matrix(const BlockPattern& pattern, const Pairs& pairs) {
    Mat A = Mat::Zero(pattern.rows(), pattern.rows());
    const auto put = [&](int i, int j) {
      for (int r = 0; r < pattern.size(i); ++r)
        for (int c = 0; c < pattern.size(j); ++c)
          A(pattern.offset(i) + r, pattern.offset(j) + c) = number() * 0.3;
    };
    for (const auto& [i, j] : pairs) put(i, j), put(j, i);
    for (int i = 0; i < pattern.nodes(); ++i) {
      put(i, i);
      for (int r = 0; r < pattern.size(i); ++r)
        A(pattern.offset(i) + r, pattern.offset(i) + (r + 1) % pattern.size(i)) += 12.0;
    }
    return A;
  }

  void fill(BlockLu<Scalar>& lu, const Pairs& pairs, const Mat& A) {
    const BlockPattern& pattern = lu.pattern();
    lu.clear();
    const auto put = [&](int i, int j) {
      const auto slot = lu.slot(i, j);
      for (int r = 0; r < pattern.size(i); ++r)
        for (int c = 0; c < pattern.size(j); ++c)
          lu.values()[static_cast<std::ptrdiff_t>(slot.offset) + r * slot.row_step + c * slot.column_step] =
              A(pattern.offset(i) + r, pattern.offset(j) + c);
    };
    for (int i = 0; i < pattern.nodes(); ++i) put(i, i);
    for (const auto& [i, j] : pairs) put(i, j), put(j, i);
  }

  // [M C^T; C 0] of bodies of size 3 in a row, each tied to the next by a joint of size 2.
  static constexpr int bodies = 8;
  std::vector<int> joints;
  Pairs mechanism_pairs;
  std::shared_ptr<const BlockPattern> mechanism() {
    std::vector<int> sizes(bodies, 3), groups(bodies, 0);
    for (int k = 0; k + 1 < bodies; ++k) {
      joints.push_back(bodies + k);
      sizes.push_back(2);
      groups.push_back(1);
      mechanism_pairs.insert(mechanism_pairs.end(), {{k, bodies + k}, {k + 1, bodies + k}});
    }
    return std::make_shared<const BlockPattern>(sizes, mechanism_pairs, groups);
  }
  Mat mechanism_matrix(const BlockPattern& pattern) {
    Mat A = matrix(pattern, mechanism_pairs);
    for (int k = 0; k < bodies; ++k) {
      A.block(3 * k, 3 * k, 3, 3).setZero();
      for (int r = 0; r < 3; ++r) A(3 * k + r, 3 * k + r) = 1.0 + r;
    }
    A.bottomRightCorner(2 * bodies - 2, 2 * bodies - 2).setZero();
    return A;
  }
};

using Scalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(BlockLuTest, Scalars);

TYPED_TEST(BlockLuTest, SolvesLikeADenseMatrix) {
  for (const Case& one : this->cases()) {
    BlockLu<TypeParam> lu(std::make_shared<const BlockPattern>(one.sizes, one.pairs, one.groups));
    for (int round = 0; round < 2; ++round) {
      const auto A = this->matrix(lu.pattern(), one.pairs);
      const auto exact = this->vector(lu.pattern().rows());
      this->fill(lu, one.pairs, A);
      ASSERT_TRUE(lu.factor()) << one.name;
      typename TestFixture::Vec x = A * exact;
      lu.solve(x.data());
      EXPECT_LE((x - exact).norm(), 1e-12 * exact.norm()) << one.name;
    }
  }
}

// Any units: the same verdict, and a solution as exact.
TYPED_TEST(BlockLuTest, RowsAndColumnsAreEquilibrated) {
  for (const Case& one : this->cases()) {
    BlockLu<TypeParam> lu(std::make_shared<const BlockPattern>(one.sizes, one.pairs, one.groups));
    const int n = lu.pattern().rows();
    auto A = this->matrix(lu.pattern(), one.pairs);
    for (int i = 0; i < n; ++i) A.row(i) *= std::pow(10.0, double(i * 5 % 17 - 8));
    Eigen::VectorXd units(n);
    for (int i = 0; i < n; ++i) A.col(i) *= units[i] = std::pow(10.0, double(i * 3 % 19 - 9));
    const auto exact = this->vector(n);
    typename TestFixture::Vec x = A * (exact.array() / units.array()).matrix();
    this->fill(lu, one.pairs, A);
    ASSERT_TRUE(lu.factor()) << one.name;
    lu.solve(x.data());
    EXPECT_LE((units.asDiagonal() * x - exact).norm(), 1e-12 * exact.norm()) << one.name;
  }
}

TYPED_TEST(BlockLuTest, BodiesBeforeJointsWhateverTheUnits) {
  const auto pattern = this->mechanism();
  BlockLu<TypeParam> lu(pattern, this->joints);
  for (const double unit : {1.0, 1e-6, 1e6}) {
    auto A = this->mechanism_matrix(*pattern);
    A.bottomRows(14) *= unit;
    A.rightCols(14) *= unit;
    const auto exact = this->vector(pattern->rows());
    auto x = exact;
    x.tail(14) /= unit;
    x = (A * x).eval();
    this->fill(lu, this->mechanism_pairs, A);
    ASSERT_TRUE(lu.factor());
    lu.solve(x.data());
    x.tail(14) *= unit;
    EXPECT_LE((x - exact).norm(), 1e-11 * exact.norm()) << unit;
  }
}

TYPED_TEST(BlockLuTest, SingularMatricesAreFound) {
  // A joint twice: the second is what the first has left, roundoff.
  const auto pattern = this->mechanism();
  for (int row = 0; row < 14; row += 3) {
    BlockLu<TypeParam> lu(pattern, this->joints);
    auto A = this->mechanism_matrix(*pattern);
    const int joint = 24 + row / 2 * 2;
    A.row(joint + 1) = A.row(joint) * 3.0;
    A.col(joint + 1) = A.col(joint) * 3.0;
    this->fill(lu, this->mechanism_pairs, A);
    EXPECT_FALSE(lu.factor()) << row;
  }
  for (const Case& one : this->cases()) {
    BlockLu<TypeParam> lu(std::make_shared<const BlockPattern>(one.sizes, one.pairs, one.groups));
    const int n = lu.pattern().rows();
    for (int k = 0; k < n; k += 1 + n / 5) {
      auto A = this->matrix(lu.pattern(), one.pairs);
      A.row(k).setZero();
      this->fill(lu, one.pairs, A);
      EXPECT_FALSE(lu.factor()) << one.name << " row " << k;
      A = this->matrix(lu.pattern(), one.pairs);
      A.col(k).setZero();
      this->fill(lu, one.pairs, A);
      EXPECT_FALSE(lu.factor()) << one.name << " column " << k;
    }
  }
}

TYPED_TEST(BlockLuTest, WhatIsNotFiniteIsFound) {
  const Pairs pairs = chain(6);
  BlockLu<TypeParam> lu(std::make_shared<const BlockPattern>(std::vector<int>(6, 2), pairs));
  const auto A = this->matrix(lu.pattern(), pairs);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) {
        if (A(i, j) == TypeParam(0)) continue;
        auto broken = A;
        broken(i, j) = bad;
        this->fill(lu, pairs, broken);
        EXPECT_FALSE(lu.factor()) << bad << " at " << i << ", " << j;
      }
}

TYPED_TEST(BlockLuTest, NothingIsAllocatedAfterConstruction) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "the sanitizer has its own malloc";
  for (const Case& one : this->cases()) {
    BlockLu<TypeParam> lu(std::make_shared<const BlockPattern>(one.sizes, one.pairs, one.groups), {});
    const auto A = this->matrix(lu.pattern(), one.pairs);
    auto x = this->vector(lu.pattern().rows());
    this->fill(lu, one.pairs, A);
    EXPECT_EQ(allocation_counter::during([&] {
                lu.factor();
                lu.solve(x.data());
                lu.clear();
              }),
              0)
        << one.name;
  }
}

}  // namespace
