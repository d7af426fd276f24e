// The units of a model's file for the entries of its states, which are called as their results are: crank.x, pin.angle'.
#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <unordered_map>

#include <driftless/io/model_outputs.hpp>
#include <driftless/mechanics/quantity.hpp>

namespace driftless::io {

namespace {

using mechanics::Dimension;
using mechanics::Measure;
using mechanics::Row;
using Unit = StateUnits::Unit;

Dimension dimension_of(std::string_view name) {
  const bool rate = name.ends_with('\'');
  if (rate) name.remove_suffix(1);
  std::string_view own = name.substr(name.rfind('.') + 1);
  if (own.starts_with("center_")) own.remove_prefix(7);
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), own) != names.end();
  };
  Dimension d;
  if (is({"p0", "p1", "p2", "p3"})) return d;
  if (is({"vx", "vy", "vz"})) return {.length = 1, .time = -1};
  if (is({"spin", "wx", "wy", "wz"})) return {.time = -1, .angle = 1};
  (is({"x", "y", "z", "position"}) ? d.length : d.angle) = 1;
  if (rate) d.time = -1;
  return d;
}

// A sum is in the unit of its first term; products of axes are sines of angles.
bool turns(const mechanics::MechanismModel& model, const Row& row) {
  const Measure& first = model.measure(row.terms.front().measure);
  return first.is_angle() || first.kind == Measure::Kind::axes;
}

}  // namespace

StateUnits state_units(const Model& model, const Problem& problem) {
  const auto unit = [&](const Dimension& d) {
    return Unit{mechanics::unit_text(d, model.unit_names), model.units.of(d)};
  };
  const Unit force = unit(mechanics::force_unit), torque = unit(mechanics::torque_unit);
  StateUnits units{.time = unit({.time = 1}), .length = unit(mechanics::length_unit), .energy = torque};
  const Shape& shape = problem.shape();
  for (int i = 0; i < shape.nq; ++i) units.z.push_back(unit(dimension_of(problem.coordinate_name(i))));
  for (int i = 0; i < shape.nv; ++i) {
    Dimension d = dimension_of(problem.velocity_name(i));
    units.z.push_back(unit(d));
    d.time -= 1;
    units.acceleration.push_back(unit(d));
  }
  // By names: in relative coordinates fewer are left.
  const mechanics::MechanismModel parts = model.mechanism.finished();
  std::unordered_map<std::string, Unit> of_rows;
  for (const auto* rows : {&parts.rows, &parts.velocity_rows})
    for (const Row& row : *rows) of_rows.emplace(row.name, turns(parts, row) ? torque : force);
  for (int i = 0; i < shape.multipliers(); ++i) {
    const auto own = of_rows.find(problem.constraint_name(i));
    (i < shape.ng ? units.lambda : units.kappa).push_back(own == of_rows.end() ? Unit{"SI"} : own->second);
  }
  return units;
}

}  // namespace driftless::io
