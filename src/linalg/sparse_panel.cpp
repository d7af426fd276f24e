#include <driftless/linalg/sparse_panel.hpp>

#include <algorithm>

#include <driftless/linalg/loops.hpp>

namespace driftless::linalg {
namespace {

// S by blocks costs one product per pair of rows, and the compiler does four at a time where rows are not picked out.
constexpr double gain_that_pays = 4;

int entries(const double* from, int count) {
  long found = 0;
  for (int i = 0; i < count; ++i) found += from[i] != 0.0;
  return static_cast<int>(found);
}

}  // namespace

SparsePanel::SparsePanel(int m, int n, const std::vector<int>& blocks) : m_(m), n_(n) {
  int column = 0;
  for (const int size : blocks) {
    blocks_.push_back({column, size, m * static_cast<int>(blocks_.size()), m * column});
    column += size;
  }
  rows_.resize(static_cast<std::size_t>(m) * blocks_.size());
  values_.resize(static_cast<std::size_t>(m) * static_cast<std::size_t>(n));
}

bool SparsePanel::take(const double* C, int leading_dimension) {
  if (too_full_) return false;
  return fill(C, leading_dimension) || (grow(C, leading_dimension) && fill(C, leading_dimension));
}

bool SparsePanel::fill(const double* C, int leading_dimension) {
  int present = 0, taken = 0;
  for (const Block& block : blocks_) {
    const int* rows = rows_.data() + block.first;
    double* value = values_.data() + block.values;
    for (int j = 0; j < block.size; ++j) {
      const double* column = C + static_cast<std::ptrdiff_t>(block.column + j) * leading_dimension;
      present += entries(column, m_);
      for (int i = 0; i < block.count; ++i) {
        *value = column[rows[i]];
        taken += *value++ != 0.0;
      }
    }
  }
  return taken == present;
}

bool SparsePanel::grow(const double* C, int leading_dimension) {
  double products = 0;
  for (Block& block : blocks_) {
    int* rows = rows_.data() + block.first;
    int* last = rows + block.count;
    for (int i = 0; i < m_; ++i) {
      bool touched = false;
      for (int j = 0; j < block.size && !touched; ++j)
        touched = C[i + static_cast<std::ptrdiff_t>(block.column + j) * leading_dimension] != 0.0;
      if (touched && !std::binary_search(rows, rows + block.count, i)) *last++ = i;
    }
    std::sort(rows, last);  // inplace_merge would allocate
    block.count = static_cast<int>(last - rows);
    products += double(block.count) * block.count * block.size;
  }
  too_full_ = gain_that_pays * products > double(m_) * m_ * n_;
  return !too_full_;
}

void SparsePanel::right_solve(const double* L) {
  for (const Block& block : blocks_) {
    double* value = values_.data() + block.values;
    if (block.size == 1)
      for (int i = 0; i < block.count; ++i) value[i] *= *L;
    else
      loops::right_solve(block.count, block.size, L, value);
    L += block.size * block.size;
  }
}

void SparsePanel::gram(double* S) const {
  for (int j = 0; j < m_; ++j) std::fill(S + j + j * m_, S + m_ + j * m_, 0.0);
  for (const Block& block : blocks_) {
    const int* rows = rows_.data() + block.first;
    const double* value = values_.data() + block.values;
    for (int k = 0; k < block.size; ++k, value += block.count)
      for (int j = 0; j < block.count; ++j) {
        double* column = S + rows[j] * m_;
        const double factor = value[j];
        for (int i = j; i < block.count; ++i) column[rows[i]] += value[i] * factor;
      }
  }
}

void SparsePanel::times_minus(const double* x, double* y) const {
  for (int i = 0; i < m_; ++i) y[i] = -y[i];
  for (const Block& block : blocks_) {
    const int* rows = rows_.data() + block.first;
    const double* value = values_.data() + block.values;
    for (int k = 0; k < block.size; ++k, ++x, value += block.count)
      for (int i = 0; i < block.count; ++i) y[rows[i]] += value[i] * *x;
  }
}

void SparsePanel::minus_transposed_times(const double* y, double* x) const {
  for (const Block& block : blocks_) {
    const int* rows = rows_.data() + block.first;
    const double* value = values_.data() + block.values;
    for (int k = 0; k < block.size; ++k, ++x, value += block.count) {
      double sum = 0;
      for (int i = 0; i < block.count; ++i) sum += value[i] * y[rows[i]];
      *x -= sum;
    }
  }
}

}  // namespace driftless::linalg
