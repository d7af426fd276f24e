// Quantity: what a formula knows of the unit of a number in it (docs/models.md has the rules as a table):
//   bare    5, or a parameter with that value: it is in the units of the file, and fits anything
//   pure    cos(..), a ratio of two lengths: a number without unit; fits anything, and leaves what it multiplies as it is
//   known   30*mm, t, pin.angle', a parameter with the value "30*mm"
//   open    5*pin.angle: the bare number may carry a unit, as a stiffness does; fits anything, and is an angle to sin and cos
#pragma once

#include <array>
#include <map>
#include <string>

#include <driftless/mechanics/units.hpp>

namespace driftless::mechanics {

struct Quantity {
  enum class Kind { bare, pure, known, open };
  using Exponents = std::array<double, 5>;  // of length, mass, time, angle, force; roots have fractions

  Kind kind = Kind::bare;
  Exponents exponents{};
  bool unit = false;   // made of names of units and bare numbers: 30*mm
  bool clock = false;  // t is in it
  double factor = 1;   // what bare numbers multiplied an open one by; NaN: not a constant

  static Quantity pure() { return {.kind = Kind::pure}; }
  static Quantity of(const Dimension& d);  // known; stretch and effort must be resolved
  static Quantity unit_of(const Dimension& d);
};

// "mm/s", "N mm", "1"; `names` of the units: "length": "mm", all five.
std::string unit_text(const Dimension& d, const std::map<std::string, std::string>& names);

// What the names in formulas are, in which units; names that are not there are bare.
struct NamedQuantities {
  Units units = {};
  std::map<std::string, std::string> unit_names = {};  // "length": "mm", all five
  std::map<std::string, Quantity> of = {};
};

}  // namespace driftless::mechanics
