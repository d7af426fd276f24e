// Eigenvalues of matrices that are known beforehand: zeros in chains, scales far apart.
#include <gtest/gtest.h>

#include <cmath>

#include <driftless/linalg/spectrum.hpp>

namespace driftless::tests {
namespace {

using linalg::Eigenpair;
using linalg::spectrum;

// An orthogonal matrix without structure: a reflection.
Matrix reflection(Eigen::Index n) {
  Vector u(n);
  for (Eigen::Index i = 0; i < n; ++i) u(i) = 1 + 0.3 * std::sin(7.0 * static_cast<double>(i));
  return Matrix::Identity(n, n) - 2 * u * u.transpose() / u.squaredNorm();
}

void expect_eigenpairs(const Matrix& A, double tolerance) {
  for (const Eigenpair& pair : spectrum(A))
    EXPECT_LT((A * pair.vector - pair.value * pair.vector).norm(), tolerance * A.norm()) << pair.value;
}

// x1'' = 0 (chain of two), x2' = 0 (one), an undamped and a damped vibration.
TEST(Spectrum, ChainsOfZero) {
  Matrix A = Matrix::Zero(7, 7);
  A(0, 1) = 1;
  A(3, 4) = 3, A(4, 3) = -3;
  A(5, 5) = A(6, 6) = -0.5, A(5, 6) = 2, A(6, 5) = -2;
  const Matrix Q = reflection(7), B = Q * A * Q;
  const auto pairs = spectrum(B);
  ASSERT_EQ(pairs.size(), 4u);
  EXPECT_EQ(pairs[0].value, 0.0);
  EXPECT_EQ(pairs[1].value, 0.0);
  EXPECT_EQ(pairs[0].chain + pairs[1].chain, 3);
  const auto& free = pairs[0].chain == 2 ? pairs[0] : pairs[1];
  EXPECT_NEAR(std::abs((Q.col(0).transpose() * free.vector)(0)), 1, 1e-13);
  EXPECT_LT(std::abs(pairs[2].value - std::complex<double>(-0.5, 2)), 1e-13);
  EXPECT_LT(std::abs(pairs[3].value - std::complex<double>(0, 3)), 1e-13);
  EXPECT_LT(std::abs(pairs[3].value.real()), pairs[3].roundoff);
  EXPECT_LT(pairs[3].roundoff, 1e-11);
  expect_eigenpairs(B, 1e-13);
}

TEST(Spectrum, AChainOfThree) {
  Matrix A = Matrix::Zero(4, 4);
  A(0, 1) = A(1, 2) = 1;
  A(3, 3) = -2;
  const Matrix Q = reflection(4);
  const auto pairs = spectrum(Q * A * Q);
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].chain, 3);
  EXPECT_NEAR(pairs[1].value.real(), -2, 1e-13);
  expect_eigenpairs(Q * A * Q, 1e-13);
}

// Position and velocity in units that make the matrix lopsided: omega = 1e7.
TEST(Spectrum, ALopsidedMatrixKeepsItsDigits) {
  Matrix A = Matrix::Zero(4, 4);
  A(0, 2) = A(1, 3) = 1;
  A(2, 0) = -1e14, A(3, 1) = -1e10, A(2, 1) = 1e9, A(3, 0) = 1e9;
  // omega^2 from the quadratic equation
  const double mean = (1e14 + 1e10) / 2, apart = std::hypot((1e14 - 1e10) / 2, 1e9);
  const auto pairs = spectrum(A);
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_NEAR(pairs[1].value.imag() / std::sqrt(mean + apart), 1, 1e-13);
  EXPECT_NEAR(pairs[0].value.imag() / std::sqrt((1e24 - 1e18) / (mean + apart)), 1, 1e-11);
}

TEST(Spectrum, DoubleEigenvaluesAreNotTakenForAxisOnes) {
  const auto pairs = spectrum(Matrix(Vector::Constant(3, 0.25).asDiagonal()));
  ASSERT_EQ(pairs.size(), 3u);
  for (const auto& pair : pairs) EXPECT_GT(pair.value.real(), 1e3 * pair.roundoff);
  EXPECT_TRUE(spectrum(Matrix(0, 0)).empty());
  EXPECT_EQ(spectrum(Matrix::Zero(2, 2)).size(), 2u);
}

}  // namespace
}  // namespace driftless::tests
