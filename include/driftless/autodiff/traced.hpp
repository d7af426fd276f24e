// Traced: a number that knows what it was computed from: from t, from the state, or from constants alone. A
// model evaluated on it tells whether t enters its constraints at all, also where no derivative shows it at
// that time: (t > 1 ? .. : ..), max(t, 0)^3, t * q at q = 0.
//
//   a op b, f(a)    from whatever a and b are from; a constant 0 times anything is a constant 0
//   a < b, value_of(a)
//                   the number leaves the sight of this type, and what is computed afterwards may depend
//                   on it: if it is from t, everything afterwards counts as from t; if it is from the state
//                   alone, that is noted (another branch, taken later, may have t)
#pragma once

#include "driftless/autodiff/operators.hpp"

namespace driftless::autodiff {

struct Traced;

template <>
struct base_scalar<Traced> : base_scalar<double> {};

// What left the sight of Traced numbers during one evaluation.
struct Trace {
  bool time_seen = false;   // a number from t was compared or taken as a plain one
  bool state_seen = false;  // one from the state
};

struct Traced {
  using value_type = double;
  enum Source : unsigned { time = 1, state = 2, after_time = 4 };

  double value = 0;
  unsigned from = 0;       // Sources; none for a constant
  Trace* trace = nullptr;  // of the evaluation; none for a constant

  constexpr Traced() = default;
  template <ConstantOf<Traced> A>
  constexpr Traced(const A& a) : value(static_cast<double>(a)) {}
  constexpr Traced(double v, Source source, Trace& evaluation) : value(v), from(source), trace(&evaluation) {}

  constexpr bool depends_on_time() const { return (from & (time | after_time)) != 0; }

  // The same sources with another value.
  constexpr Traced with(double v) const {
    Traced r = *this;
    r.value = v;
    if (trace && trace->time_seen) r.from |= after_time;
    return r;
  }
  constexpr Traced with(const Traced& b, double v) const {
    Traced r = *this;
    r.from |= b.from;
    if (!r.trace) r.trace = b.trace;
    return r.with(v);
  }

  constexpr Traced operator-() const { return with(-value); }
  constexpr Traced& operator+=(const Traced& b) { return *this = with(b, value + b.value); }
  constexpr Traced& operator-=(const Traced& b) { return *this = with(b, value - b.value); }
  constexpr Traced& operator*=(const Traced& b) {
    return *this = vanishes() || b.vanishes() ? Traced(0.0) : with(b, value * b.value);
  }
  constexpr Traced& operator/=(const Traced& b) {
    return *this = vanishes() ? Traced(0.0) : with(b, value / b.value);
  }
  template <ConstantOf<Traced> A>
  constexpr Traced& operator+=(const A& a) {
    return *this += Traced(a);
  }
  template <ConstantOf<Traced> A>
  constexpr Traced& operator-=(const A& a) {
    return *this -= Traced(a);
  }
  template <ConstantOf<Traced> A>
  constexpr Traced& operator*=(const A& a) {
    return *this *= Traced(a);
  }
  template <ConstantOf<Traced> A>
  constexpr Traced& operator/=(const A& a) {
    return *this /= Traced(a);
  }

 private:
  constexpr bool vanishes() const { return from == 0 && value == 0; }
};

constexpr double value_of(const Traced& x) {
  if (x.trace && x.depends_on_time()) x.trace->time_seen = true;
  if (x.trace && !x.depends_on_time() && x.from != 0) x.trace->state_seen = true;
  return x.value;
}
constexpr bool is_constant(const Traced& x) {
  return x.from == 0;
}
inline bool isfinite(const Traced& x) {
  return std::isfinite(value_of(x));
}

// These see values without letting them out.
inline Traced abs(const Traced& x) {
  return x.with(std::abs(x.value));
}
inline Traced min(const Traced& a, const Traced& b) {
  return a.with(b, std::min(a.value, b.value));
}
inline Traced max(const Traced& a, const Traced& b) {
  return a.with(b, std::max(a.value, b.value));
}

inline Traced sin(const Traced& x) {
  return x.with(std::sin(x.value));
}
inline Traced cos(const Traced& x) {
  return x.with(std::cos(x.value));
}
inline SinCos<Traced> sin_cos(const Traced& x) {
  return {sin(x), cos(x)};
}
inline Traced tan(const Traced& x) {
  return x.with(std::tan(x.value));
}
inline Traced asin(const Traced& x) {
  return x.with(std::asin(x.value));
}
inline Traced acos(const Traced& x) {
  return x.with(std::acos(x.value));
}
inline Traced atan(const Traced& x) {
  return x.with(std::atan(x.value));
}
inline Traced atan2(const Traced& y, const Traced& x) {
  return y.with(x, std::atan2(y.value, x.value));
}
inline Traced sinh(const Traced& x) {
  return x.with(std::sinh(x.value));
}
inline Traced cosh(const Traced& x) {
  return x.with(std::cosh(x.value));
}
inline Traced tanh(const Traced& x) {
  return x.with(std::tanh(x.value));
}
inline Traced exp(const Traced& x) {
  return x.with(std::exp(x.value));
}
inline Traced log(const Traced& x) {
  return x.with(std::log(x.value));
}
inline Traced sqrt(const Traced& x) {
  return x.with(std::sqrt(x.value));
}
inline Traced cbrt(const Traced& x) {
  return x.with(std::cbrt(x.value));
}
inline Traced hypot(const Traced& x, const Traced& y) {
  return x.with(y, std::hypot(x.value, y.value));
}
inline Traced real_power(const Traced& x, double p) {
  return x.with(std::pow(x.value, p));
}
inline Traced variable_power(const Traced& x, const Traced& y) {
  return x.with(y, std::pow(x.value, y.value));
}
template <Arithmetic A>
inline Traced pow(A base, const Traced& y) {
  return y.with(std::pow(static_cast<double>(base), y.value));
}

}  // namespace driftless::autodiff
