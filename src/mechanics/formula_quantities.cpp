#include "formula_quantities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace driftless::mechanics {

namespace {

using Kind = Quantity::Kind;
using Exponents = Quantity::Exponents;

constexpr std::size_t length = 0, mass = 1, time = 2, angle_entry = 3, force = 4;
constexpr const char* kinds[] = {"length", "mass", "time", "angle", "force"};

bool near(double a, double b) {
  return std::abs(a - b) < 1e-9;
}
bool same_exponents(const Exponents& a, const Exponents& b) {
  return std::equal(a.begin(), a.end(), b.begin(), near);
}
bool none(const Exponents& e) {
  return same_exponents(e, {});
}
bool is_number(const Quantity& q) {
  return q.kind == Kind::bare || q.kind == Kind::pure;
}
// t, t^2, and so on: counted in units of time, they may stand where a number is expected.
bool counts_time(const Quantity& q) {
  Exponents rest = q.exponents;
  rest[time] = 0;
  return q.kind == Kind::known && q.clock && none(rest);
}

// Seconds have no name in formulas, so that rates are often written without: 30*deg for 30 degrees in each unit of time,
// and 20*rpm*0.5 for what turns in half of one.
bool may_lack_time(const Quantity& q, double lacking) {
  return q.unit && (lacking < 0 ? near(q.exponents[time], 0) : near(q.exponents[time], -lacking));
}

bool takes_number(const std::string& function) {
  static const std::set<std::string> others = {"sqrt",  "cbrt",  "abs",  "sign", "min", "max",
                                               "hypot", "atan2", "step", "if",   "pow"};
  return !others.contains(function);
}

Exponents exponents_of(const Dimension& d) {
  return {double(d.length), double(d.mass), double(d.time), double(d.angle), double(d.force)};
}

// Quantities that have a name.
const std::pair<const char*, Exponents> named_quantities[] = {
    {"a length", {1, 0, 0, 0, 0}},         {"a mass", {0, 1, 0, 0, 0}},
    {"a time", {0, 0, 1, 0, 0}},           {"an angle", {0, 0, 0, 1, 0}},
    {"a force", {0, 0, 0, 0, 1}},          {"a torque", {1, 0, 0, 0, 1}},
    {"a speed", {1, 0, -1, 0, 0}},         {"a rate of turning", {0, 0, -1, 1, 0}},
    {"an acceleration", {1, 0, -2, 0, 0}}, {"a stiffness", {-1, 0, 0, 0, 1}},
    {"a damping", {-1, 0, 1, 0, 1}},       {"an area", {2, 0, 0, 0, 0}},
    {"a volume", {3, 0, 0, 0, 0}},         {"a density", {-3, 1, 0, 0, 0}},
    {"a pressure", {-2, 0, 0, 0, 1}},      {"a moment of inertia", {2, 1, 0, 0, 0}}};

std::string unit_text(const Exponents& e, const std::map<std::string, std::string>& names) {
  std::string over, under;
  for (const std::size_t i : {force, mass, length, angle_entry, time}) {
    if (near(e[i], 0)) continue;
    std::string& to = e[i] > 0 ? over : under;
    to += (to.empty() ? "" : " ") + names.at(kinds[i]);
    if (!near(std::abs(e[i]), 1)) to += fmt::format("^{:.3g}", std::abs(e[i]));
  }
  return (over.empty() ? "1" : over) + (under.empty() ? "" : "/" + under);
}

}  // namespace

std::string unit_text(const Dimension& d, const std::map<std::string, std::string>& names) {
  return unit_text(exponents_of(d), names);
}

Quantity Quantity::of(const Dimension& d) {
  return {.kind = Kind::known, .exponents = exponents_of(d)};
}

Quantity Quantity::unit_of(const Dimension& d) {
  Quantity q = of(d);
  q.unit = true;
  return q;
}

Quantity FormulaQuantities::named(const std::string& name) const {
  if (!names_) return {};
  const auto found = names_->of.find(name);
  return found == names_->of.end() ? Quantity{} : found->second;
}

std::string FormulaQuantities::described(const Quantity& q) const {
  const std::string unit = unit_text(q.exponents, names_->unit_names);
  for (const auto& [name, exponents] : named_quantities)
    if (same_exponents(exponents, q.exponents)) return fmt::format("{} ({})", name, unit);
  return fmt::format("a quantity in {}", unit);
}

