// Taylor jets: a quantity x(s) along a curve, truncated after order K, c[k] = x^(k)(0) / k!.
//
//   (a + b)_k = a_k + b_k
//   (a b)_k   = sum_{j=0..k} a_j b_{k-j}
//   (a / b)_k = (a_k - sum_{j=1..k} b_j (a/b)_{k-j}) / b_0
//
// The elementary functions are in jet_functions.hpp, which this header brings along. T is any scalar, a Dual
// included: Jet<K, Dual<N>> holds the gradients of every Taylor coefficient.
#pragma once

#include <array>

#include "driftless/autodiff/operators.hpp"

namespace driftless::autodiff {

template <int K, class T = double>
struct Jet;

template <int K, class T>
struct base_scalar<Jet<K, T>> : base_scalar<T> {};

template <int K, class T>
struct Jet {
  static_assert(K >= 1);
  using value_type = T;
  static constexpr int order = K;

  std::array<T, K + 1> c{};

  constexpr Jet() = default;
  template <ConstantOf<Jet> A>
  constexpr Jet(const A& a) : c{T(detail::constant<T>(a))} {}
  constexpr explicit Jet(const std::array<T, K + 1>& coefficients) : c(coefficients) {}

  // The curve's parameter itself: value + s.
  static constexpr Jet variable(const T& value) {
    Jet x(value);
    x.c[1] = T(1);
    return x;
  }

  // The curve with x^(k)(0) = d[k].
  static constexpr Jet from_derivatives(const std::array<T, K + 1>& d) {
    Jet x(d);
    double factorial = 1;
    for (int k = 2; k <= K; ++k) x.c[k] /= static_cast<BaseScalar<T>>(factorial *= k);
    return x;
  }

  // x^(k)(0) = k! c[k].
  constexpr T derivative(int k) const {
    double factorial = 1;
    for (int j = 2; j <= k; ++j) factorial *= j;
    return c[k] * static_cast<BaseScalar<T>>(factorial);
  }

  constexpr Jet operator-() const {
    Jet r;
    for (int k = 0; k <= K; ++k) r.c[k] = -c[k];
    return r;
  }

  constexpr Jet& operator+=(const Jet& b) {
    for (int k = 0; k <= K; ++k) c[k] += b.c[k];
    return *this;
  }
  constexpr Jet& operator-=(const Jet& b) {
    for (int k = 0; k <= K; ++k) c[k] -= b.c[k];
    return *this;
  }
  // From the top down every coefficient is read before it is overwritten, also when b is *this.
  constexpr Jet& operator*=(const Jet& b) {
    for (int k = K; k >= 0; --k) {
      T sum = c[0] * b.c[k];
      for (int j = 1; j <= k; ++j) sum += c[j] * b.c[k - j];
      c[k] = sum;
    }
    return *this;
  }
  // b may be *this: the quotient is then 1, 0, .., and what was overwritten only meets those zeros.
  constexpr Jet& operator/=(const Jet& b) {
    const T inverse = T(1) / b.c[0];
    c[0] /= b.c[0];
    for (int k = 1; k <= K; ++k) {
      T sum = c[k];
      for (int j = 1; j <= k; ++j) sum -= b.c[j] * c[k - j];
      c[k] = sum * inverse;
    }
    return *this;
  }

  template <ConstantOf<Jet> A>
  constexpr Jet& operator+=(const A& a) {
    c[0] += detail::constant<T>(a);
    return *this;
  }
  template <ConstantOf<Jet> A>
  constexpr Jet& operator-=(const A& a) {
    c[0] -= detail::constant<T>(a);
    return *this;
  }
  template <ConstantOf<Jet> A>
  constexpr Jet& operator*=(const A& a) {
    const auto s = detail::constant<T>(a);
    for (int k = 0; k <= K; ++k) c[k] *= s;
    return *this;
  }
  template <ConstantOf<Jet> A>
  constexpr Jet& operator/=(const A& a) {
    const auto s = detail::constant<T>(a);
    for (int k = 0; k <= K; ++k) c[k] /= s;
    return *this;
  }
};

template <int K, class T>
constexpr auto value_of(const Jet<K, T>& x) {
  return value_of(x.c[0]);
}

template <int K, class T>
constexpr bool is_constant(const Jet<K, T>& x) {
  bool constant = is_constant(x.c[0]);
  for (int k = 1; k <= K; ++k) constant = constant && x.c[k] == T(0) && is_constant(x.c[k]);
  return constant;
}

// Value and all derivatives.
template <int K, class T>
inline bool isfinite(const Jet<K, T>& x) {
  bool finite = true;
  for (int k = 0; k <= K; ++k) finite = finite && isfinite(x.c[k]);
  return finite;
}

}  // namespace driftless::autodiff

#include "driftless/autodiff/jet_functions.hpp"
