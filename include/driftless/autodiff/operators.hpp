// Operators and functions that are the same for Dual and Jet, built on their compound assignments:
//
//   a op b for two numbers of one type, or one of them a constant (double, int, the inner scalar);
//   comparisons, abs, min, max by the innermost value (abs takes the slope +1 at 0; on ties min and max
//   return the first argument, as in std);
//   x^n, n whole, by repeated squaring: right for zero and negative x, relative error about n roundings.
#pragma once

#include "driftless/autodiff/scalar.hpp"

namespace driftless::autodiff {

template <Differential D>
constexpr D operator+(const D& a) {
  return a;
}
template <Differential D>
constexpr D operator+(D a, const D& b) {
  a += b;
  return a;
}
template <Differential D, ConstantOf<D> A>
constexpr D operator+(D a, const A& b) {
  a += b;
  return a;
}
template <Differential D, ConstantOf<D> A>
constexpr D operator+(const A& a, D b) {
  b += a;
  return b;
}

template <Differential D>
constexpr D operator-(D a, const D& b) {
  a -= b;
  return a;
}
template <Differential D, ConstantOf<D> A>
constexpr D operator-(D a, const A& b) {
  a -= b;
  return a;
}
template <Differential D, ConstantOf<D> A>
constexpr D operator-(const A& a, const D& b) {
  D r = -b;
  r += a;
  return r;
}

template <Differential D>
constexpr D operator*(D a, const D& b) {
  a *= b;
  return a;
}
template <Differential D, ConstantOf<D> A>
constexpr D operator*(D a, const A& b) {
  a *= b;
  return a;
}
template <Differential D, ConstantOf<D> A>
constexpr D operator*(const A& a, D b) {
  b *= a;
  return b;
}

template <Differential D>
constexpr D operator/(D a, const D& b) {
  a /= b;
  return a;
}
template <Differential D, ConstantOf<D> A>
constexpr D operator/(D a, const A& b) {
  a /= b;
  return a;
}
template <Differential D, ConstantOf<D> A>
constexpr D operator/(const A& a, const D& b) {
  D r(a);
  r /= b;
  return r;
}

template <class A, class B>
concept Comparable = (Differential<A> && (std::same_as<A, B> || ConstantOf<B, A>)) ||
                     (Differential<B> && ConstantOf<A, B>);

template <class A, class B>
requires Comparable<A, B>
constexpr auto operator==(const A& a, const B& b) {
  return value_of(a) == value_of(b);
}
template <class A, class B>
requires Comparable<A, B>
constexpr auto operator!=(const A& a, const B& b) {
  return value_of(a) != value_of(b);
}
template <class A, class B>
requires Comparable<A, B>
constexpr auto operator<(const A& a, const B& b) {
  return value_of(a) < value_of(b);
}
template <class A, class B>
requires Comparable<A, B>
constexpr auto operator>(const A& a, const B& b) {
  return value_of(a) > value_of(b);
}
template <class A, class B>
requires Comparable<A, B>
constexpr auto operator<=(const A& a, const B& b) {
  return value_of(a) <= value_of(b);
}
template <class A, class B>
requires Comparable<A, B>
constexpr auto operator>=(const A& a, const B& b) {
  return value_of(a) >= value_of(b);
}

template <Differential D>
constexpr D abs(const D& x) {
  return x < 0 ? -x : x;
}
template <Differential D>
constexpr D fabs(const D& x) {
  return abs(x);
}

template <Differential D>
constexpr D min(const D& a, const D& b) {
  return b < a ? b : a;
}
template <Differential D>
constexpr D max(const D& a, const D& b) {
  return a < b ? b : a;
}

// A constant beside a derivative number: promote it, then the two-argument rule of that type applies.
template <Differential D, ConstantOf<D> A>
constexpr D min(const D& a, const A& b) {
  return min(a, D(b));
}
template <Differential D, ConstantOf<D> A>
constexpr D min(const A& a, const D& b) {
  return min(D(a), b);
}
template <Differential D, ConstantOf<D> A>
constexpr D max(const D& a, const A& b) {
  return max(a, D(b));
}
template <Differential D, ConstantOf<D> A>
constexpr D max(const A& a, const D& b) {
  return max(D(a), b);
}
template <Differential D, ConstantOf<D> A>
inline D atan2(const D& y, const A& x) {
  return atan2(y, D(x));
}
template <Differential D, ConstantOf<D> A>
inline D atan2(const A& y, const D& x) {
  return atan2(D(y), x);
}
template <Differential D, ConstantOf<D> A>
inline D hypot(const D& x, const A& y) {
  return hypot(x, D(y));
}
template <Differential D, ConstantOf<D> A>
inline D hypot(const A& x, const D& y) {
  return hypot(D(x), y);
}

namespace detail {

// Inverting first keeps x^-n at 0 instead of NaN where x^n overflows.
template <class D>
constexpr D whole_power(const D& x, long long n) {
  D factor = n < 0 ? D(1) / x : x;
  D result(1);
  auto left = n < 0 ? 0ULL - static_cast<unsigned long long>(n) : static_cast<unsigned long long>(n);
  if (left == 0) return result;
  while ((left & 1U) == 0) {
    factor *= factor;
    left >>= 1U;
  }
  result = factor;
  while ((left >>= 1U) != 0) {
    factor *= factor;
    if ((left & 1U) != 0) result *= factor;
  }
  return result;
}

}  // namespace detail

template <Differential D, std::integral N>
constexpr D pow(const D& x, N n) {
  return detail::whole_power(x, static_cast<long long>(n));
}

// Small whole exponents take the product path because the real-power rule is singular at x = 0.
template <Differential D, std::floating_point P>
inline D pow(const D& x, P p) {
  const double e = static_cast<double>(p);
  if (std::abs(e) <= 64 && e == std::trunc(e)) return detail::whole_power(x, static_cast<long long>(e));
  return real_power(x, e);
}

// A constant exponent that arrives as a D must not differentiate through log(x), which is NaN for x < 0.
template <Differential D>
inline D pow(const D& x, const D& y) {
  if (is_constant(y)) return pow(x, value_of(y));
  return variable_power(x, y);
}

}  // namespace driftless::autodiff