// 1 N is 1 kg m/s^2, and is not 1 kg mm/s^2.
Exponents FormulaQuantities::in_base(Exponents e) const {
  const Units& u = names_->units;
  const double made = u.mass * u.length / (u.time * u.time);
  if (std::abs(made - u.force) < 1e-9 * u.force) {
    e[mass] += e[force], e[length] += e[force], e[time] -= 2 * e[force];
    e[force] = 0;
  }
  if (u.angle == 1) e[angle_entry] = 0;  // the radian is no unit: the radius times an angle is a length
  return e;
}

bool FormulaQuantities::fits(const Quantity& a, const Quantity& b) const {
  return same_exponents(in_base(a.exponents), in_base(b.exponents));
}

std::string FormulaQuantities::force_hint(const Quantity& a, const Quantity& b) const {
  const auto whole = [](Exponents e) {
    e[mass] += e[force], e[length] += e[force], e[time] -= 2 * e[force];
    e[force] = e[angle_entry] = 0;
    return e;
  };
  if (!same_exponents(whole(a.exponents), whole(b.exponents))) return "";
  const Units& u = names_->units;
  if (near(a.exponents[force], b.exponents[force])) return "; divide an angle by rad to make it a number";
  return fmt::format("; 1 {} is {:.6g} {} in this file", names_->unit_names.at("force"),
                     u.force * u.time * u.time / (u.mass * u.length),
                     unit_text(Exponents{1, 1, -2, 0, 0}, names_->unit_names));
}

Quantity FormulaQuantities::product(const Operand& a, const Operand& b, double constant, bool divided) const {
  const Quantity &x = a.quantity, &y = b.quantity;
  if (is_number(x) && is_number(y))
    return x.kind == Kind::bare || y.kind == Kind::bare ? Quantity{} : Quantity::pure();
  if (!divided && angle_unit() != 1) refuse_two_angles(a, b);
  Quantity q{.kind = Kind::known, .clock = x.clock || y.clock};
  for (std::size_t i = 0; i < q.exponents.size(); ++i)
    q.exponents[i] = x.exponents[i] + (divided ? -y.exponents[i] : y.exponents[i]);
  const bool bare = x.kind == Kind::bare || y.kind == Kind::bare;
  const Quantity& other = is_number(x) ? y : x;
  if (x.kind == Kind::open || y.kind == Kind::open) {
    q.kind = Kind::open;
    q.factor = x.factor * y.factor;
  } else if (bare && other.unit && !(divided && x.kind == Kind::bare)) {
    q.unit = true;
    return q;
  } else if (bare) {
    q.kind = Kind::open;
  } else if (x.unit && y.unit) {
    q.unit = true;
  } else if ((x.unit && y.clock) || (y.unit && x.clock)) {
    // 30*deg*t: so much in each unit of time.
    if (q.exponents[time] > 0) q.kind = Kind::open;
  }
  if (q.kind == Kind::known && none(q.exponents)) return Quantity::pure();
  if (bare && q.kind == Kind::open) {
    if (x.kind == Kind::bare && divided)
      q.factor = std::numeric_limits<double>::quiet_NaN();
    else
      q.factor *= divided ? 1 / constant : constant;
    // An angle in degrees that is multiplied by 180/pi came from a function that once gave radians.
    const double unit = angle_unit();
    if (unit != 1 && near(q.exponents[angle_entry], 1) && std::abs(q.factor * unit - 1) < 1e-4)
      throw Refused{fmt::format(
          "'{}' is {} already, and is converted to {} by hand; leave the factor {:.6g} out",
          is_number(x) ? b.text : a.text, described(other), names_->unit_names.at("angle"), q.factor)};
  }
  return q;
}

