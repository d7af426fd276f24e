// Force laws: how hard a force element pushes along its measure y (a torque, where y is an angle), positive where it would make y grow.
//   SpringLaw       -stiffness (y - rest) - damping y' - preload, or with curves:  -elastic(y - rest) - dashpot(y')
//   PdLaw           proportional (target(t) - y) + derivative (target'(t) - y')
//   ExpressionLaw   a formula in t, parameters and joint coordinates and their rates
//   UserLaw         a function of t, y and y' in C++, written for any scalar
// Springs have an energy; what they dissipate and what the others do is power.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include <driftless/autodiff/dual.hpp>
#include <driftless/autodiff/jet_functions.hpp>
#include <driftless/mechanics/motion.hpp>

namespace driftless::mechanics {

struct SpringLaw {
  double stiffness = 0, damping = 0, rest = 0, preload = 0;
  std::optional<Table> elastic = {}, dashpot = {};

  template <class T>
  T pull(const T& y) const {
    const T stretch = y - rest;
    return elastic ? T(elastic->value(stretch) + preload) : T(stiffness * stretch + preload);
  }
  template <class T>
  T drag(const T& rate) const {
    return dashpot ? dashpot->value(rate) : T(damping * rate);
  }
  template <class T>
  T force(const T&, const T& y, const T& rate, std::span<const T>) const {
    return -pull(y) - drag(rate);
  }
  template <class T>
  T energy(const T& y) const {
    const T stretch = y - rest;
    return elastic ? T(elastic->antiderivative(stretch) - elastic->antiderivative(0.0) + preload * stretch)
                   : T((stiffness / 2 * stretch + preload) * stretch);
  }
  bool dissipates() const { return dashpot || damping != 0; }
};

struct PdLaw {
  double proportional = 0, derivative = 0;
  Motion target{0.0};

  template <class T>
  T force(const T& t, const T& y, const T& rate, std::span<const T>) const {
    // The target is a function of time alone: what depends on t beyond its rate is not asked for.
    const auto goal = target.value(autodiff::Jet<2>::variable(autodiff::value_of(t)));
    const T ahead = t - autodiff::value_of(t);
    const T place = goal.derivative(0) + goal.derivative(1) * ahead,
            speed = goal.derivative(1) + goal.derivative(2) * ahead;
    return proportional * (place - y) + derivative * (speed - rate);
  }
};

struct ExpressionLaw {
  Expression expression;         // of t and, in this order, the value and the rate of each input
  std::vector<int> inputs = {};  // measures
  // Where it is written in units of its own, what they are in SI: of t, of each value and rate, and of what it gives.
  std::vector<double> units = {};

  // t and the inputs as the expression has them.
  template <class T>
  void arguments(const T& t, std::span<const T> given, std::span<T> all) const {
    all[0] = t;
    std::copy(given.begin(), given.end(), all.begin() + 1);
    if (units.empty()) return;
    for (std::size_t i = 0; i <= given.size(); ++i) all[i] = all[i] / units[i];
  }
  template <class T>
  T force(const T& t, const T&, const T&, std::span<const T> given) const {
    std::array<T, 1 + 2 * most_inputs> all;
    arguments(t, given, std::span<T>(all));
    const T own = expression.evaluate<T>(std::span<const T>(all.data(), given.size() + 1));
    return units.empty() ? own : T(units.back() * own);
  }
  static constexpr std::size_t most_inputs = 8;
};

struct UserLaw {
  using Number = autodiff::Dual<3>;
  std::function<Number(Number t, Number y, Number rate)> law;

  template <class T>
  T force(const T& t, const T& y, const T& rate, std::span<const T>) const {
    using autodiff::value_of;
    const Number f = law(Number::variable(value_of(t), 0), Number::variable(value_of(y), 1),
                         Number::variable(value_of(rate), 2));
    if constexpr (std::is_same_v<T, double>) {
      return f.value;
    } else {
      return f.value + f.grad[0] * (t - value_of(t)) + f.grad[1] * (y - value_of(y)) +
             f.grad[2] * (rate - value_of(rate));
    }
  }
};

using ForceLaw = std::variant<SpringLaw, PdLaw, ExpressionLaw, UserLaw>;

}  // namespace driftless::mechanics
