// The one switch from run-time sizes to kernels compiled for that size. A CholeskyKernel holds the loops of
// loops.hpp with k (the order of the factor, and the number of rows of a panel) fixed at 1 .. 12, or left
// open above; it is looked up once, at construction. `size` must be the k the kernel was looked up for.
#pragma once

namespace driftless::linalg {

struct CholeskyKernel {
  bool (*factor)(int size, double* A, double limit);       // A = L L^T, false at a pivot below its limit
  void (*forward)(int size, const double* L, double* x);   // x := L^-1 x
  void (*backward)(int size, const double* L, double* x);  // x := L^-T x
  // X: `size` rows, n columns
  void (*right_solve)(int size, int n, const double* L, double* X);  // X := X L^-T with L of order n
  void (*gram)(int size, int n, const double* X, double* S);         // S := X X^T, lower triangle
  void (*times_minus)(int size, int n, const double* X, const double* x, double* y);  // y := X x - y
  void (*minus_transposed_times)(int size, int n, const double* X, const double* y,
                                 double* x);  // x := x - X^T y
};

/// Of static lifetime. Sizes above loops::largest_unrolled, and 0, share the loops of run-time size.
const CholeskyKernel& cholesky_kernel(int size);

}  // namespace driftless::linalg
