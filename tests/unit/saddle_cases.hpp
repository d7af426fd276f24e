// Random (seeded) saddle-point systems of every structure, and their solution by Eigen's FullPivLU.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>
#include <driftless/linalg/saddle_point.hpp>

#include "support/dense_oracle.hpp"

namespace saddle_cases {

using driftless::Matrix;
using driftless::Vector;
using driftless::linalg::FactorStatus;
using driftless::linalg::MassStructure;
using driftless::linalg::SaddlePoint;
using driftless::linalg::SaddleShape;

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

class SaddleCases : public ::testing::Test {
 protected:
  std::mt19937 engine{20240607};

  Matrix random(int rows, int columns) {
    std::normal_distribution<double> normal;
    return Matrix::NullaryExpr(rows, columns, [&] { return normal(engine); });
  }
  Matrix positive(int n) {
    const Matrix A = random(n, n);
    return driftless::tests::gram(A) + Matrix::Identity(n, n);
  }
  /// m x n with the given singular value spread: orthogonal factors around 1 .. 1 / condition.
  Matrix with_condition(int m, int n, double condition) {
    const Matrix U = driftless::tests::orthogonal_factor(random(m, m));
    const Matrix V = driftless::tests::orthogonal_factor(random(n, n));
    Matrix A = Matrix::Zero(m, n);
    for (int i = 0; i < m; ++i) A(i, i) = std::pow(condition, -double(i) / std::max(m - 1, 1));
    return driftless::tests::product(U, A, V.transpose());
  }
  SaddleShape shape(int n, int m, MassStructure mass) {
    SaddleShape made{n, m, mass, {}};
    for (int left = n, k = 1; mass == MassStructure::block_diagonal && left > 0;
         left -= made.blocks.back(), ++k)
      made.blocks.push_back(std::min(left, 1 + k % 3));
    return made;
  }
  /// A mass matrix of that shape; entries that must not be read are NaN.
  Matrix mass(const SaddleShape& of) {
    Matrix M = Matrix::Constant(of.n, of.n, not_a_number);
    if (of.mass == MassStructure::dense) return positive(of.n);
    if (of.mass == MassStructure::diagonal) M.diagonal() = random(of.n, 1).cwiseAbs() + Vector::Ones(of.n);
    int first = 0;
    for (const int size : of.blocks) {
      M.block(first, first, size, size) = positive(size);
      first += size;
    }
    return M;
  }
};

/// [M B; C 0] with the unread entries of M filled in.
inline Matrix whole(const SaddleShape& shape, const Matrix& M, const Matrix& B, const Matrix& C) {
  Matrix K = Matrix::Zero(shape.n + shape.m, shape.n + shape.m);
  for (int j = 0; j < shape.n; ++j)
    for (int i = 0; i < shape.n; ++i) {
      const bool identity = shape.mass == MassStructure::identity;
      K(i, j) = identity ? (i == j ? 1.0 : 0.0) : (std::isnan(M(i, j)) ? 0.0 : M(i, j));
    }
  K.topRightCorner(shape.n, shape.m) = B;
  K.bottomLeftCorner(shape.m, shape.n) = C;
  return K;
}

/// Largest relative difference to the solution by FullPivLU.
inline double error(const SaddlePoint& saddle, const Matrix& K, int n, int m) {
  const Vector b = Vector::LinSpaced(n + m, -1.0, 2.0);
  Vector a(n), l(m), x(n + m);
  saddle.solve(b.head(n), b.tail(m), a, l);
  x << a, l;
  const Vector exact = driftless::tests::lu_solution(K, b);
  return n + m == 0 ? 0.0 : (x - exact).norm() / exact.norm();
}

inline constexpr MassStructure structures[] = {MassStructure::identity, MassStructure::diagonal,
                                               MassStructure::block_diagonal, MassStructure::dense};

}  // namespace saddle_cases
