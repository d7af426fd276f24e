// BlockLu: A = L U for square matrices of blocks (block_pattern.hpp) whose zeros, but not whose numbers, are symmetric, double or
// std::complex<double>, in place. Rows are swapped for the largest pivot only inside the square of a panel (a node, or several that share
// it): for matrices whose nodes can be eliminated in the order of the pattern, such as bodies before the joints that couple them.
//
// First rows, then columns are multiplied by powers of two, so that the largest entry of each is near 1, as equilibrate() does it (lu.hpp).
// A pivot counts as zero when it is at most limit times the largest entry that its column has had inside the square, from the beginning
// up to the elimination of the panel: what is left of larger numbers that cancelled is roundoff.
//
// Rows are numbered as the nodes were given. Nothing is allocated after construction.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include <driftless/linalg/block_pattern.hpp>

namespace driftless::linalg {

inline constexpr double block_pivot_limit = 1e-14;

template <class Scalar>
class BlockLu {
 public:
  BlockLu() = default;

  /// The columns of the nodes `scaled_first` are brought to 1 before the rows are: if they are those of the constraints in [M B; C 0], the
  /// result does not depend on their units.
  explicit BlockLu(std::shared_ptr<const BlockPattern> pattern, const std::vector<int>& scaled_first = {});

  const BlockPattern& pattern() const { return *pattern_; }

  /// To be filled at the slots before factor(), which puts the factors there.
  Scalar* values() { return values_.data(); }
  BlockPattern::Slot slot(int i, int j) const { return pattern_->unsymmetric_slot(i, j); }
  void clear();  // all values zero

  /// False when a pivot counts as zero or something is not finite.
  bool factor(double limit = block_pivot_limit);

  void solve(Scalar* x);  // x := A^-1 x, after factor() returned true

 private:
  void equilibrate();
  void measure_rows();
  void measure_columns();
  void scale();

  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<Scalar> values_;  // L below the diagonal, its ones not stored; U with 1 / U_kk in place of U_kk
  std::vector<Scalar> work_;
  std::vector<int> row_swap_;                            // all by place:
  std::vector<double> row_scale_, column_scale_, most_;  // most_: the largest entry a column has had
  std::vector<char> scaled_first_;
};

extern template class BlockLu<double>;
extern template class BlockLu<std::complex<double>>;

}  // namespace driftless::linalg
