// Expression: a formula given as text, for forces and prescribed motions. It is parsed once and then evaluated on any
// scalar, so that its derivatives are exact.
//
//   const auto f = Expression::parse("2*k*(crank.angle - 0.3) + c*crank.angle'",
//                                    {.variables = {"t", "crank.angle", "crank.angle'"}, .constants = {{"k", 5}, {"c", 0.1}}});
//   const double force = f.evaluate<double>(values);   // values[1]: crank.angle
//
//   numbers      1  .5  1e-3;  pi, e
//   names        letters, digits, underscores and dots after a letter; with one apostrophe, x', another name: the rate of x
//   operators    + - * / ^    a^b^c = a^(b^c), -x^2 = -(x^2)
//   functions    sin cos tan asin acos atan atan2(y, x) sinh cosh tanh exp log (natural, also ln) log10 sqrt cbrt abs sign
//                min(a, b) max(a, b) pow(a, b) hypot(a, b)
//                step(x, x0, y0, x1, y1) = y0 + (y1 - y0) (3 s^2 - 2 s^3), s = (x - x0)/(x1 - x0); constant outside
//   units        angles are radians where Names gives no quantities; see there
//   cases        if(condition, a, b) with < <= > >= == != and or not;  a condition is not a number
//
// No value (division by 0, log of 0, sqrt of -1) is NaN whatever is done with it; an overflow is infinite, as usual. What
// is not taken is not seen: of `if` the other branch, of `and` and `or` the right side where the left one decides.
// Derivatives: abs, sign, min, max and if are those of the piece that the value lies on; where a function has a value but
// no derivative (sqrt at 0) they are not finite, unless the argument has no derivative either (sqrt(max(x, 0)) at x = -1).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <driftless/autodiff/operators.hpp>
#include <driftless/mechanics/quantity.hpp>

namespace driftless::mechanics {

class Expression {
 public:
  // What may stand in the text. Variables are numbered as they stand here and come before constants of the same name, both
  // before pi and e; `not` can be no name.
  struct Names {
    std::vector<std::string> variables = {};
    std::map<std::string, double> constants = {};
    // Their units; none: all numbers are bare. With units, quantities that do not go together are refused, and sin, cos and
    // their inverses take and give angles in the unit of angles.
    const NamedQuantities* quantities = nullptr;
    std::optional<Dimension> gives = {};  // what the value must be
  };
  static constexpr int nesting_limit = 200;  // parentheses, signs and powers within each other
  static constexpr int node_limit = 10000;   // numbers, names and operations, after constants are folded
  static constexpr int waiting_limit = 64;   // results that wait for their operation at the same time

  Expression() : Expression("0", {Node{Operation::constant}}, {Range{0, 1}}) {}
  static Expression parse(const std::string& text, const Names& names);  // throws InputError
  static Expression constant_of(double value);

  const std::string& text() const { return text_; }
  const std::vector<int>& variables() const { return variables_; }  // that it really uses, ascending
  std::optional<double> constant() const;                           // its value if it depends on no variable
  const Quantity& quantity() const { return quantity_; }            // of its value

  template <class T>
  T evaluate(std::span<const T> variables) const;

  // Which way each of its cases goes there (if, abs, sign, min, max, step, comparisons), as one number: between two arguments with the same
  // number the formula is smooth, but for poles and roots. 0: it has no cases.
  std::uint64_t branches(std::span<const double> variables) const;

  // After a value that is not finite: what is to blame, with which argument, as one phrase ("sqrt of -0.25 in 'sqrt(x)'");
  // empty where the value is finite.
  std::string fault(std::span<const double> variables) const;

 private:
  // clang-format off
  enum class Operation : std::uint8_t {
    constant, variable, no_value,                         // no_value: while parsing only, where a constant has none
    sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, log, log10, sqrt, cbrt, abs, sign, negation,
    shift, scale, divide_by, subtract_from, raise_to,     // x + c, c x, x / c, c - x, x^c: cheaper than c as a T
    add, subtract, multiply, divide, power, atan2, hypot, minimum, maximum,
    less, at_most, greater, at_least, equal, unequal, both, either,
    choice, step
  };
  // clang-format on
  struct Node {
    Operation operation;
    int variable = 0;
    double value = 0;  // of a constant
  };
  struct Range {  // of the text
    std::size_t begin, end;
  };
  // Left without values: clearing 64 jets of duals would cost more than most expressions.
  template <class T>
  union Waiting {
    Waiting() {}
    T values[waiting_limit];
  };
  class Parser;
  static std::string function_name(Operation operation);

  Expression(std::string text, std::vector<Node> nodes, std::vector<Range> ranges,
             const Quantity& quantity = {});

