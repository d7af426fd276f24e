// The inner loops of the Cholesky route, written once for sizes known at compile time and at run time. A size
// is passed as Fixed<K>{} (loops unroll) or as int (loops run); the mathematics is the same text. All arrays
// are contiguous and column-major: a factor L is k x k with leading dimension k, a panel X is m x n with
// leading dimension m and holds one constraint per row, so that the innermost loop always runs down a column.
//
//     cholesky      A = L L^T      lower triangle in, L out, with 1 / L_jj in place of L_jj
//     forward       x := L^-1 x    backward   x := L^-T x
//     right_solve   X := X L^-T    with X = C the rows become L^-1 applied to the rows of C
//     gram          S := X X^T     lower triangle
//     times_minus   y := X x - y   minus_transposed_times   x := x - X^T y
#pragma once

#include <cmath>
#include <type_traits>
#include <utility>

namespace driftless::linalg::loops {

template <int K>
using Fixed = std::integral_constant<int, K>;

inline constexpr int largest_unrolled = 12;

/// body(0), body(1), .. body(size - 1). For small Fixed sizes unrolled, every index being a constant.
template <class Size, class Body>
[[gnu::always_inline]] inline void each(Size size, Body body) {
  if constexpr (std::is_same_v<Size, int>) {
    for (int i = 0; i < size; ++i) body(i);
  } else if constexpr (Size::value > largest_unrolled) {
    for (int i = 0; i < Size::value; ++i) body(i);
  } else {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (body(Fixed<I>{}), ...);
    }
    (std::make_integer_sequence<int, Size::value>{});
  }
}

/// y[0 .. length) -= X c with the `terms` columns of X (leading dimension ld) and c[0], c[step], c[2 step],
/// ..
[[gnu::always_inline]] inline void subtract_product(int length, double* y, int terms, const double* X, int ld,
                                                    const double* c, int step) {
  int k = 0;
  for (; k + 4 <= terms; k += 4) {  // four columns in one pass over y
    const double* x = X + k * ld;
    const double c0 = c[k * step], c1 = c[(k + 1) * step], c2 = c[(k + 2) * step], c3 = c[(k + 3) * step];
    for (int i = 0; i < length; ++i)
      y[i] -= c0 * x[i] + c1 * x[i + ld] + c2 * x[i + 2 * ld] + c3 * x[i + 3 * ld];
  }
  for (; k < terms; ++k) {
    const double ck = c[k * step];
    for (int i = 0; i < length; ++i) y[i] -= ck * X[i + k * ld];
  }
}

/// False as soon as a pivot is not above limit * (its original diagonal entry); so also for NaN and infinity.
template <class Size>
[[gnu::always_inline]] inline bool cholesky(Size size, double* A, double limit) {
  const int k = size;
  bool regular = true;
  each(size, [&](auto index) {
    const int j = index;
    if (!regular) return;
    double* column = A + j * k;
    const double original = column[j];
    subtract_product(k - j, column + j, j, A + j, k, A + j, k);
    if (!(column[j] > limit * original)) {
      regular = false;
      return;
    }
    const double inverse = 1.0 / std::sqrt(column[j]);
    column[j] = inverse;
    for (int i = j + 1; i < k; ++i) column[i] *= inverse;
  });
  return regular;
}

template <class Size>
[[gnu::always_inline]] inline void forward(Size size, const double* L, double* x) {
  const int k = size;
  each(size, [&](auto index) {
    const int j = index;
    const double xj = x[j] *= L[j + j * k];
    for (int i = j + 1; i < k; ++i) x[i] -= L[i + j * k] * xj;
  });
}

template <class Size>
[[gnu::always_inline]] inline void backward(Size size, const double* L, double* x) {
  const int k = size;
  each(size, [&](auto index) {
    const int j = k - 1 - index;
    double sum = x[j];
    for (int i = j + 1; i < k; ++i) sum -= L[i + j * k] * x[i];
    x[j] = sum * L[j + j * k];
  });
}

template <class Rows, class Size>
[[gnu::always_inline]] inline void right_solve(Rows rows, Size size, const double* L, double* X) {
  const int m = rows, n = size;
  each(size, [&](auto index) {
    const int j = index;
    double* column = X + j * m;
    subtract_product(m, column, j, X, m, L + j, n);
    for (int i = 0; i < m; ++i) column[i] *= L[j + j * n];
  });
}

template <class Rows, class Size>
[[gnu::always_inline]] inline void gram(Rows rows, Size size, const double* X, double* S) {
  const int m = rows, n = size;
  each(rows, [&](auto index) {
    const int j = index;
    double* column = S + j * m;
    for (int i = j; i < m; ++i) column[i] = 0.0;
    for (int k = 0; k < n; ++k)
      for (int i = j; i < m; ++i) column[i] += X[j + k * m] * X[i + k * m];
  });
}

template <class Rows, class Size>
[[gnu::always_inline]] inline void times_minus(Rows rows, Size size, const double* X, const double* x,
                                               double* y) {
  const int m = rows;
  for (int i = 0; i < m; ++i) y[i] = -y[i];
  each(size, [&](auto index) {
    const int j = index;
    for (int i = 0; i < m; ++i) y[i] += X[i + j * m] * x[j];
  });
}

template <class Rows, class Size>
[[gnu::always_inline]] inline void minus_transposed_times(Rows rows, Size size, const double* X,
                                                          const double* y, double* x) {
  const int m = rows;
  each(size, [&](auto index) {
    const int j = index;
    double sum = 0.0;
    for (int i = 0; i < m; ++i) sum += X[i + j * m] * y[i];
    x[j] -= sum;
  });
}

}  // namespace driftless::linalg::loops
