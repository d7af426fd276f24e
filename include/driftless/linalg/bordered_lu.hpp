// A square system with constraint rows, real or complex, everything allocated at construction:
//
//     P = [ K  B ]   n rows       K need not be symmetric or regular, B and C^T differ,
//         [ C  E ]   m rows       E is often zero
//
// The constraint rows are eliminated first, with pivots from all columns (partial pivoting of P^T, with powers of two that bring
// rows and columns near 1, so that "singular" does not depend on units). Where E = 0 the pivots lie in the n columns of C, and the m
// columns of B are left out of the work.
#pragma once

#include <algorithm>
#include <vector>

#include <Eigen/Core>

#include <driftless/linalg/factor_status.hpp>
#include <driftless/linalg/lu.hpp>

namespace driftless::linalg {

template <class Scalar>
class BorderedLu {
 public:
  using MatrixType = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using VectorType = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  BorderedLu() = default;
  BorderedLu(int n, int m)
      : n_(n),
        m_(m),
        Q_(n + m, n + m),
        scaled_(n + m),
        x_scale_(size(n + m)),
        row_scale_(size(n + m)),
        swap_(size(n + m)) {}

  /// P as a whole, n + m rows. False when it is singular or has an entry that is not finite.
  bool factor(const Eigen::Ref<const MatrixType>& P) {
    const int N = n_ + m_;
    // Columns of Q are the rows of P, those of the constraints first.
    for (int j = 0; j < m_; ++j) Q_.col(j) = P.row(n_ + j).transpose();
    for (int j = 0; j < n_; ++j) Q_.col(m_ + j) = P.row(j).transpose();
    if (!Q_.allFinite()) return false;
    const bool bordered = (Q_.bottomLeftCorner(m_, m_).array() == Scalar(0)).all();
    equilibrate(N, Q_.data(), x_scale_.data(), row_scale_.data(), 0, m_);
    const double limit = lu_pivot_limit(N);
    for (int k = 0; k < N; ++k) {
      const int rows = bordered && k < m_ ? n_ : N;
      int pivot = k;
      for (int i = k + 1; i < rows; ++i)
        if (lu_detail::size_of(Q_(i, k)) > lu_detail::size_of(Q_(pivot, k))) pivot = i;
      swap_[size(k)] = pivot;
      if (k >= rows || !(lu_detail::size_of(Q_(pivot, k)) > limit)) return false;
      if (pivot != k) Q_.row(k).swap(Q_.row(pivot));
      eliminate(k, rows);
    }
    return true;
  }

  /// x := P^-1 x, after factor() returned true.
  void solve(Eigen::Ref<VectorType> x) {
    const int N = n_ + m_;
    for (int k = 0; k < m_; ++k) scaled_[k] = x[n_ + k] * row_scale_[size(k)];
    for (int k = 0; k < n_; ++k) scaled_[m_ + k] = x[k] * row_scale_[size(m_ + k)];
    for (int k = 0; k < N; ++k) {  // U^T
      Scalar sum = scaled_[k];
      for (int i = 0; i < k; ++i) sum -= lu_detail::product(Q_(i, k), scaled_[i]);
      scaled_[k] = sum / Q_(k, k);
    }
    for (int k = N - 1; k >= 0; --k) {  // L^T
      Scalar sum = scaled_[k];
      for (int i = k + 1; i < N; ++i) sum -= lu_detail::product(Q_(i, k), scaled_[i]);
      scaled_[k] = sum;
    }
    for (int k = N - 1; k >= 0; --k) std::swap(scaled_[k], scaled_[swap_[size(k)]]);
    for (int i = 0; i < N; ++i) x[i] = scaled_[i] * x_scale_[size(i)];
  }

 private:
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }

  // Below the pivot (k, k), in the rows that column k has.
  void eliminate(int k, int rows) {
    const int N = n_ + m_;
    const Scalar inverse = Scalar(1) / Q_(k, k);
    Scalar* l = Q_.data() + k * N;
    for (int i = k + 1; i < rows; ++i) l[i] = lu_detail::product(l[i], inverse);
    for (int j = k + 1; j < N; ++j) {
      Scalar* column = Q_.data() + j * N;
      const Scalar u = column[k];
      if (u == Scalar(0)) continue;
      for (int i = k + 1; i < rows; ++i) column[i] -= lu_detail::product(l[i], u);
    }
  }

  int n_ = 0, m_ = 0;
  MatrixType Q_;
  VectorType scaled_;
  std::vector<double> x_scale_, row_scale_;
  std::vector<int> swap_;
};

}  // namespace driftless::linalg
