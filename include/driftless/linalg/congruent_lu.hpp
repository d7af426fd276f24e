// Q = A Z A^T for a wide matrix A (few rows) that is another one in every iteration, and x := Q^-1 x:
//
//     Q = L R     unit upper R, without pivoting: Z is near a multiple of the unit matrix where steps are small, and then Q is near a
//                 positive definite matrix. Where a pivot is small against its column, the factors are made with pivoting.
//
// The loops are compiled for every number of rows up to 12, columns padded to whole blocks (blocks.hpp); beyond, always with pivoting.
// Everything is allocated at construction.
#pragma once

#include <driftless/linalg/dense_lu.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless::linalg {

struct CongruenceKernel;

class CongruentLu {
 public:
  CongruentLu(int rows, int columns);

  /// A: rows x columns, column-major and contiguous. Z: its first rows and columns count, leading dimension ld; at least `columns` rounded up
  /// to a multiple of four rows, all finite. False where Q is singular or not finite.
  bool factor(const double* A, const double* Z, int ld);
  void solve(double* x) const;  ///< x := Q^-1 x, after factor() returned true

  /// With the A of the last factor(): y := A x - y, and x := A^T y. x has `columns` entries rounded up to a multiple of four, of which those
  /// beyond are read (they must be finite) and written (as zeros).
  void times_minus(const double* x, double* y) const;
  void transposed_times(const double* y, double* x) const;

 private:
  const CongruenceKernel* kernel_;  // null: too many rows for one
  int rows_, columns_;
  Matrix A_, AZ_, Q_;  // with a kernel padded
  Vector inverse_;     // of the diagonal of L
  DenseLu<double> pivoted_;
  bool with_pivots_ = false;
};

}  // namespace driftless::linalg
