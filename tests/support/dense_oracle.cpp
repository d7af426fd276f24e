#include "support/dense_oracle.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace driftless::tests {

namespace {

Eigen::JacobiSVD<Matrix> decomposed(MatrixIn A, double limit) {
  Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(limit);
  return svd;
}

}  // namespace

Matrix product(MatrixIn A, MatrixIn B) {
  return A * B;
}

Matrix product(MatrixIn A, MatrixIn B, MatrixIn C) {
  return product(product(A, B), C);
}

Matrix gram(MatrixIn A) {
  return product(A, A.transpose());
}

Vector lu_solution(MatrixIn A, VectorIn b) {
  return Matrix(A).fullPivLu().solve(b);
}

ComplexVector lu_solution(ComplexMatrixIn A, ComplexVectorIn b) {
  return Eigen::MatrixXcd(A).fullPivLu().solve(b);
}

Vector extended_lu_solution(MatrixIn A, VectorIn b) {
  const LongMatrix long_A = A.cast<long double>(), long_b = b.cast<long double>();
  const LongMatrix x = long_A.fullPivLu().solve(long_b);
  return x.cast<double>();
}

Matrix inverse(MatrixIn A) {
  return Matrix(A).fullPivLu().inverse();
}

LongMatrix inverse(LongMatrixIn A) {
  return LongMatrix(A).fullPivLu().inverse();
}

double determinant(MatrixIn A) {
  return Matrix(A).fullPivLu().determinant();
}

Matrix kernel(MatrixIn A) {
  return Matrix(A).fullPivLu().kernel();
}

Vector singular_values(MatrixIn A) {
  return Eigen::JacobiSVD<Matrix>(A).singularValues();
}

int rank_of(MatrixIn A, double limit) {
  Eigen::JacobiSVD<Matrix> svd(A);
  svd.setThreshold(limit);
  return static_cast<int>(svd.rank());
}

Vector least_norm_solution(MatrixIn A, VectorIn b, double limit) {
  return decomposed(A, limit).solve(b);
}

Matrix row_space(MatrixIn A, double limit) {
  const auto svd = decomposed(A, limit);
  return svd.matrixV().leftCols(svd.rank());
}

Vector outside_range(MatrixIn A, VectorIn b) {
  return b - A * Matrix(A).colPivHouseholderQr().solve(b);
}

Matrix orthogonal_factor(MatrixIn A) {
  return Eigen::HouseholderQR<Matrix>(A).householderQ();
}

SymmetricEigen symmetric_eigen(MatrixIn A) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(A);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

}  // namespace driftless::tests