  static int arguments(Operation operation);
  static double on_numbers(Operation operation, double a, double b);
  // The C library has NaN^0 = 1 = 1^NaN.
  static bool power_has_none(double x, double y) {
    return std::isnan(x) || std::isnan(y) || (x == 0 && y < 0);
  }
  static std::string blame(const Node& node, std::span<const double> arguments, const std::string& text);
  // One node: `top` is one past the last waiting value, before and in what is returned.
  template <class T>
  static T* execute(const Node& node, T* top, std::span<const T> variables);
  template <class T>
  static T function(Operation operation, const T& x);
  template <class T>
  static T raised(const T& x, double exponent);
  template <class T>
  static T smooth_step(const T& x, const T& x0, const T& y0, const T& x1, const T& y1);

  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  std::string text_;
  std::vector<Node> nodes_;  // in postfix order
  std::vector<Range> ranges_;
  std::vector<int> variables_;
  Quantity quantity_;
};

template <class T>
T Expression::evaluate(std::span<const T> variables) const {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  Waiting<T> waiting;
  T* top = waiting.values;
  for (const Node& node : nodes_) top = execute(node, top, variables);
  return top[-1];
}

template <class T>
T* Expression::execute(const Node& node, T* top, std::span<const T> variables) {
  using autodiff::Differential, autodiff::is_constant, autodiff::value_of, autodiff::atan2, autodiff::hypot,
      autodiff::pow;
  const Operation operation = node.operation;
  if (operation == Operation::constant) return std::construct_at(top, node.value) + 1;
  if (operation == Operation::variable) return std::construct_at(top, variables[node.variable]) + 1;

  T& x = top[-1];
  if (operation < Operation::shift) {
    // Not only cheaper: the chain rule would multiply a slope that may be infinite by 0.
    const bool number = is_constant(x);
    if constexpr (Differential<T>)
      if (!number) return x = function(operation, x), top;
    return x = T(on_numbers(operation, value_of(x), 0)), top;
  }
  switch (operation) {
    case Operation::shift:
      return x += node.value, top;
    case Operation::scale:
      return x *= node.value, top;
    case Operation::divide_by:
      return x /= node.value, top;
    case Operation::subtract_from:
      return x = node.value - x, top;
    case Operation::raise_to:
      return x = raised(x, node.value), top;
    case Operation::choice: {
      const double condition = value_of(top[-3]);
      if (std::isnan(condition))
        x *= none;
      else if (condition != 0)
        x = top[-2];
      return top[-3] = x, top - 2;
    }
    case Operation::step:
      return top[-5] = smooth_step(top[-5], top[-4], top[-3], top[-2], x), top - 4;
    default:
      break;
  }
  T& a = top[-2];
  const T& b = x;
  --top;
  switch (operation) {
    case Operation::add:
      return a += b, top;
    case Operation::subtract:
      return a -= b, top;
    case Operation::multiply:
      return a *= b, top;
    case Operation::divide:
      if (value_of(b) == 0) return a *= none, top;
      return a /= b, top;
    case Operation::minimum:
      if (value_of(b) < value_of(a) || std::isnan(value_of(b))) a = b;
      return top;
    case Operation::maximum:
      if (value_of(b) > value_of(a) || std::isnan(value_of(b))) a = b;
      return top;
    default:
      break;
  }
  if constexpr (Differential<T>) {
    if (operation < Operation::less && !(is_constant(a) && is_constant(b))) {
      if (operation == Operation::atan2) return a = atan2(a, b), top;
      if (operation == Operation::hypot) return a = hypot(a, b), top;
      if (is_constant(b)) return a = raised(a, value_of(b)), top;
      if (power_has_none(value_of(a), value_of(b))) return a *= none, top;
      return a = pow(a, b), top;
    }
  }
  return a = T(on_numbers(operation, value_of(a), value_of(b))), top;
}

// On scalars with derivatives; numbers go to on_numbers.
template <class T>
T Expression::function(Operation operation, const T& x) {
  using autodiff::value_of;
  switch (operation) {
    case Operation::sin:
      return sin(x);
    case Operation::cos:
      return cos(x);
    case Operation::tan:
      return tan(x);
    case Operation::asin:
      return asin(x);
    case Operation::acos:
      return acos(x);
    case Operation::atan:
      return atan(x);
    case Operation::sinh:
      return sinh(x);
    case Operation::cosh:
      return cosh(x);
    case Operation::tanh:
      return tanh(x);
    case Operation::exp:
      return exp(x);
    case Operation::sqrt:
      return sqrt(x);
    case Operation::cbrt:
      return cbrt(x);
    case Operation::abs:
      return abs(x);
    case Operation::log:
    case Operation::log10: {
      if (value_of(x) == 0) return x * none;
      if (operation == Operation::log) return log(x);
      T y = log(x) * (1 / std::log(10.0));
      // By a last digit, so that log10(1000) is 3 as it is on numbers.
      if (std::isfinite(value_of(y))) y += on_numbers(operation, value_of(x), 0) - value_of(y);
      return y;
    }
    default:
      return T(on_numbers(operation, value_of(x), 0));  // sign
  }
}

template <class T>
T Expression::raised(const T& x, double exponent) {
  using autodiff::value_of, autodiff::is_constant;
  if constexpr (!autodiff::Differential<T>) {
    return on_numbers(Operation::power, x, exponent);
  } else {
    using autodiff::detail::whole_power;
    constexpr double largest = 1e9;
    const bool zero = value_of(x) == 0;
    if (power_has_none(value_of(x), exponent)) return x * none;
    if (exponent == std::trunc(exponent) && std::abs(exponent) <= largest)
      return whole_power(x, static_cast<long long>(exponent));
    // n < exponent < n + 1: at 0 the first n derivatives are 0 and the others infinite. x^(n+1) has exactly those others.
    if (zero && is_constant(whole_power(x, 1 + static_cast<long long>(std::min(exponent, largest)))))
      return T(0);
    return pow(x, exponent);
  }
}

template <class T>
T Expression::smooth_step(const T& x, const T& x0, const T& y0, const T& x1, const T& y1) {
  using autodiff::value_of;
  if (!(value_of(x0) < value_of(x1))) return x * none;
  if (value_of(x) <= value_of(x0)) return y0;
  if (value_of(x) >= value_of(x1)) return y1;
  const T s = (x - x0) / (x1 - x0);
  return y0 + (y1 - y0) * (s * s * (3.0 - 2.0 * s));
}

}  // namespace driftless::mechanics
