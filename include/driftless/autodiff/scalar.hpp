// What a number type must offer to flow through a scalar-templated model, and what Dual and Jet share.
//
// A model is written once for any Scalar S and calls sin(x), sqrt(x), .. unqualified; these names are found
// by argument-dependent lookup for Dual and Jet, and through `using std::sin;` (or
// `using driftless::autodiff::sin;`, which brings both) for double.
//
// A new base scalar (a vector lane, a GPU type) needs: construction from double, + - * / and their compound
// forms, unary minus, and the elementary functions in its own namespace. Only comparisons, abs, min and max
// need value_of() of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <type_traits>

namespace driftless::autodiff {

// With these, functions of T below this point work for T = double as for nested T.
using std::abs, std::fabs, std::min, std::max, std::isfinite;
using std::acos, std::asin, std::atan, std::atan2, std::cos, std::sin, std::tan;
using std::cbrt, std::exp, std::hypot, std::log, std::pow, std::sqrt;
using std::cosh, std::sinh, std::tanh;

template <class A>
concept Arithmetic = std::is_arithmetic_v<A>;

// The innermost scalar: double for double, Dual<N>, Jet<K> and Jet<K, Dual<N>>.
template <class T>
struct base_scalar {
  using type = T;
};
template <class T>
using BaseScalar = typename base_scalar<T>::type;

// Dual, Jet or their nesting: a number that carries derivatives.
template <class D>
concept Differential = !std::same_as<BaseScalar<D>, D>;

// Types that enter an expression of D as a constant: numbers, the scalar inside D, the innermost scalar.
template <class A, class D>
concept ConstantOf =
    Arithmetic<A> || std::same_as<A, typename D::value_type> || std::same_as<A, BaseScalar<D>>;

// The innermost value; Dual and Jet add their overloads.
template <Arithmetic A>
constexpr A value_of(A a) {
  return a;
}

// True where every derivative part is exactly zero.
template <Arithmetic A>
constexpr bool is_constant(A) {
  return true;
}

// Sine and cosine of one argument; a jet needs both to get either.
template <class T>
struct SinCos {
  T sin;
  T cos;
};
template <std::floating_point A>
inline SinCos<A> sin_cos(A x) {
  return {std::sin(x), std::cos(x)};
}

template <class T>
concept Scalar = !std::integral<T> && std::copyable<T> && std::constructible_from<T, double> &&
                 requires(const T a, const T b, T c) {
  { a + b } -> std::convertible_to<T>;
  { a - b } -> std::convertible_to<T>;
  { a* b } -> std::convertible_to<T>;
  { a / b } -> std::convertible_to<T>;
  { -a } -> std::convertible_to<T>;
  { 2.0 * a } -> std::convertible_to<T>;
  { sin(a) } -> std::convertible_to<T>;
  { cos(a) } -> std::convertible_to<T>;
  { sqrt(a) } -> std::convertible_to<T>;
  { exp(a) } -> std::convertible_to<T>;
  { atan2(a, b) } -> std::convertible_to<T>;
  c += a;
  c -= a;
  c *= a;
  c /= a;
};

namespace detail {

// A constant stays the narrowest type that D can combine with, so that 2.0 * x scales instead of running the
// product rule on zero derivatives.
template <class D, class A>
constexpr auto constant(const A& a) {
  if constexpr (Arithmetic<A>) {
    return static_cast<BaseScalar<D>>(a);
  } else {
    return a;
  }
}

}  // namespace detail
}  // namespace driftless::autodiff
