// SparseCholesky: A = L L^T for matrices with many zeros, in place and in the given order, as loops::cholesky() does it (column-major, lower
// triangle in, L out with 1 / L_jj in place of L_jj). The entries of every row of L are found on the way: columns that do not reach row j
// are left out of its elimination, and later solutions go along the rows. Nothing is allocated after construction.
#pragma once

#include <span>
#include <vector>

namespace driftless::linalg {

class SparseCholesky {
 public:
  SparseCholesky() = default;
  explicit SparseCholesky(int size);

  /// False as soon as a pivot is not above limit * (its original diagonal entry); so also for NaN and infinity.
  bool factor(double* A, double limit);

  void forward(const double* L, double* x) const;   // x := L^-1 x, after factor()
  void backward(const double* L, double* x) const;  // x := L^-T x

 private:
  std::span<const int> row(int j) const {
    const int* all = column_.data();
    return {all + first_[static_cast<std::size_t>(j)], all + first_[static_cast<std::size_t>(j) + 1]};
  }

  int size_ = 0;
  std::vector<int> first_;   // where the list of row j begins; one more than there are rows
  std::vector<int> column_;  // k < j of the entries (j, k)
};

}  // namespace driftless::linalg
