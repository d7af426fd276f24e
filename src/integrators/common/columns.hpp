// Columns: vectors of one length side by side in one block of memory, and sums of them in one pass,
//   column(result) = column(base) + h sum_j w_j column(j)
// What a Runge-Kutta method does not spend on right-hand sides it spends on such sums. Columns are padded
// with zeros to a multiple of four rows, so that there are only whole blocks of rows; the sums of a block
// stay in registers, and each column is read once. The small terms are summed before they meet the large
// base, which also rounds less.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include <driftless/linalg/types.hpp>

namespace driftless::integrators {

// The weights w_0, w_1, .. of columns 0, 1, .., without the zeros among them.
class ColumnSum {
 public:
  struct Term {
    double weight;
    std::ptrdiff_t column;
  };
  explicit ColumnSum(const std::vector<double>& weights) {
    for (std::size_t j = 0; j < weights.size(); ++j)
      if (weights[j] != 0) terms_.push_back({weights[j], static_cast<std::ptrdiff_t>(j)});
  }
  const std::vector<Term>& terms() const { return terms_; }

 private:
  std::vector<Term> terms_;
};

class Columns {
 public:
  void reset(int rows, int count) {
    rows_ = rows;
    padded_ = (rows + 3) / 4 * 4;
    memory_.setZero(padded_ * count);
  }

  Eigen::Map<Vector> operator[](int j) { return {memory_.data() + j * padded_, rows_}; }
  Eigen::Map<const Vector> operator[](int j) const { return {memory_.data() + j * padded_, rows_}; }

  // `result` may be `base`, but none of the columns that are summed.
  void add(const ColumnSum& sum, double h, int base, int result) {
    std::ptrdiff_t row = 0;
    const auto blocks_of = [&]<int rows>(std::integral_constant<int, rows>) {
      for (; row + rows <= padded_; row += rows) add_block<rows>(sum, h, base, result, row);
    };
    blocks_of(std::integral_constant<int, 16>());
    blocks_of(std::integral_constant<int, 8>());
    blocks_of(std::integral_constant<int, 4>());
  }

 private:
  template <int rows>
  void add_block(const ColumnSum& sum, double h, int base, int result, std::ptrdiff_t row) {
    using Block = Eigen::Array<double, rows, 1>;
    double* const top = memory_.data() + row;
    const auto block = [&](std::ptrdiff_t j) { return Eigen::Map<Block>(top + j * padded_); };
    Block total = Block::Zero();
    for (const auto& [weight, column] : sum.terms()) total += weight * block(column);
    block(result) = block(base) + h * total;
  }

  std::ptrdiff_t rows_ = 0, padded_ = 0;
  Vector memory_;
};

}  // namespace driftless::integrators
