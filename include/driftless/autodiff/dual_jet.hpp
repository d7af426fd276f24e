// A dual and a Taylor jet of the same quantity at once: its gradient by N variables and its Taylor coefficients along
// a curve, which need not have anything to do with each other. One pass through a model then gives
//   g, G = g_x  and  g', g'', ..
// with every sine, root and exponential evaluated once for both; two passes would spend most of their time in those.
#pragma once

#include "driftless/autodiff/dual.hpp"
#include "driftless/autodiff/jet.hpp"

namespace driftless::autodiff {

template <int N, int K, class T = double>
struct DualJet;

template <int N, int K, class T>
struct base_scalar<DualJet<N, K, T>> : base_scalar<T> {};

template <int N, int K, class T>
struct DualJet {
  using value_type = T;

  Dual<N, T> dual;
  Jet<K, T> jet;

  constexpr DualJet() = default;
  template <ConstantOf<DualJet> A>
  constexpr DualJet(const A& a) : dual(a), jet(a) {}
  constexpr DualJet(const Dual<N, T>& d, const Jet<K, T>& j) : dual(d), jet(j) {}

  constexpr const T& value() const { return dual.value; }
  constexpr DualJet operator-() const { return {-dual, -jet}; }

  constexpr DualJet& operator+=(const DualJet& b) { return dual += b.dual, jet += b.jet, *this; }
  constexpr DualJet& operator-=(const DualJet& b) { return dual -= b.dual, jet -= b.jet, *this; }
  constexpr DualJet& operator*=(const DualJet& b) { return dual *= b.dual, jet *= b.jet, *this; }
  constexpr DualJet& operator/=(const DualJet& b) { return dual /= b.dual, jet /= b.jet, *this; }
  template <ConstantOf<DualJet> A>
  constexpr DualJet& operator+=(const A& a) {
    return dual += a, jet += a, *this;
  }
  template <ConstantOf<DualJet> A>
  constexpr DualJet& operator-=(const A& a) {
    return dual -= a, jet -= a, *this;
  }
  template <ConstantOf<DualJet> A>
  constexpr DualJet& operator*=(const A& a) {
    return dual *= a, jet *= a, *this;
  }
  template <ConstantOf<DualJet> A>
  constexpr DualJet& operator/=(const A& a) {
    return dual /= a, jet /= a, *this;
  }
};

template <int N, int K, class T>
constexpr auto value_of(const DualJet<N, K, T>& x) {
  return value_of(x.dual);
}
template <int N, int K, class T>
constexpr bool is_constant(const DualJet<N, K, T>& x) {
  return is_constant(x.dual) && is_constant(x.jet);
}
template <int N, int K, class T>
inline bool isfinite(const DualJet<N, K, T>& x) {
  return isfinite(x.dual) && isfinite(x.jet);
}

// --- the value once, then each kind of derivative by its own rule ---

template <int N, int K, class T>
inline SinCos<DualJet<N, K, T>> sin_cos(const DualJet<N, K, T>& x) {
  const auto [s, c] = sin_cos(x.value());
  const auto [js, jc] = detail::sin_cos_series(x.jet, s, c, -1);
  return {{detail::chain(x.dual, s, c), js}, {detail::chain(x.dual, c, T(-s)), jc}};
}
template <int N, int K, class T>
inline DualJet<N, K, T> sin(const DualJet<N, K, T>& x) {
  const auto [s, c] = sin_cos(x.value());
  return {detail::chain(x.dual, s, c), detail::sin_cos_series(x.jet, s, c, -1).sin};
}
template <int N, int K, class T>
inline DualJet<N, K, T> cos(const DualJet<N, K, T>& x) {
  const auto [s, c] = sin_cos(x.value());
  return {detail::chain(x.dual, c, T(-s)), detail::sin_cos_series(x.jet, s, c, -1).cos};
}
template <int N, int K, class T>
inline DualJet<N, K, T> sinh(const DualJet<N, K, T>& x) {
  const T s = sinh(x.value()), c = cosh(x.value());
  return {detail::chain(x.dual, s, c), detail::sin_cos_series(x.jet, s, c, 1).sin};
}
template <int N, int K, class T>
inline DualJet<N, K, T> cosh(const DualJet<N, K, T>& x) {
  const T s = sinh(x.value()), c = cosh(x.value());
  return {detail::chain(x.dual, c, s), detail::sin_cos_series(x.jet, s, c, 1).cos};
}
template <int N, int K, class T>
inline DualJet<N, K, T> tan(const DualJet<N, K, T>& x) {
  const T t = tan(x.value()), slope = T(1) + t * t;
  return {detail::chain(x.dual, t, slope), detail::tan_series(x.jet, t, slope, 1)};
}
template <int N, int K, class T>
inline DualJet<N, K, T> tanh(const DualJet<N, K, T>& x) {
  const T t = tanh(x.value()), sech = T(1) / cosh(x.value()), slope = sech * sech;
  return {detail::chain(x.dual, t, slope), detail::tan_series(x.jet, t, slope, -1)};
}
template <int N, int K, class T>
inline DualJet<N, K, T> exp(const DualJet<N, K, T>& x) {
  const T e = exp(x.value());
  return {detail::chain(x.dual, e, e), detail::exp_series(x.jet, e)};
}
template <int N, int K, class T>
inline DualJet<N, K, T> log(const DualJet<N, K, T>& x) {
  const T l = log(x.value());
  return {detail::chain(x.dual, l, T(T(1) / x.value())),
          detail::integrate_quotient(l, detail::scaled_by_index(x.jet), x.jet)};
}
template <int N, int K, class T>
inline DualJet<N, K, T> sqrt(const DualJet<N, K, T>& x) {
  const T r = sqrt(x.value());
  return {detail::chain(x.dual, r, T(T(1) / (r + r))), detail::sqrt_series(x.jet, r)};
}
template <int N, int K, class T>
inline DualJet<N, K, T> cbrt(const DualJet<N, K, T>& x) {
  return {cbrt(x.dual), cbrt(x.jet)};
}
template <int N, int K, class T>
inline DualJet<N, K, T> asin(const DualJet<N, K, T>& x) {
  return {asin(x.dual), asin(x.jet)};
}
template <int N, int K, class T>
inline DualJet<N, K, T> acos(const DualJet<N, K, T>& x) {
  return {acos(x.dual), acos(x.jet)};
}
template <int N, int K, class T>
inline DualJet<N, K, T> atan(const DualJet<N, K, T>& x) {
  return {atan(x.dual), atan(x.jet)};
}
template <int N, int K, class T>
inline DualJet<N, K, T> atan2(const DualJet<N, K, T>& y, const DualJet<N, K, T>& x) {
  return {atan2(y.dual, x.dual), atan2(y.jet, x.jet)};
}
template <int N, int K, class T>
inline DualJet<N, K, T> hypot(const DualJet<N, K, T>& x, const DualJet<N, K, T>& y) {
  return {hypot(x.dual, y.dual), hypot(x.jet, y.jet)};
}

// Reached through pow.
template <int N, int K, class T>
inline DualJet<N, K, T> real_power(const DualJet<N, K, T>& x, double p) {
  return {real_power(x.dual, p), real_power(x.jet, p)};
}
template <int N, int K, class T>
inline DualJet<N, K, T> variable_power(const DualJet<N, K, T>& x, const DualJet<N, K, T>& y) {
  return {variable_power(x.dual, y.dual), variable_power(x.jet, y.jet)};
}
template <Arithmetic A, int N, int K, class T>
inline DualJet<N, K, T> pow(A base, const DualJet<N, K, T>& y) {
  return {pow(base, y.dual), pow(base, y.jet)};
}

}  // namespace driftless::autodiff
