// LU factorisation of a square n x n column-major array in place, P A Q = L U with unit lower L, for double
// and std::complex<double>. Permutations are kept as the sequence of swaps, so that solving needs no
// workspace:
//
//     lu_partial    rows are swapped, largest entry of the column; four columns at a time; stops at a bad pivot
//     lu_complete   rows and columns are swapped, largest entry of what is left; reveals the rank
//     lu_solve      x := A^-1 x
//
// The pivots are compared with an absolute limit, so the matrix has to be equilibrated first: equilibrate()
// gives powers of two r_i, c_j such that the largest entry in every row and column of r_i A_ij c_j is near 1.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace driftless::linalg {

namespace lu_detail {

inline double size_of(double x) {
  return std::abs(x);
}
inline double size_of(const std::complex<double>& x) {
  return std::abs(x.real()) + std::abs(x.imag());
}

/// Plain products: the library's complex product also repairs infinities, at the price of a call.
inline double product(double x, double y) {
  return x * y;
}
inline std::complex<double> product(const std::complex<double>& x, const std::complex<double>& y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

/// The power of two that brings x to [1/2, 1), read off its exponent; 1 for zero and for what is not finite.
/// (x in [2^(e-1023), 2^(e-1022)) for the exponent bits e, so 2^(1022-e), whose exponent bits are 2045 - e.)
inline double inverse_power(double x) {
  if (!(x > 0.0) || !(x <= std::numeric_limits<double>::max())) return 1.0;
  const auto e = std::clamp<std::uint64_t>(std::bit_cast<std::uint64_t>(x) >> 52, 1, 2044);
  return std::bit_cast<double>((2045 - e) << 52);
}

/// Eliminates below the pivot (k, k) in the columns k + 1 .. last - 1.
template <class Scalar>
void eliminate(int n, Scalar* A, int k, int last) {
  const Scalar inverse = 1.0 / A[k + k * n];
  for (int i = k + 1; i < n; ++i) A[i + k * n] = product(A[i + k * n], inverse);
  for (int j = k + 1; j < last; ++j) {
    const Scalar u = A[k + j * n];
    for (int i = k + 1; i < n; ++i) A[i + j * n] -= product(A[i + k * n], u);
  }
}

/// Brings the columns from first + 4 on up to date with the four factored columns first .. first + 3.
template <class Scalar>
void update_trailing(int n, Scalar* A, int first) {
  const Scalar* L = A + first * n;
  for (int j = first + 4; j < n; ++j) {
    Scalar* y = A + j * n;
    for (int k = 0; k < 3; ++k)
      for (int i = k + 1; i < 4; ++i) y[first + i] -= product(L[first + i + k * n], y[first + k]);
    const Scalar u0 = y[first], u1 = y[first + 1], u2 = y[first + 2], u3 = y[first + 3];
    for (int i = first + 4; i < n; ++i)
      y[i] -=
          product(L[i], u0) + product(L[i + n], u1) + product(L[i + 2 * n], u2) + product(L[i + 3 * n], u3);
  }
}

}  // namespace lu_detail

/// True when all n pivots exceed the limit. NaN counts as a pivot that does not.
template <class Scalar>
bool lu_partial(int n, Scalar* A, int* row_swap, double limit) {
  for (int first = 0; first < n; first += 4) {
    const int last = std::min(first + 4, n);
    for (int k = first; k < last; ++k) {
      int pivot = k;
      for (int i = k + 1; i < n; ++i)
        if (lu_detail::size_of(A[i + k * n]) > lu_detail::size_of(A[pivot + k * n])) pivot = i;
      row_swap[k] = pivot;
      if (!(lu_detail::size_of(A[pivot + k * n]) > limit)) return false;
      if (pivot != k)
        for (int j = 0; j < n; ++j) std::swap(A[k + j * n], A[pivot + j * n]);
      lu_detail::eliminate(n, A, k, last);
    }
    if (last < n) lu_detail::update_trailing(n, A, first);
  }
  return true;
}

/// The rank: how many pivots exceed the limit. The factors are complete only when it is n.
template <class Scalar>
int lu_complete(int n, Scalar* A, int* row_swap, int* column_swap, double limit) {
  for (int k = 0; k < n; ++k) {
    int row = k, column = k;
    for (int j = k; j < n; ++j)
      for (int i = k; i < n; ++i)
        if (lu_detail::size_of(A[i + j * n]) > lu_detail::size_of(A[row + column * n])) row = i, column = j;
    row_swap[k] = row;
    column_swap[k] = column;
    if (!(lu_detail::size_of(A[row + column * n]) > limit)) return k;
    for (int j = 0; j < n; ++j) std::swap(A[k + j * n], A[row + j * n]);
    for (int i = 0; i < n; ++i) std::swap(A[i + k * n], A[i + column * n]);
    lu_detail::eliminate(n, A, k, n);
  }
  return n;
}

/// x may be anything with x[i]: a pointer, or a vector kept in two pieces. column_swap is null after
/// lu_partial.
template <class Scalar, class Entries>
void lu_solve(int n, const Scalar* A, const int* row_swap, const int* column_swap, Entries x) {
  for (int k = 0; k < n; ++k) std::swap(x[k], x[row_swap[k]]);
  for (int k = 0; k < n; ++k) {
    const Scalar xk = x[k];
    for (int i = k + 1; i < n; ++i) x[i] -= lu_detail::product(A[i + k * n], xk);
  }
  for (int k = n - 1; k >= 0; --k) {
    const Scalar xk = x[k] /= A[k + k * n];
    for (int i = 0; i < k; ++i) x[i] -= lu_detail::product(A[i + k * n], xk);
  }
  if (column_swap != nullptr)
    for (int k = n - 1; k >= 0; --k) std::swap(x[k], x[column_swap[k]]);
}

/// Multiplies A by diag(r) from the left and diag(c) from the right, powers of two, so that no entry is
/// rounded: first the columns from `first` to before `last` (rows follow anyway), then all rows, then all columns are
/// brought to a largest entry in [1/2, 1). The first, if they are those of the constraints, make the result independent of
/// their units in [M B; C 0].
template <class Scalar>
void equilibrate(int n, Scalar* A, double* r, double* c, int first = 0, int last = 0) {
  const auto scale_column = [&](int j) {
    Scalar* column = A + j * n;
    double largest = 0.0;
    for (int i = 0; i < n; ++i) largest = std::max(largest, lu_detail::size_of(column[i]));
    const double factor = lu_detail::inverse_power(largest);
    for (int i = 0; i < n; ++i) column[i] *= factor;
    return factor;
  };
  for (int j = 0; j < n; ++j) c[j] = j < first || j >= last ? 1.0 : scale_column(j);
  std::fill(r, r + n, 0.0);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) r[i] = std::max(r[i], lu_detail::size_of(A[i + j * n]));
  for (int i = 0; i < n; ++i) r[i] = lu_detail::inverse_power(r[i]);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) A[i + j * n] *= r[i];
    c[j] *= scale_column(j);
  }
}

}  // namespace driftless::linalg
