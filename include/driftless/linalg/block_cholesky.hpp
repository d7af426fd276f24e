// BlockCholesky: S = L L^T for a symmetric positive semidefinite S that consists of blocks (block_pattern.hpp), in place. The pivot of row k,
//
//     d_k = S_kk - sum over the rows p eliminated before of L_kp^2,
//
// is compared with S_kk: if d_k <= limit S_kk, row k depends on those before it, and d_k is replaced by floor S_kk (by 1 if S_kk is 0), so
// that the factors are those of S plus a diagonal with entries in the dependent rows only. Iterative refinement with these factors converges
// for right-hand sides in the range of S.
//
// Rows are numbered as the nodes were given, one node after the other. Nothing is allocated after construction.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <driftless/linalg/block_pattern.hpp>

namespace driftless::linalg {

class BlockCholesky {
 public:
  BlockCholesky() = default;
  explicit BlockCholesky(std::shared_ptr<const BlockPattern> pattern);

  const BlockPattern& pattern() const { return *pattern_; }

  /// To be filled at the slots of the pattern before factor(), which puts L there.
  double* values() { return values_.data(); }
  void clear();  // all values zero

  /// From the next factor() on these rows and columns count as those of the identity: solutions are zero there. Replaces what was left
  /// out before.
  void leave_out(std::span<const int> rows);

  /// The number of rows whose pivot was replaced; -1 if something is not finite.
  int factor(double limit, double floor);

  void solve(double* x);  // x := S^-1 x, after factor()

  /// Of every row S_kk and d_k, as it was before it was replaced; both 1 for rows left out.
  const std::vector<double>& squares() const { return squares_; }
  const std::vector<double>& pivots() const { return pivots_; }
  const std::vector<int>& dependent() const { return dependent_; }  // rows whose pivot was replaced, by place

  /// Where a row stands in the order of elimination.
  int place(int row) const { return pattern_->place(row); }

  /// With P the rows eliminated before `row`: y_P = S_PP^-1 S_P,row, and zero elsewhere. If `row` is dependent, S_row is the sum of the rows
  /// S_p with the factors y_p.
  void rest_shares(int row, double* y);

 private:
  void take_diagonal();
  void apply_left_out();

  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<double> values_;  // L, with 1 / L_kk in place of L_kk
  std::vector<double> squares_, pivots_, work_;
  std::vector<int> dependent_, left_out_;
  std::vector<char> active_;  // panels, in rest_shares()
};

}  // namespace driftless::linalg
