// Motion: how something is to move, as a function of time: an expression in t, or a table, whose points a quintic spline connects:
// accelerations are made of its second derivative (table.hpp).
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
      : Motion(Expression::parse(expression_in_t, {.variables = {"t"}, .constants = parameters}), 1, 1) {}
  // Units that it is written in: of t, and of what it gives.
  Motion(Expression in_t, double time_unit, double unit)
      : of_t_(std::move(in_t)), time_unit_(time_unit), unit_(unit) {}
  explicit Motion(double constant) : of_t_(constant) {}
  explicit Motion(const Table& table) : of_t_(table.for_motion()) {}

  template <class T>
  T value(const T& t) const {
    if (const auto* constant = std::get_if<double>(&of_t_)) return T(*constant);
    if (const auto* table = std::get_if<Table>(&of_t_)) return table->value(t);
    const T own = t / time_unit_;
    return unit_ * std::get<Expression>(of_t_).evaluate<T>(std::span<const T>(&own, 1));
  }

  // The formula; empty: it is given otherwise.
  std::string text() const {
    const auto* expression = std::get_if<Expression>(&of_t_);
    return expression ? expression->text() : std::string();
  }

  // Why it has no value at t, as Expression::fault() says it; empty: it has one.
  std::string fault(double t) const {
    const auto* expression = std::get_if<Expression>(&of_t_);
    const double own = t / time_unit_;
    return expression ? expression->fault(std::span<const double>(&own, 1)) : std::string();
  }

 private:
  std::variant<double, Expression, Table> of_t_;
  double time_unit_ = 1, unit_ = 1;
};

}  // namespace driftless::mechanics
