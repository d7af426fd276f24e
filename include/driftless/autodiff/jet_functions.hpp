// Elementary functions of Taylor jets. Each y = f(u) obeys a differential equation along the curve; equating
// coefficients gives y_k from lower ones (u' has the coefficients (k+1) u_{k+1}; sums run over j = 1..k):
//
//   y' = y u'          exp         k y_k = sum j u_j y_{k-j}
//   s' = c u', c' = -+ s u'        k s_k = sum j u_j c_{k-j},  k c_k = -+ sum j u_j s_{k-j}   (sin cos, sinh cosh)
//   y' = w u'          tan tanh    k y_k = sum j u_j w_{k-j},  w = 1 +- y^2 built alongside
//   y' w = u'          log asin acos atan
//                                  k w_0 y_k = k u_k - sum_{j<k} j y_j w_{k-j}
//                                  w = u, sqrt(1 - u^2), -sqrt(1 - u^2), 1 + u^2
//   y^2 = u            sqrt        2 y_0 y_k = u_k - sum_{j=1..k-1} y_j y_{k-j}
//   u y' = p u' y      pow cbrt    k u_0 y_k = sum (p j - (k - j)) u_j y_{k-j}
//   r a' = x y' - y x' atan2       r = x^2 + y^2, both scaled by hypot(x_0, y_0)
//
// Where f is not smooth at u_0 (sqrt, log or a broken power at 0; asin at 1) the coefficients are not finite.
// Reference: A. Griewank, A. Walther, Evaluating Derivatives, 2nd ed., SIAM 2008, section 13.2.
#pragma once

#include "driftless/autodiff/jet.hpp"

