// Motion: how something is to move, as a function of time: an expression in t, or a table with smooth interpolation.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include <driftless/mechanics/expression.hpp>
#include <driftless/mechanics/table.hpp>

namespace driftless::mechanics {

class Motion {
 public:
  explicit Motion(const std::string& expression_in_t, const std::map<std::string, double>& parameters = {})
      : of_t_(Expression::parse(expression_in_t, {.variables = {"t"}, .constants = parameters})) {}
  explicit Motion(double constant) : of_t_(constant) {}
  explicit Motion(Table table) : of_t_(std::move(table)) {}

  template <class T>
  T value(const T& t) const {
    if (const auto* constant = std::get_if<double>(&of_t_)) return T(*constant);
    if (const auto* table = std::get_if<Table>(&of_t_)) return table->value(t);
    return std::get<Expression>(of_t_).evaluate<T>(std::span<const T>(&t, 1));
  }

  // Why it has no value at t, as Expression::fault() says it; empty: it has one.
  std::string fault(double t) const {
    const auto* expression = std::get_if<Expression>(&of_t_);
    return expression ? expression->fault(std::span<const double>(&t, 1)) : std::string();
  }

 private:
  std::variant<double, Expression, Table> of_t_;
};

}  // namespace driftless::mechanics
