// What operations make of the quantities of their operands (quantity.hpp), and which they refuse.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <driftless/mechanics/quantity.hpp>

namespace driftless::mechanics {

// An operand: its quantity, and its text for messages.
struct Operand {
  Quantity quantity;
  std::string text;
};

// What is wrong is thrown as a sentence of its own, which the reader puts behind the place.
class FormulaQuantities {
 public:
  struct Refused {
    std::string why;
  };
  explicit FormulaQuantities(const NamedQuantities* names) : names_(names) {}

  Quantity named(const std::string& name) const;
  // `constant`: the value of the bare operand; NaN: not a constant.
  Quantity product(const Operand& a, const Operand& b, double constant, bool divided) const;
  Quantity power(const Operand& base, const Operand& exponent, double value) const;  // NaN: not a constant
  // What is added, compared, or chosen from.
  Quantity same(const char* how, const Operand& a, const Operand& b) const;
  // What a function gives of its arguments.
  Quantity of_function(const std::string& function, std::span<const Operand> arguments) const;
  // The factor that makes the argument of sin, exp, .. a number: radians, where it is an angle. 1 for functions that take quantities.
  double argument_factor(const std::string& function, const Operand& argument) const;
  double angle_unit() const { return names_ ? names_->units.angle : 1; }  // of what asin and the like give
  void check_result(const Operand& value, const Dimension& expected) const;

  // How to write a unit of one letter; empty: the name is none.
  std::string spelling(const std::string& name) const;
  // Names that may stand in formulas besides variables: parameters, or those of units.
  std::vector<std::string> names(bool of_units) const;

 private:
  void refuse_two_angles(const Operand& a, const Operand& b) const;
  std::string described(const Quantity& quantity) const;
  Quantity::Exponents in_base(
      Quantity::Exponents e) const;  // as far as the units of the file are of one system
  bool fits(const Quantity& a, const Quantity& b) const;
  std::string force_hint(const Quantity& a, const Quantity& b) const;

  const NamedQuantities* names_;
};

}  // namespace driftless::mechanics
