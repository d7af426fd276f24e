// SparsePanel: X = C L^-T where most entries of C are zero, as in mechanisms, whose rows belong to two bodies out of many. M = L L^T
// consists of blocks; of every block of columns only the rows are kept that have entries there:
//
//     S = X X^T = sum over blocks of  x_b x_b^T,    x_b of as many rows as touch block b,
//
// so that S costs the squares of these numbers instead of the square of all. Which entries count is found by looking: the pattern
// of one matrix serves the next one, and grows where that has entries elsewhere. Nothing is allocated after construction.
#pragma once

#include <vector>

namespace driftless::linalg {

class SparsePanel {
 public:
  SparsePanel() = default;
  /// C is m x n; block sizes add up to n.
  SparsePanel(int m, int n, const std::vector<int>& blocks);

  /// C (column-major) into the panel; false: too full for this to pay. Entries that are not finite count as entries.
  bool take(const double* C, int leading_dimension);

  /// X := C L^-T. L holds the factors of the blocks one after the other, with inverted diagonal (loops.hpp); of every block that is
  /// the whole square.
  void right_solve(const double* L);

  void gram(double* S) const;                          // S := X X^T, lower triangle, leading dimension m
  void times_minus(const double* x, double* y) const;  // y := X x - y
  void minus_transposed_times(const double* y, double* x) const;  // x := x - X^T y

 private:
  struct Block {
    int column, size;   // first column, number of columns
    int first, values;  // where its rows and its entries begin
    int count = 0;      // of rows
  };

  bool fill(const double* C, int leading_dimension);  // false: C has entries outside the pattern
  bool grow(const double* C, int leading_dimension);  // false: it became too full

  int m_ = 0, n_ = 0;
  std::vector<Block> blocks_;
  std::vector<int> rows_;
  std::vector<double> values_;  // of each block a count x size panel
  bool too_full_ = false;
};

}  // namespace driftless::linalg
