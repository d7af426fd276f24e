// A square system with constraint rows, real or complex, everything allocated at construction:
//
//     P = [ K  B ]   n rows       K need not be symmetric or regular, B and C^T differ,
//         [ C  E ]   m rows       E is often zero
//
// The constraint rows are eliminated first, with pivots from all columns, and powers of two that bring rows and columns near 1, so
// that "singular" does not depend on units:
//
//     D_r [ C  E ] D_c = L R Q^T      L lower, R unit upper triangular, Q a permutation
//         [ K  B ]
//
// Where E = 0 the columns of B have nothing to eliminate in the constraint rows, and are left out of that work. Columns are padded
// to whole blocks (blocks.hpp).
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <driftless/linalg/blocks.hpp>
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
        N_(n + m),
        padded_(blocks::up(n + m)),
        LR_(MatrixType::Zero(padded_, padded_)),
        inverse_(VectorType::Zero(padded_)),
        scaled_(VectorType::Zero(padded_)),
        row_scale_(Eigen::VectorXd::Ones(padded_)),
        row_largest_(row_scale_),
        x_scale_(row_scale_),
        place_(static_cast<std::size_t>(N_)) {}

  /// P as a whole, n + m rows. False when it is singular or has an entry that is not finite.
  bool factor(const Eigen::Ref<const MatrixType>& P) {
    for (int j = 0; j < N_; ++j) {
      const Scalar* from = P.data() + j * P.outerStride();
      std::copy_n(from + n_, m_, column(j));
      std::copy_n(from, n_, column(j) + m_);
      place_[static_cast<std::size_t>(j)] = j;
    }
    if (!blocks::all_finite(padded_ * N_, LR_.data())) return false;
    equilibrate();
    const double limit = lu_pivot_limit(N_);
    for (int k = 0; k < N_; ++k) {
      const int pivot = largest_in_row(k);
      if (!(lu_detail::size_of(LR_(k, pivot)) > limit)) return false;
      if (pivot != k) swap(k, pivot);
      eliminate(k);
    }
    return true;
  }

  /// x := P^-1 x, after factor() returned true.
  void solve(Eigen::Ref<VectorType> x) {
    const int n = n_, m = m_, padded = padded_;
    Scalar* y = scaled_.data();
    std::fill(y + n + m, y + padded, Scalar(0));
    for (int k = 0; k < m; ++k) y[k] = x[n + k] * row_scale_[k];
    for (int k = 0; k < n; ++k) y[m + k] = x[k] * row_scale_[m + k];
    for (int k = 0; k < padded; k += 4) {
      const Scalar* L = LR_.data() + k * padded;
      for (int j = 0; j < 4; ++j) {
        y[k + j] = lu_detail::product(y[k + j], inverse_[k + j]);
        for (int i = j + 1; i < 4; ++i) y[k + i] -= lu_detail::product(L[k + i + j * padded], y[k + j]);
      }
      blocks::subtract_product(k + 4, padded, y, 4, L, padded, y + k);
    }
    for (int k = padded - 4; k >= 0; k -= 4) {
      const Scalar* R = LR_.data() + k * padded;
      for (int j = 3; j > 0; --j)
        for (int i = 0; i < j; ++i) y[k + i] -= lu_detail::product(R[k + i + j * padded], y[k + j]);
      blocks::subtract_product(0, k, y, 4, R, padded, y + k);
    }
    const int* place = place_.data();
    for (int k = 0; k < n + m; ++k) x[place[k]] = y[k] * x_scale_[k];
  }

  /// X := X P^-T: every row of X is a right-hand side and becomes its solution. The columns of X are padded to whole blocks.
  void solve_rows(Eigen::Ref<MatrixType> X) {
    const int N = N_, count = static_cast<int>(X.rows());
    if (rows_.rows() != count) rows_.setZero(count, N);
    for (int k = 0; k < N; ++k) {
      const Scalar* from = X.data() + (k < m_ ? n_ + k : k - m_) * X.outerStride();
      const double factor = row_scale_[k];
      for (int i = 0; i < count; i += 4) blocks::at(right(k) + i) = blocks::at(from + i) * factor;
    }
    for (int k = 0; k < N; ++k) {
      const Scalar* L = column(k);
      for (int i = 0; i < count; i += 4) blocks::at(right(k) + i) *= inverse_[k];
      for (int j = k + 1; j < N; ++j)
        if (L[j] != Scalar(0)) blocks::subtract(0, count, right(j), right(k), L[j]);
    }
    for (int k = N - 1; k > 0; --k) {
      const Scalar* R = column(k);
      for (int j = 0; j < k; ++j)
        if (R[j] != Scalar(0)) blocks::subtract(0, count, right(j), right(k), R[j]);
    }
    for (int k = 0; k < N; ++k) {
      Scalar* to = X.data() + place_[static_cast<std::size_t>(k)] * X.outerStride();
      for (int i = 0; i < count; i += 4) blocks::at(to + i) = blocks::at(right(k) + i) * x_scale_[k];
    }
  }

 private:
  Scalar* column(int j) { return LR_.data() + j * padded_; }
  Scalar* right(int k) { return rows_.data() + k * rows_.rows(); }

  // First the constraint rows, so that the result does not depend on their units, then all columns, then all rows.
  void equilibrate() {
    const int N = N_, padded = padded_, constraints = blocks::up(m_);
    measure_rows(constraints);
    for (int i = 0; i < padded; ++i) row_scale_[i] = i < m_ ? lu_detail::inverse_power(row_largest_[i]) : 1.0;
    scale_rows(constraints, row_scale_);
    for (int j = 0; j < N; ++j) {
      Scalar* entries = column(j);
      const double factor = lu_detail::inverse_power(blocks::largest(padded, entries));
      x_scale_[j] = factor;
      for (int i = 0; i < padded; i += 4) blocks::at(entries + i) *= factor;
    }
    measure_rows(padded);
    for (int i = 0; i < N; ++i) row_largest_[i] = lu_detail::inverse_power(row_largest_[i]);
    scale_rows(padded, row_largest_);
    row_scale_.array() *= row_largest_.array();
  }

  // The largest entry of each of the first rows.
  void measure_rows(int rows) {
    const int N = N_, padded = padded_;
    for (int i = 0; i < rows; i += 4) {
      blocks::Four<double> four = blocks::Four<double>::Zero();
      const Scalar* entries = LR_.data() + i;
      for (int j = 0; j < N; ++j, entries += padded) four = four.max(blocks::sizes(entries));
      blocks::at(row_largest_.data() + i) = four;
    }
  }

  void scale_rows(int rows, const Eigen::VectorXd& factors) {
    const int N = N_, padded = padded_;
    for (int i = 0; i < rows; i += 4) {
      const blocks::Four<double> four = blocks::at(factors.data() + i);
      Scalar* entries = LR_.data() + i;
      for (int j = 0; j < N; ++j, entries += padded) blocks::at(entries) *= four;
    }
  }

  int largest_in_row(int k) const {
    const int N = N_, padded = padded_;
    const Scalar* entry = LR_.data() + k + k * padded;
    double largest = lu_detail::size_of(*entry);
    int pivot = k;
    for (int j = k + 1; j < N; ++j) {
      entry += padded;
      const double next = lu_detail::size_of(*entry);
      if (next > largest) largest = next, pivot = j;
    }
    return pivot;
  }

  void swap(int k, int pivot) {
    std::swap_ranges(column(k), column(k) + padded_, column(pivot));
    std::swap(x_scale_[k], x_scale_[pivot]);
    std::swap(place_[static_cast<std::size_t>(k)], place_[static_cast<std::size_t>(pivot)]);
  }

  // What stands right of the pivot (k, k).
  void eliminate(int k) {
    const int N = N_, padded = padded_, first = blocks::down(k + 1);
    const Scalar* l = column(k);
    const Scalar inverse = Scalar(1) / l[k];
    inverse_[k] = inverse;
    if (k + 1 == N) return;
    blocks::Four<Scalar> head = blocks::at(l + first);  // of the rows below the pivot, the others zero
    for (int i = 0; i < 4; ++i)
      if (first + i <= k) head[i] = Scalar(0);
    Scalar* right = column(k);
    for (int j = k + 1; j < N; ++j) {
      right += padded;
      if (right[k] == Scalar(0)) continue;
      const Scalar f = right[k] = lu_detail::product(right[k], inverse);
      blocks::at(right + first) -= head * f;
      blocks::subtract(first + 4, padded, right, l, f);
    }
  }

  int n_ = 0, m_ = 0, N_ = 0, padded_ = 0;
  MatrixType LR_;                // L with its diagonal, R above it
  VectorType inverse_, scaled_;  // of the diagonal of L; a right-hand side
  Eigen::VectorXd row_scale_, row_largest_, x_scale_;
  std::vector<int> place_;  // of an unknown in x
  MatrixType rows_;         // right-hand sides, in the order of the factors; allocated when first asked for
};

}  // namespace driftless::linalg
