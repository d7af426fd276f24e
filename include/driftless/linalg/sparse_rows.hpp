// SparseRows: a matrix row by row without its zeros. Where entries stand is decided once; only their values change.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <driftless/linalg/types.hpp>

namespace driftless::linalg {

struct SparseRows {
  int rows = 0, columns = 0;
  std::vector<int> start = {0};  // of row i in the two below; rows + 1 of them
  std::vector<int> column;       // ascending in a row
  std::vector<double> value;

  bool empty() const { return rows == 0; }
  void clear() { std::fill(value.begin(), value.end(), 0.0); }
  bool all_finite() const {
    return std::all_of(value.begin(), value.end(), [](double x) { return std::isfinite(x); });
  }
  // The rows begin with these columns and no values yet.
  void add_row(const std::vector<int>& its_columns) {
    column.insert(column.end(), its_columns.begin(), its_columns.end());
    value.resize(column.size(), 0.0);
    start.push_back(static_cast<int>(column.size()));
    ++rows;
  }

  double product(int row, const double* x) const {
    double sum = 0;
    for (int k = first(row); k < last(row); ++k) sum += at(k) * x[column_of(k)];
    return sum;
  }
  void add_to(double* x, int row, double factor) const {  // x += factor row^T
    for (int k = first(row); k < last(row); ++k) x[column_of(k)] += factor * at(k);
  }
  double square(int row) const {
    double sum = 0;
    for (int k = first(row); k < last(row); ++k) sum += at(k) * at(k);
    return sum;
  }
  // Of the first so many rows: y += factor A x, and x += factor A^T y.
  void add_times(int count, double factor, const double* x, double* y) const {
    for (int i = 0; i < count; ++i) y[i] += factor * product(i, x);
  }
  void add_transposed_times(int count, double factor, const double* y, double* x) const {
    for (int i = 0; i < count; ++i) add_to(x, i, factor * y[i]);
  }

  int first(int row) const { return start[static_cast<std::size_t>(row)]; }
  int last(int row) const { return start[static_cast<std::size_t>(row) + 1]; }
  int column_of(int k) const { return column[static_cast<std::size_t>(k)]; }
  double at(int k) const { return value[static_cast<std::size_t>(k)]; }
};

}  // namespace driftless::linalg