namespace driftless::autodiff {
namespace detail {

// 1/k as a factor the compiler folds after unrolling; a division of T by k would not be.
template <class T>
constexpr BaseScalar<T> over(int k) {
  return static_cast<BaseScalar<T>>(1.0 / k);
}

// The coefficients j u_j.
template <int K, class T>
constexpr Jet<K, T> scaled_by_index(const Jet<K, T>& u) {
  Jet<K, T> d;
  for (int j = 1; j <= K; ++j) d.c[j] = u.c[j] * static_cast<BaseScalar<T>>(j);
  return d;
}

// sum_{j=1..k} d_j w_{k-j}.
template <int K, class T>
constexpr T convolve(const Jet<K, T>& d, const Jet<K, T>& w, int k) {
  T sum = d.c[1] * w.c[k - 1];
  for (int j = 2; j <= k; ++j) sum += d.c[j] * w.c[k - j];
  return sum;
}

// y' = y u' from y_0.
template <int K, class T>
constexpr Jet<K, T> exp_series(const Jet<K, T>& u, const T& y0) {
  const Jet<K, T> du = scaled_by_index(u);
  Jet<K, T> y(y0);
  for (int k = 1; k <= K; ++k) y.c[k] = convolve(du, y, k) * over<T>(k);
  return y;
}

// s' = c u', c' = sign s u' from s_0, c_0.
template <int K, class T>
constexpr SinCos<Jet<K, T>> sin_cos_series(const Jet<K, T>& u, const T& s0, const T& c0, int sign) {
  const Jet<K, T> du = scaled_by_index(u);
  SinCos<Jet<K, T>> y{s0, c0};
  for (int k = 1; k <= K; ++k) {
    y.sin.c[k] = convolve(du, y.cos, k) * over<T>(k);
    y.cos.c[k] = convolve(du, y.sin, k) * over<T>(sign * k);
  }
  return y;
}

// y' = w u', w = 1 + sign y^2 from y_0 and w_0 (given apart because 1 - tanh^2 cancels).
template <int K, class T>
constexpr Jet<K, T> tan_series(const Jet<K, T>& u, const T& y0, const T& w0, int sign) {
  const Jet<K, T> du = scaled_by_index(u);
  Jet<K, T> y(y0), w(w0);
  for (int k = 1; k <= K; ++k) {
    y.c[k] = convolve(du, w, k) * over<T>(k);
    T square = y.c[0] * y.c[k];
    for (int j = 1; j <= k; ++j) square += y.c[j] * y.c[k - j];
    w.c[k] = square * static_cast<BaseScalar<T>>(sign);
  }
  return y;
}

// y' w = u' from y_0; d holds j u_j (or any derivative series shifted by one) and is consumed.
template <int K, class T>
constexpr Jet<K, T> integrate_quotient(const T& y0, Jet<K, T> d, const Jet<K, T>& w) {
  const T inverse = T(1) / w.c[0];
  Jet<K, T> y(y0);
  for (int k = 1; k <= K; ++k) {
    for (int j = 1; j < k; ++j) d.c[k] -= d.c[j] * w.c[k - j];
    d.c[k] *= inverse;
    y.c[k] = d.c[k] * over<T>(k);
  }
  return y;
}

// y^2 = u from y_0.
template <int K, class T>
constexpr Jet<K, T> sqrt_series(const Jet<K, T>& u, const T& y0) {
  const T inverse = T(1) / (y0 + y0);
  Jet<K, T> y(y0);
  for (int k = 1; k <= K; ++k) {
    T rest = u.c[k];
    for (int j = 1; j < k; ++j) rest -= y.c[j] * y.c[k - j];
    y.c[k] = rest * inverse;
  }
  return y;
}

// u y' = p u' y from y_0.
template <int K, class T>
constexpr Jet<K, T> power_series(const Jet<K, T>& u, const T& y0, double p) {
  const T inverse = T(1) / u.c[0];
  Jet<K, T> y(y0);
  for (int k = 1; k <= K; ++k) {
    T sum{};
    for (int j = 1; j <= k; ++j) sum += u.c[j] * y.c[k - j] * static_cast<BaseScalar<T>>(p * j - (k - j));
    y.c[k] = sum * inverse * over<T>(k);
  }
  return y;
}

}  // namespace detail

template <int K, class T>
inline SinCos<Jet<K, T>> sin_cos(const Jet<K, T>& u) {
  const auto [s, c] = sin_cos(u.c[0]);
  return detail::sin_cos_series(u, s, c, -1);
}
template <int K, class T>
inline Jet<K, T> sin(const Jet<K, T>& u) {
  return sin_cos(u).sin;
}
template <int K, class T>
inline Jet<K, T> cos(const Jet<K, T>& u) {
  return sin_cos(u).cos;
}
template <int K, class T>
inline Jet<K, T> sinh(const Jet<K, T>& u) {
  return detail::sin_cos_series(u, T(sinh(u.c[0])), T(cosh(u.c[0])), 1).sin;
}
template <int K, class T>
inline Jet<K, T> cosh(const Jet<K, T>& u) {
  return detail::sin_cos_series(u, T(sinh(u.c[0])), T(cosh(u.c[0])), 1).cos;
}
template <int K, class T>
inline Jet<K, T> tan(const Jet<K, T>& u) {
  const T t = tan(u.c[0]);
  return detail::tan_series(u, t, T(T(1) + t * t), 1);
}
template <int K, class T>
inline Jet<K, T> tanh(const Jet<K, T>& u) {
  const T sech = T(1) / cosh(u.c[0]);
  return detail::tan_series(u, T(tanh(u.c[0])), T(sech * sech), -1);
}
template <int K, class T>
inline Jet<K, T> exp(const Jet<K, T>& u) {
  return detail::exp_series(u, T(exp(u.c[0])));
}
template <int K, class T>
inline Jet<K, T> log(const Jet<K, T>& u) {
  return detail::integrate_quotient(T(log(u.c[0])), detail::scaled_by_index(u), u);
}
template <int K, class T>
inline Jet<K, T> sqrt(const Jet<K, T>& u) {
  return detail::sqrt_series(u, T(sqrt(u.c[0])));
}
template <int K, class T>
inline Jet<K, T> cbrt(const Jet<K, T>& u) {
  return detail::power_series(u, T(cbrt(u.c[0])), 1.0 / 3.0);
}
template <int K, class T>
inline Jet<K, T> asin(const Jet<K, T>& u) {
  const Jet<K, T> w = sqrt((T(1) - u) * (T(1) + u));
  return detail::integrate_quotient(T(asin(u.c[0])), detail::scaled_by_index(u), w);
}
template <int K, class T>
inline Jet<K, T> acos(const Jet<K, T>& u) {
  const Jet<K, T> w = -sqrt((T(1) - u) * (T(1) + u));
  return detail::integrate_quotient(T(acos(u.c[0])), detail::scaled_by_index(u), w);
}
template <int K, class T>
inline Jet<K, T> atan(const Jet<K, T>& u) {
  return detail::integrate_quotient(T(atan(u.c[0])), detail::scaled_by_index(u), T(1) + u * u);
}
template <int K, class T>
inline Jet<K, T> atan2(const Jet<K, T>& y, const Jet<K, T>& x) {
  const T h = hypot(x.c[0], y.c[0]);
  const Jet<K, T> a = x / h, b = y / h;
  // The coefficient of s^k in s (a b' - b a').
  const Jet<K, T> turning = a * detail::scaled_by_index(b) - b * detail::scaled_by_index(a);
  return detail::integrate_quotient(T(atan2(y.c[0], x.c[0])), turning, a * a + b * b);
}
template <int K, class T>
inline Jet<K, T> hypot(const Jet<K, T>& x, const Jet<K, T>& y) {
  const T h = hypot(x.c[0], y.c[0]);
  const Jet<K, T> a = x / h, b = y / h;
  return detail::sqrt_series(a * a + b * b, T(1)) * h;
}

// x^p for real p; reached through pow.
template <int K, class T>
inline Jet<K, T> real_power(const Jet<K, T>& u, double p) {
  return detail::power_series(u, static_cast<T>(pow(u.c[0], p)), p);
}
template <int K, class T>
inline Jet<K, T> variable_power(const Jet<K, T>& u, const Jet<K, T>& y) {
  return detail::exp_series(Jet<K, T>(y * log(u)), T(pow(u.c[0], y.c[0])));
}
template <Arithmetic A, int K, class T>
inline Jet<K, T> pow(A base, const Jet<K, T>& y) {
  const auto b = static_cast<BaseScalar<T>>(base);
  return detail::exp_series(Jet<K, T>(y * log(b)), T(pow(b, y.c[0])));
}

}  // namespace driftless::autodiff
