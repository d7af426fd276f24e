// Loops over columns whose length is a multiple of four, filled up with zeros: every pass is made of whole vector registers, without
// remainders, whatever the size. All numbers of rows and of terms are multiples of four.
//
//     subtract          y := y - x f        in the rows from `first` to before `last`
//     subtract_product  y := y - X c        likewise; X has `terms` columns with the leading dimension ld
//     add_product       y := y + X c
//     largest           max |x_i|
//     all_finite        no infinity and no NaN among the x_i
#pragma once

#include <complex>

#include <Eigen/Core>

namespace driftless::linalg::blocks {

inline constexpr int up(int n) {
  return (n + 3) / 4 * 4;
}
inline constexpr int down(int n) {
  return n / 4 * 4;
}

template <class Scalar>
using Four = Eigen::Array<Scalar, 4, 1>;

template <class Scalar>
Eigen::Map<Four<Scalar>> at(Scalar* p) {
  return Eigen::Map<Four<Scalar>>(p);
}
template <class Scalar>
Eigen::Map<const Four<Scalar>> at(const Scalar* p) {
  return Eigen::Map<const Four<Scalar>>(p);
}

/// |x|, for complex numbers |Re x| + |Im x|.
inline auto sizes(const double* x) {
  return at(x).abs();
}
inline Four<double> sizes(const std::complex<double>* x) {
  return at(x).real().abs() + at(x).imag().abs();
}

template <class Scalar>
void subtract(int first, int last, Scalar* y, const Scalar* x, Scalar f) {
  for (int i = first; i < last; i += 4) at(y + i) -= at(x + i) * f;
}

template <class Scalar>
[[gnu::always_inline]] inline void subtract_product(int first, int last, Scalar* y, int terms,
                                                    const Scalar* X, int ld, const Scalar* c) {
  for (int k = 0; k < terms; k += 4, X += 4 * ld) {
    const Scalar c0 = c[k], c1 = c[k + 1], c2 = c[k + 2], c3 = c[k + 3];
    for (int i = first; i < last; i += 4)
      at(y + i) = at(y + i) - at(X + i) * c0 - at(X + i + ld) * c1 - at(X + i + 2 * ld) * c2 -
                  at(X + i + 3 * ld) * c3;
  }
}

template <class Scalar>
[[gnu::always_inline]] inline void add_product(int first, int last, Scalar* y, int terms, const Scalar* X,
                                               int ld, const Scalar* c) {
  for (int k = 0; k < terms; k += 4, X += 4 * ld) {
    const Scalar c0 = c[k], c1 = c[k + 1], c2 = c[k + 2], c3 = c[k + 3];
    for (int i = first; i < last; i += 4)
      at(y + i) = at(y + i) + at(X + i) * c0 + at(X + i + ld) * c1 + at(X + i + 2 * ld) * c2 +
                  at(X + i + 3 * ld) * c3;
  }
}

template <class Scalar>
double largest(int count, const Scalar* x) {
  Four<double> four = Four<double>::Zero();
  for (int i = 0; i < count; i += 4) four = four.max(sizes(x + i));
  return four.maxCoeff();
}

/// 0 x is NaN for the others, and so is the sum.
inline bool all_finite(int count, const double* x) {
  Four<double> sum = Four<double>::Zero();
  for (int i = 0; i < count; i += 4) sum += 0.0 * at(x + i);
  return sum.sum() == 0.0;
}
inline bool all_finite(int count, const std::complex<double>* x) {
  return all_finite(2 * count, reinterpret_cast<const double*>(x));
}

}  // namespace driftless::linalg::blocks
