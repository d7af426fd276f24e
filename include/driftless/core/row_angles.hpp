// RowAngles: how far constraint rows are from losing rank, measured against what they were before in the same run.
//
// e_j is what is left of row j without its part in the span of the rows before it; its square is the pivot of row j in the Cholesky
// factorisation of the Gram matrix, where those rows are independent. The ratio of row j is |e_j| by the largest length that the row has had,
// so that a row that vanishes counts, too. The smallest ratio bounds the smallest singular value of the rows (each divided by that length)
// from above. Long chains have small ratios everywhere, so that what matters is how a ratio compares with its own largest value.
#pragma once

#include <vector>

#include <driftless/linalg/kernels.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless {

class RowAngles {
 public:
  void start(Eigen::Index rows);
  void start_without_rows(Eigen::Index rows);  // squares and pivots will be given: no measure(), no rest()

  void measure(MatrixIn rows);  // squares and pivots of these rows, then take()
  void take();                  // squares and pivots are known
  bool below(int row, double part) const { return ratio(row) < part * largest_(row); }
  int first_below(double part) const;  // of its largest ratio; -1: none
  std::vector<int> not_below(double part) const;

  // After measure(): e_row, and how much of each row before it was taken away.
  Vector rest(MatrixIn rows, int row);
  const Vector& shares() const { return shares_; }

  Eigen::Index count() const { return ratios_.size(); }
  double ratio(int row) const { return ratios_(row); }
  double largest(int row) const { return largest_(row); }
  double smallest() const { return ratios_.size() > 0 ? ratios_.minCoeff() : 0; }
  double length(int row) const;  // its largest so far
  bool lost() const { return ratios_.size() > 0 && pivots.minCoeff() == 0; }
  bool clearly_independent() const;

  Vector squares, pivots;  // of the last rows

 private:
  void factor_with_lost_rows();

  Vector sizes_, ratios_, largest_, shares_;
  Matrix panel_, gram_;
  const linalg::CholeskyKernel* kernel_ = nullptr;
};

}  // namespace driftless
