// Forward-mode dual numbers: a value and its gradient with respect to N independent variables.
//
//   f(x)        = f(v),  f'(v) g                      x = (v, g)
//   f(x, y)     = f,     f_x gx + f_y gy
//   x / y       = q,     (gx - q gy) / y
//   x^p         = v^p,   p v^(p-1) g
//   hypot(x, y) = h,     (x/h) gx + (y/h) gy          scaled by h so that large components do not overflow
//   atan2(y, x) = a,     ((x/h) gy - (y/h) gx) / h
//
// The value part is bit for bit what the same expression gives on T, except for whole powers (products here).
// Non-finite derivatives appear where the function has none (sqrt at 0), never an exception.
#pragma once

#include <array>

#include "driftless/autodiff/operators.hpp"

namespace driftless::autodiff {

template <int N, class T = double>
struct Dual;

template <int N, class T>
struct base_scalar<Dual<N, T>> : base_scalar<T> {};

template <int N, class T>
struct Dual {
  static_assert(N >= 1);
  using value_type = T;
  static constexpr int size = N;

  // The gradient first: whole vector registers at the front can be copied as they were written.
  std::array<T, N> grad{};
  T value{};

  constexpr Dual() = default;
  template <ConstantOf<Dual> A>
  constexpr Dual(const A& a) : value(detail::constant<T>(a)) {}
  constexpr Dual(const T& v, const std::array<T, N>& g) : grad(g), value(v) {}

  // The independent variable number `index`.
  static constexpr Dual variable(const T& value, int index) {
    Dual x(value);
    x.grad[index] = T(1);
    return x;
  }

  constexpr Dual operator-() const {
    Dual r(-value);
    for (int i = 0; i < N; ++i) r.grad[i] = -grad[i];
    return r;
  }

  constexpr Dual& operator+=(const Dual& b) {
    value += b.value;
    for (int i = 0; i < N; ++i) grad[i] += b.grad[i];
    return *this;
  }
  constexpr Dual& operator-=(const Dual& b) {
    value -= b.value;
    for (int i = 0; i < N; ++i) grad[i] -= b.grad[i];
    return *this;
  }
  // Values are written last: b may be *this.
  constexpr Dual& operator*=(const Dual& b) {
    for (int i = 0; i < N; ++i) grad[i] = grad[i] * b.value + value * b.grad[i];
    value *= b.value;
    return *this;
  }
  constexpr Dual& operator/=(const Dual& b) {
    const T inverse = T(1) / b.value;
    const T quotient = value / b.value;
    for (int i = 0; i < N; ++i) grad[i] = (grad[i] - quotient * b.grad[i]) * inverse;
    value = quotient;
    return *this;
  }

