// Dense linear algebra for expected values, by Eigen and not by the library: whoever tests linalg compares with somebody else's answer.
// Plain functions, because each of Eigen's decompositions costs seconds to compile wherever it is written, and each kind of product of matrices most of
// a second; here they are compiled once.
#pragma once

#include <complex>

#include <driftless/linalg/types.hpp>

namespace driftless::tests {

using ComplexVector = Eigen::VectorXcd;
using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using ComplexVectorIn = const Eigen::Ref<const ComplexVector>&;
using ComplexMatrixIn = const Eigen::Ref<const Eigen::MatrixXcd>&;
using LongMatrixIn = const Eigen::Ref<const LongMatrix>&;

// A B, A B C and A A^T.
Matrix product(MatrixIn A, MatrixIn B);
Matrix product(MatrixIn A, MatrixIn B, MatrixIn C);
Matrix gram(MatrixIn A);

// x = A^-1 b by LU with full pivoting; the last one in long double, rounded at the end.
Vector lu_solution(MatrixIn A, VectorIn b);
ComplexVector lu_solution(ComplexMatrixIn A, ComplexVectorIn b);
Vector extended_lu_solution(MatrixIn A, VectorIn b);

// By the same LU; kernel: a basis of all x with A x = 0, as columns.
Matrix inverse(MatrixIn A);
LongMatrix inverse(LongMatrixIn A);
double determinant(MatrixIn A);
Matrix kernel(MatrixIn A);

// By the singular values, largest first; those below `limit` times the largest count as zero. row_space: orthonormal columns.
Vector singular_values(MatrixIn A);
int rank_of(MatrixIn A, double limit);
Vector least_norm_solution(MatrixIn A, VectorIn b, double limit);
Matrix row_space(MatrixIn A, double limit);

// What is left of b outside of the range of A: b - A x, where x makes that smallest. By QR with column pivoting.
Vector outside_range(MatrixIn A, VectorIn b);

// Q of A = Q R: an orthogonal matrix, which is random where the square A is.
Matrix orthogonal_factor(MatrixIn A);

// Of a symmetric matrix, smallest value first; vectors are orthonormal columns.
struct SymmetricEigen {
  Vector values;
  Matrix vectors;
};
SymmetricEigen symmetric_eigen(MatrixIn A);

}  // namespace driftless::tests
