// RowsView: rows of a matrix that somebody else keeps: whole, as one or two matrices one below the other, or without its zeros. What is written with it
// is written once for both.
#pragma once

#include <cmath>

#include <driftless/linalg/sparse_rows.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless::linalg {

class RowsView {
 public:
  RowsView(const SparseRows& matrix, int rows) : sparse_(&matrix), rows_(rows) {}
  // `bottom` may have no rows.
  RowsView(const Matrix& top, const Matrix& bottom)
      : top_(&top), bottom_(&bottom), rows_(static_cast<int>(top.rows() + bottom.rows())) {}

  int rows() const { return rows_; }
  const SparseRows* sparse() const { return sparse_; }  // null: it is whole

  // use(column, entry) for the entries of a row, or those that may differ from zero.
  template <class Use>
  void each(int row, Use use) const {
    if (sparse_) {
      for (int k = sparse_->first(row); k < sparse_->last(row); ++k)
        use(sparse_->column_of(k), sparse_->at(k));
      return;
    }
    const bool above = row < top_->rows();
    const Matrix& part = above ? *top_ : *bottom_;
    const Eigen::Index i = above ? row : row - top_->rows();
    for (Eigen::Index j = 0; j < part.cols(); ++j) use(static_cast<int>(j), part(i, j));
  }
  double product(int row, const double* x) const {
    double sum = 0;
    each(row, [&](int j, double entry) { sum += entry * x[j]; });
    return sum;
  }
  void add_to(double* x, int row, double factor) const {  // x += factor row^T
    each(row, [&](int j, double entry) { x[j] += factor * entry; });
  }
  double length(int row) const {
    double square = 0;
    each(row, [&](int, double entry) { square += entry * entry; });
    return std::sqrt(square);
  }
  bool all_finite() const {
    return sparse_ ? sparse_->all_finite() : top_->allFinite() && bottom_->allFinite();
  }
  // y += factor A x and x += factor A^T y.
  void add_times(double factor, const double* x, double* y) const {
    if (sparse_) return sparse_->add_times(rows_, factor, x, y);
    const Eigen::Index above = top_->rows();
    if (above > 0) Eigen::Map<Vector>(y, above).noalias() += factor * top_->lazyProduct(map(x, *top_));
    if (rows_ > above)
      Eigen::Map<Vector>(y + above, bottom_->rows()).noalias() +=
          factor * bottom_->lazyProduct(map(x, *bottom_));
  }
  void add_transposed_times(double factor, const double* y, double* x) const {
    for (int i = 0; i < rows_; ++i) add_to(x, i, factor * y[i]);
  }
  Matrix whole(int columns) const {
    Matrix all = Matrix::Zero(rows_, columns);
    for (int i = 0; i < rows_; ++i) each(i, [&](int j, double entry) { all(i, j) = entry; });
    return all;
  }

 private:
  static Eigen::Map<const Vector> map(const double* x, const Matrix& matrix) { return {x, matrix.cols()}; }

  const SparseRows* sparse_ = nullptr;
  const Matrix *top_ = nullptr, *bottom_ = nullptr;
  int rows_;
};

}  // namespace driftless::linalg
