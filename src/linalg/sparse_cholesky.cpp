#include <driftless/linalg/sparse_cholesky.hpp>

#include <cmath>

namespace driftless::linalg {

SparseCholesky::SparseCholesky(int size)
    : size_(size),
      first_(static_cast<std::size_t>(size) + 1),
      column_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size + 1) / 2) {}

bool SparseCholesky::factor(double* A, double limit) {
  const int m = size_;
  int* used = column_.data();
  for (int j = 0; j < m; ++j) {
    const double* row = A + j;
    int count = 0;
    for (int k = 0; k < j; ++k) {
      used[count] = k;
      count += row[k * m] != 0.0;
    }
    first_[static_cast<std::size_t>(j) + 1] = first_[static_cast<std::size_t>(j)] + count;
    const int length = m - j;
    double* column = A + j + j * m;
    const double original = *column;
    int k = 0;
    for (; k + 4 <= count; k += 4) {  // four columns in one pass
      const double *a = row + used[k] * m, *b = row + used[k + 1] * m, *c = row + used[k + 2] * m,
                   *d = row + used[k + 3] * m;
      const double fa = *a, fb = *b, fc = *c, fd = *d;
      for (int i = 0; i < length; ++i) column[i] -= fa * a[i] + fb * b[i] + fc * c[i] + fd * d[i];
    }
    for (; k < count; ++k) {
      const double* a = row + used[k] * m;
      const double factor = *a;
      for (int i = 0; i < length; ++i) column[i] -= factor * a[i];
    }
    if (!(*column > limit * original)) return false;
    const double inverse = 1.0 / std::sqrt(*column);
    *column = inverse;
    for (int i = 1; i < length; ++i) column[i] *= inverse;
    used += count;
  }
  return true;
}

void SparseCholesky::forward(const double* L, double* x) const {
  for (int j = 0; j < size_; ++j) {
    double sum = x[j];
    for (const int k : row(j)) sum -= L[j + k * size_] * x[k];
    x[j] = sum * L[j + j * size_];
  }
}

void SparseCholesky::backward(const double* L, double* x) const {
  for (int j = size_ - 1; j >= 0; --j) {
    const double xj = x[j] *= L[j + j * size_];
    for (const int k : row(j)) x[k] -= L[j + k * size_] * xj;
  }
}

}  // namespace driftless::linalg