  template <ConstantOf<Dual> A>
  constexpr Dual& operator+=(const A& a) {
    value += detail::constant<T>(a);
    return *this;
  }
  template <ConstantOf<Dual> A>
  constexpr Dual& operator-=(const A& a) {
    value -= detail::constant<T>(a);
    return *this;
  }
  template <ConstantOf<Dual> A>
  constexpr Dual& operator*=(const A& a) {
    const auto s = detail::constant<T>(a);
    value *= s;
    for (int i = 0; i < N; ++i) grad[i] *= s;
    return *this;
  }
  template <ConstantOf<Dual> A>
  constexpr Dual& operator/=(const A& a) {
    const auto s = detail::constant<T>(a);
    value /= s;
    for (int i = 0; i < N; ++i) grad[i] /= s;
    return *this;
  }
};

template <int N, class T>
constexpr auto value_of(const Dual<N, T>& x) {
  return value_of(x.value);
}

template <int N, class T>
constexpr bool is_constant(const Dual<N, T>& x) {
  bool constant = is_constant(x.value);
  for (int i = 0; i < N; ++i) constant = constant && x.grad[i] == T(0) && is_constant(x.grad[i]);
  return constant;
}

// Value and all derivatives.
template <int N, class T>
inline bool isfinite(const Dual<N, T>& x) {
  bool finite = isfinite(x.value);
  for (int i = 0; i < N; ++i) finite = finite && isfinite(x.grad[i]);
  return finite;
}

namespace detail {

template <int N, class T>
constexpr Dual<N, T> chain(const Dual<N, T>& x, const T& f, const T& slope) {
  Dual<N, T> r(f);
  for (int i = 0; i < N; ++i) r.grad[i] = slope * x.grad[i];
  return r;
}

template <int N, class T>
constexpr Dual<N, T> chain(const Dual<N, T>& x, const Dual<N, T>& y, const T& f, const T& fx, const T& fy) {
  Dual<N, T> r(f);
  for (int i = 0; i < N; ++i) r.grad[i] = fx * x.grad[i] + fy * y.grad[i];
  return r;
}

}  // namespace detail

template <int N, class T>
inline SinCos<Dual<N, T>> sin_cos(const Dual<N, T>& x) {
  const auto [s, c] = sin_cos(x.value);
  return {detail::chain(x, s, c), detail::chain(x, c, T(-s))};
}
template <int N, class T>
inline Dual<N, T> sin(const Dual<N, T>& x) {
  return detail::chain(x, sin(x.value), cos(x.value));
}
template <int N, class T>
inline Dual<N, T> cos(const Dual<N, T>& x) {
  return detail::chain(x, cos(x.value), T(-sin(x.value)));
}
template <int N, class T>
inline Dual<N, T> tan(const Dual<N, T>& x) {
  const T t = tan(x.value);
  return detail::chain(x, t, T(T(1) + t * t));
}
// (1 - x)(1 + x) keeps the digits that 1 - x^2 loses near 1.
template <int N, class T>
inline Dual<N, T> asin(const Dual<N, T>& x) {
  return detail::chain(x, asin(x.value), T(T(1) / sqrt((T(1) - x.value) * (T(1) + x.value))));
}
template <int N, class T>
inline Dual<N, T> acos(const Dual<N, T>& x) {
  return detail::chain(x, acos(x.value), T(T(-1) / sqrt((T(1) - x.value) * (T(1) + x.value))));
}
template <int N, class T>
inline Dual<N, T> atan(const Dual<N, T>& x) {
  return detail::chain(x, atan(x.value), T(T(1) / (T(1) + x.value * x.value)));
}
template <int N, class T>
inline Dual<N, T> atan2(const Dual<N, T>& y, const Dual<N, T>& x) {
  const T h = hypot(x.value, y.value);
  return detail::chain(y, x, T(atan2(y.value, x.value)), T(x.value / h / h), T(-(y.value / h / h)));
}
template <int N, class T>
inline Dual<N, T> sinh(const Dual<N, T>& x) {
  return detail::chain(x, sinh(x.value), cosh(x.value));
}
template <int N, class T>
inline Dual<N, T> cosh(const Dual<N, T>& x) {
  return detail::chain(x, cosh(x.value), sinh(x.value));
}
// 1 - tanh^2 would cancel for large |x|.
template <int N, class T>
inline Dual<N, T> tanh(const Dual<N, T>& x) {
  const T sech = T(1) / cosh(x.value);
  return detail::chain(x, tanh(x.value), T(sech * sech));
}
template <int N, class T>
inline Dual<N, T> exp(const Dual<N, T>& x) {
  const T e = exp(x.value);
  return detail::chain(x, e, e);
}
template <int N, class T>
inline Dual<N, T> log(const Dual<N, T>& x) {
  return detail::chain(x, log(x.value), T(T(1) / x.value));
}
template <int N, class T>
inline Dual<N, T> sqrt(const Dual<N, T>& x) {
  const T r = sqrt(x.value);
  return detail::chain(x, r, T(T(1) / (r + r)));
}
template <int N, class T>
inline Dual<N, T> cbrt(const Dual<N, T>& x) {
  const T r = cbrt(x.value);
  return detail::chain(x, r, T(T(1) / (T(3) * r * r)));
}
template <int N, class T>
inline Dual<N, T> hypot(const Dual<N, T>& x, const Dual<N, T>& y) {
  const T h = hypot(x.value, y.value);
  return detail::chain(x, y, h, T(x.value / h), T(y.value / h));
}

// x^p for real p; reached through pow.
template <int N, class T>
inline Dual<N, T> real_power(const Dual<N, T>& x, double p) {
  const T slope = static_cast<T>(pow(x.value, p - 1)) * static_cast<BaseScalar<T>>(p);
  return detail::chain(x, static_cast<T>(pow(x.value, p)), slope);
}
template <int N, class T>
inline Dual<N, T> variable_power(const Dual<N, T>& x, const Dual<N, T>& y) {
  const T f = pow(x.value, y.value);
  return detail::chain(x, y, f, T(y.value * pow(x.value, T(y.value - T(1)))), T(f * log(x.value)));
}
template <Arithmetic A, int N, class T>
inline Dual<N, T> pow(A base, const Dual<N, T>& y) {
  const auto b = static_cast<BaseScalar<T>>(base);
  const T f = pow(b, y.value);
  return detail::chain(y, f, T(f * log(b)));
}

}  // namespace driftless::autodiff