// asin(x)*rad: what asin gives was a number of radians once.
void FormulaQuantities::refuse_two_angles(const Operand& a, const Operand& b) const {
  const Exponents angle = exponents_of({.angle = 1});
  const auto is_angle = [&](const Operand& o, bool unit) {
    return o.quantity.kind == Kind::known && o.quantity.unit == unit &&
           same_exponents(o.quantity.exponents, angle);
  };
  for (const auto& [own, unit] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (is_angle(*own, false) && is_angle(*unit, true))
      throw Refused{fmt::format("'{}' is {} already; leave the factor '{}' out", own->text,
                                described(own->quantity), unit->text)};
}

Quantity FormulaQuantities::power(const Operand& base, const Operand& exponent, double value) const {
  const Quantity &x = base.quantity, &n = exponent.quantity;
  if (n.kind == Kind::known && !counts_time(n) && !none(in_base(n.exponents)))
    throw Refused{
        fmt::format("'{}' is an exponent, and {}; give a number without unit", exponent.text, described(n))};
  if (is_number(x)) return x;
  Quantity q = x;
  q.factor = std::pow(x.factor, value);
  if (std::isfinite(value)) {
    for (double& e : q.exponents) e *= value;
  } else if (x.kind == Kind::known && !counts_time(x)) {
    throw Refused{
        fmt::format("'{}' is {}, and its exponent '{}' is not constant; give a constant exponent, or "
                    "divide it by a unit such as mm",
                    base.text, described(x), exponent.text)};
  } else {
    q = Quantity{};
  }
  if (q.kind == Kind::known && none(q.exponents)) return Quantity::pure();
  return q;
}

Quantity FormulaQuantities::same(const char* how, const Operand& a, const Operand& b) const {
  const Quantity &x = a.quantity, &y = b.quantity;
  if (is_number(x) && is_number(y))
    return x.kind == Kind::bare || y.kind == Kind::bare ? Quantity{} : Quantity::pure();
  if (x.kind == Kind::known && y.kind == Kind::known) {
    if (!fits(x, y))
      throw Refused{fmt::format(
          "'{}' is {} and '{}' is {}, and they are {}; make both the same quantity, or one a plain number{}",
          a.text, described(x), b.text, described(y), how, force_hint(x, y))};
    Quantity q = x;
    q.unit = x.unit && y.unit, q.clock = x.clock || y.clock;
    return q;
  }
  const bool angle_first = near(x.exponents[angle_entry], 1);
  Quantity q =
      is_number(x) || (!is_number(y) && x.kind == Kind::open && (y.kind == Kind::known || !angle_first)) ? y
                                                                                                         : x;
  q.factor = 1;
  q.clock = x.clock || y.clock;
  return q;
}

double FormulaQuantities::argument_factor(const std::string& function, const Operand& argument) const {
  if (!takes_number(function)) return 1;
  const bool trigonometric = function == "sin" || function == "cos" || function == "tan";
  const Quantity& q = argument.quantity;
  if (is_number(q) || counts_time(q)) return 1;
  const double unit = angle_unit();
  const char* takes = trigonometric ? "an angle or a number" : "a number without unit";
  if (q.kind == Kind::known) {
    Exponents rest = in_base(q.exponents);
    rest[angle_entry] = 0;
    if (may_lack_time(q, 1)) rest[time] = 0;
    const double angle = q.exponents[angle_entry];
    if (none(rest) && near(angle, 0)) return 1;
    if (none(rest) && near(angle, 1) && (trigonometric || unit == 1)) return unit;
    const std::string by = none(rest) && near(angle, 1)
                               ? "rad or deg, as is meant"
                               : "a quantity in " + unit_text(q.exponents, names_->unit_names);
    throw Refused{fmt::format("{} takes {}, and '{}' is {}; divide it by {}", function, takes, argument.text,
                              described(q), by)};
  }
  // A plain number times an angle, or times something else that the number's unit undoes.
  const double angle = q.exponents[angle_entry];
  if (unit == 1 || angle <= 0 || near(angle, 0)) return 1;
  if (!trigonometric)
    throw Refused{
        fmt::format("{} takes {}, and an angle stands in '{}'; divide the angle by rad or deg, as is meant",
                    function, takes, argument.text)};
  if (std::abs(q.factor / unit - 1) < 1e-4)
    throw Refused{
        fmt::format("{} takes angles in {}, the unit of the file, and '{}' is converted to radians by hand; "
                    "leave the factor "
                    "{:.6g} out",
                    function, names_->unit_names.at("angle"), argument.text, q.factor)};
  if (near(angle, 1)) return unit;
  throw Refused{
      fmt::format("{} takes {}, and in '{}' angles are multiplied by each other; divide angles by rad or "
                  "deg, as is meant",
                  function, takes, argument.text)};
}

Quantity FormulaQuantities::of_function(const std::string& function, std::span<const Operand> all) const {
  const Quantity angle = names_ ? Quantity::of({.angle = 1}) : Quantity::pure();
  if (function == "sqrt") return power(all[0], {}, 1.0 / 2);
  if (function == "cbrt") return power(all[0], {}, 1.0 / 3);
  if (function == "abs") return all[0].quantity;
  if (function == "min" || function == "max") return same("compared", all[0], all[1]);
  if (function == "hypot") return same("two sides of a triangle", all[0], all[1]);
  if (function == "atan2") return same("two sides of a triangle", all[0], all[1]), angle;
  if (function == "if") return same("two cases of one value", all[1], all[2]);
  if (function == "step") {
    same("compared", all[0], all[1]), same("compared", all[0], all[3]), same("compared", all[1], all[3]);
    return same("the two ends of a step", all[2], all[4]);
  }
  return function == "asin" || function == "acos" || function == "atan" ? angle : Quantity::pure();
}

void FormulaQuantities::check_result(const Operand& value, const Dimension& expected) const {
  const Quantity& q = value.quantity;
  const Quantity wanted = Quantity::of(expected);
  if (!names_ || q.kind != Kind::known || counts_time(q) || fits(q, wanted)) return;
  Quantity by_time = q;
  by_time.exponents[time] = wanted.exponents[time];
  if (wanted.exponents[time] < 0 && may_lack_time(q, -1) && fits(by_time, wanted)) return;
  if (none(wanted.exponents))
    throw Refused{fmt::format("'{}' is {}, and a number without unit is expected here; divide it by its unit",
                              value.text, described(q))};
  throw Refused{
      fmt::format("'{}' is {}, and {} is expected here; give one, or a plain number, which is in {}{}",
                  value.text, described(q), described(wanted),
                  unit_text(wanted.exponents, names_->unit_names), force_hint(q, wanted))};
}

std::vector<std::string> FormulaQuantities::names(bool of_units) const {
  std::vector<std::string> all;
  if (!names_) return all;
  for (const auto& [name, quantity] : names_->of)
    if (quantity.unit == of_units && name != "t" && name.find('.') == std::string::npos) all.push_back(name);
  return all;
}

std::string FormulaQuantities::spelling(const std::string& name) const {
  if (!names_) return {};
  static const std::map<std::string, std::pair<const char*, const char*>> spellings = {
      {"m", {"length", "1000*mm"}},
      {"s", {"time", "1000*ms"}},
      {"h", {"time", "3600000*ms"}},
      {"g", {"mass", "0.001*kg"}},
      {"t", {"mass", "1000*kg"}},
      {"N", {"force", "0.001*kN"}},
      {"J", {"", "kN*mm"}},
      {"W", {"", "kN*mm/(1000*ms)"}},
      {"Nm", {"", "kN*mm"}},
      {"Pa", {"", "0.001*kPa"}},
      {"in", {"length", "inch"}},
      {"sec", {"time", "1000*ms"}},
      {"min", {"time", "60000*ms"}},
      {"degree", {"angle", "deg"}},
      {"degrees", {"angle", "deg"}},
      {"radian", {"angle", "rad"}},
      {"radians", {"angle", "rad"}},
      {"meter", {"length", "1000*mm"}},
      {"meters", {"length", "1000*mm"}},
      {"metre", {"length", "1000*mm"}},
      {"metres", {"length", "1000*mm"}},
      {"second", {"time", "1000*ms"}},
      {"seconds", {"time", "1000*ms"}},
      {"gram", {"mass", "0.001*kg"}},
      {"grams", {"mass", "0.001*kg"}},
      {"newton", {"force", "0.001*kN"}}};
  const auto found = spellings.find(name);
  if (found == spellings.end()) return {};
  const auto& [kind, written] = found->second;
  const std::string own =
      *kind ? fmt::format(", or a plain number, which is in {}", names_->unit_names.at(kind)) : "";
  const std::string clock = name == "t" ? "; the time t is known to motions and to formulas of forces" : "";
  return fmt::format("{}; write {} for 1 {}{}{}",
                     name.size() == 1 ? "units of one letter are left to the names of parameters"
                                      : fmt::format("formulas have no unit {}", name),
                     written, name, own, clock);
}

}  // namespace driftless::mechanics
