// What an expression is worth where it is evaluated on numbers, and which part of it is to blame where that is nothing.
#include <driftless/mechanics/expression.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "shown_text.hpp"

namespace driftless::mechanics {

// clang-format off
double Expression::on_numbers(Operation operation, double a, double b) {
  using O = Operation;
  const auto truth = [&](bool value) { return std::isnan(a) || std::isnan(b) ? none : value ? 1.0 : 0.0; };
  switch (operation) {
    case O::sin: return std::sin(a);
    case O::cos: return std::cos(a);
    case O::tan: return std::tan(a);
    case O::asin: return std::asin(a);
    case O::acos: return std::acos(a);
    case O::atan: return std::atan(a);
    case O::sinh: return std::sinh(a);
    case O::cosh: return std::cosh(a);
    case O::tanh: return std::tanh(a);
    case O::exp: return std::exp(a);
    case O::log: return a == 0 ? none : std::log(a);
    case O::log10: return a == 0 ? none : std::log10(a);
    case O::sqrt: return std::sqrt(a);
    case O::cbrt: return std::cbrt(a);
    case O::abs: return std::abs(a);
    case O::sign: return a > 0 ? 1 : a < 0 ? -1 : a;
    case O::power: return power_has_none(a, b) ? none : std::pow(a, b);
    case O::atan2: return std::atan2(a, b);
    case O::hypot: return std::hypot(a, b);
    case O::negation: return truth(a == 0);
    case O::less: return truth(a < b);
    case O::at_most: return truth(a <= b);
    case O::greater: return truth(a > b);
    case O::at_least: return truth(a >= b);
    case O::equal: return truth(a == b);
    case O::unequal: return truth(a != b);
    case O::both: return a == 0 ? 0 : truth(b != 0);
    case O::either: return a == 1 ? 1 : truth(b != 0);
    default: return none;
  }
}

std::string Expression::blame(const Node& node, std::span<const double> arguments, const std::string& text) {
  using O = Operation;
  const double a = arguments[0] + 0.0, b = (arguments.size() > 1 ? arguments[1] : node.value) + 0.0;  // -0 becomes 0
  std::string what;
  switch (node.operation) {
    case O::variable: return fmt::format("the value {} of {}", a, text);
    case O::shift: case O::add: what = fmt::format("{} plus {}", a, b); break;
    case O::subtract_from: what = fmt::format("{} minus {}", b, a); break;
    case O::subtract: what = fmt::format("{} minus {}", a, b); break;
    case O::scale: case O::multiply: what = fmt::format("{} times {}", a, b); break;
    case O::divide_by: case O::divide: what = b == 0 ? "division by 0" : fmt::format("{} divided by {}", a, b); break;
    case O::raise_to: case O::power: what = fmt::format("{} to the power {}", a, b); break;
    case O::hypot: what = fmt::format("hypot of {} and {}", a, b); break;
    case O::step:
      what = b < arguments[3] ? fmt::format("step at {}", a) : fmt::format("step from x0 = {} to x1 = {}", b, arguments[3]);
      break;
    default: what = fmt::format("{} of {}", function_name(node.operation), a);
  }
  return fmt::format("{} in '{}'", what, text);
}
// clang-format on

Expression::Expression(std::string text, std::vector<Node> nodes, std::vector<Range> ranges,
                       const Quantity& quantity)
    : text_(std::move(text)), nodes_(std::move(nodes)), ranges_(std::move(ranges)), quantity_(quantity) {
  for (const Node& node : nodes_)
    if (node.operation == Operation::variable) variables_.push_back(node.variable);
  std::sort(variables_.begin(), variables_.end());
  variables_.erase(std::unique(variables_.begin(), variables_.end()), variables_.end());
}

Expression Expression::constant_of(double value) {
  std::string text = fmt::format("{}", value);
  const std::size_t length = text.size();
  return Expression(std::move(text), {Node{Operation::constant, 0, value}}, {Range{0, length}});
}

std::optional<double> Expression::constant() const {
  if (nodes_[0].operation != Operation::constant || nodes_.size() > 1) return std::nullopt;
  return nodes_[0].value;
}

int Expression::arguments(Operation operation) {
  if (operation == Operation::step) return 5;
  if (operation == Operation::choice) return 3;
  return operation >= Operation::add ? 2 : operation >= Operation::sin ? 1 : 0;
}

std::uint64_t Expression::branches(std::span<const double> variables) const {
  using O = Operation;
  Waiting<double> waiting;
  double* top = waiting.values;
  std::uint64_t all = 0;
  for (const Node& node : nodes_) {
    std::uint64_t way = 0;
    const O operation = node.operation;
    if (operation == O::abs || operation == O::sign)
      way = top[-1] < 0 ? 1 : top[-1] > 0 ? 2 : 3;
    else if (operation == O::minimum || operation == O::maximum)
      way = top[-1] < top[-2] ? 1 : 2;
    else if (operation >= O::less && operation <= O::unequal)
      way = on_numbers(operation, top[-2], top[-1]) != 0 ? 1 : 2;
    else if (operation == O::step)
      way = top[-5] <= top[-4] ? 1 : top[-5] >= top[-2] ? 2 : 3;
    if (way != 0) all = (all ^ way) * 1099511628211u;
    top = execute(node, top, variables);
  }
  return all;
}

// Down from the root, always into an argument that is not finite and is really used.
std::string Expression::fault(std::span<const double> variables) const {
  std::vector<double> values, waiting(waiting_limit);
  std::vector<std::vector<std::size_t>> operands;
  std::vector<std::size_t> open;
  double* top = waiting.data();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    top = execute(nodes_[i], top, variables);
    values.push_back(top[-1]);
    const auto first = open.end() - arguments(nodes_[i].operation);
    operands.emplace_back(first, open.end());
    open.erase(first, open.end());
    open.push_back(i);
  }
  if (std::isfinite(values.back())) return {};
  for (std::size_t node = nodes_.size() - 1;;) {
    std::vector<double> numbers;
    for (const std::size_t operand : operands[node]) numbers.push_back(values[operand]);
    const auto used = [&](std::size_t i) {
      const Operation operation = nodes_[node].operation;
      if (operation == Operation::choice && i > 0) return i == (numbers[0] != 0 ? 1U : 2U);
      if (operation == Operation::step && i == 2) return !(numbers[0] >= numbers[3]);
      return true;
    };
    std::size_t guilty = 0;
    while (guilty < numbers.size() && (std::isfinite(numbers[guilty]) || !used(guilty))) ++guilty;
    if (guilty < numbers.size()) {
      node = operands[node][guilty];
      continue;
    }
    if (numbers.empty()) numbers.push_back(values[node]);
    const auto [begin, end] = ranges_[node];
    const std::string what =
        blame(nodes_[node], numbers, shown(std::string_view(text_).substr(begin, end - begin)));
    const bool overflow = std::isinf(values[node]) && nodes_[node].operation != Operation::variable;
    return overflow ? what + " is beyond the largest number (1.8e308)" : what;
  }
}

}  // namespace driftless::mechanics
