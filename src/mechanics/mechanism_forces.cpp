// Forces and prescribed motions of a Mechanism.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/errors.hpp>
#include <driftless/core/method_options.hpp>
#include <driftless/mechanics/mechanism.hpp>

namespace driftless::mechanics {

namespace {

const ForceEntry& force_entry(const std::string& type) {
  std::vector<std::string> names;
  for (const NamedForce& row : force_table()) {
    if (row.name == type) return row.entry;
    names.push_back(row.name);
  }
  throw InputError(fmt::format("there is no force type '{}'; there are {}{}", type, fmt::join(names, ", "),
                               suggestion(type, names)));
}

std::string number_or_profile(const Setting& motion) {
  const double* number = motion.get<double>();
  return number ? fmt::format("it is to be at {}; give a number", *number)
                : "it is given by a profile; it takes a number, a formula in t or a table";
}

}  // namespace

void Mechanism::force(const std::string& type, const std::string& name, BodyId a, BodyId b,
                      const WorldPlace& place, const Settings& settings) {
  force(type, name, marker(a, place), marker(b, place), settings);
}

void Mechanism::force(const std::string& type, const std::string& name, const Marker& a, const Marker& b,
                      const Settings& settings) {
  check_marker("force " + name, a), check_marker("force " + name, b);
  if (a.body == b.body)
    throw InputError(fmt::format(
        "force {} acts between body {} and itself; name two bodies, the ground for one from outside", name,
        model_.body(a.body).name));
  add_force(type, name, {.type = type, .name = name, .a = a, .b = b}, nullptr, settings);
}

void Mechanism::force(const std::string& type, const std::string& name, JointId joint,
                      const std::string& coordinate, const Settings& settings) {
  all_or_nothing([&] {
    const int measure = coordinate_of(joint, coordinate);
    add_force(type, name, joint_at(joint), &measure, settings);
  });
}

void Mechanism::add_force(const std::string& type, const std::string& name, const Joint& between,
                          const int* coordinate, const Settings& given) {
  check_name("force", name);
  const ForceEntry& entry = force_entry(type);
  if (coordinate ? !entry.of_joints : !entry.of_markers)
    throw InputError(fmt::format("force {} of type {} acts {}; name {}", name, type,
                                 coordinate ? "between two bodies" : "in a joint",
                                 coordinate ? "two markers" : "a joint and its coordinate"));
  const Settings settings =
      checked_settings(fmt::format("force {} of type {}", name, type), entry.settings, given);
  Joint ends = between;
  const JointRows measures(model_, joints_, ends, settings, q_);
  ForceElements elements(
      model_, name, measures, coordinate, settings, entry.settings,
      {formula_units_,
       [&](const std::string& text, const Dimension& gives) {
         return read_formula("force " + name, text, gives);
       },
       [&](const std::string& text, const Dimension& gives) { return read_motion(text, gives); }});
  all_or_nothing([&] { entry.build(elements); });
  names_.insert(name);
}

double Mechanism::unit_of(const Measure& coordinate) const {
  return coordinate.is_angle() ? formula_units_.angle : formula_units_.length;
}

const NamedQuantities* Mechanism::quantities() const {
  return quantities_.unit_names.empty() ? nullptr : &quantities_;
}

Expression Mechanism::read_motion(const std::string& text, const Dimension& gives) const {
  return Expression::parse(
      text, {.variables = {"t"}, .constants = parameters_, .quantities = quantities(), .gives = gives});
}

// All coordinates of all joints may stand in a formula; those that do become its inputs.
ExpressionLaw Mechanism::read_formula(const std::string& owner, const std::string& text,
                                      const Dimension& gives) {
  std::vector<std::string> names = {"t"};
  std::vector<int> measures;
  for (const Joint& joint : joints_)
    for (const JointCoordinate& c : joint.coordinates) {
      names.push_back(joint.name + "." + c.name);
      names.push_back(names.back() + "'");
      measures.push_back(c.measure);
    }
  // Joints come one after the other: where the last one is known, all are.
  for (std::size_t i = quantities_.of.contains(names.back()) ? measures.size() : 0; i < measures.size();
       ++i) {
    Dimension unit = stretch_unit.along(model_.measure(measures[i]).is_angle());
    quantities_.of[names[1 + 2 * i]] = Quantity::of(unit);
    unit.time = -1;
    quantities_.of[names[2 + 2 * i]] = Quantity::of(unit);
  }
  const auto parse = [&](const std::vector<std::string>& variables) {
    try {
      return Expression::parse(
          text,
          {.variables = variables, .constants = parameters_, .quantities = quantities(), .gives = gives});
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", owner, error.what()));
    }
  };
  const Expression all = parse(names);
  ExpressionLaw law;
  std::vector<std::string> used = {"t"};
  for (std::size_t i = 0; i < measures.size(); ++i) {
    const int value = static_cast<int>(1 + 2 * i);
    const auto& variables = all.variables();
    const auto has = [&](int v) { return std::binary_search(variables.begin(), variables.end(), v); };
    if (!has(value) && !has(value + 1)) continue;
    if (has(value)) model_.ask_for(measures[i]);
    law.inputs.push_back(measures[i]);
    used.push_back(names[static_cast<std::size_t>(value)]);
    used.push_back(names[static_cast<std::size_t>(value) + 1]);
  }
  if (law.inputs.size() > ExpressionLaw::most_inputs)
    throw InputError(
        fmt::format("the formula of {} reads {} joint coordinates; at most {} are possible, split it", owner,
                    law.inputs.size(), ExpressionLaw::most_inputs));
  law.expression = parse(used);
  if (formula_units_ == Units()) return law;
  law.units.push_back(formula_units_.time);
  for (const int i : law.inputs) {
    law.units.push_back(unit_of(model_.measure(i)));
    law.units.push_back(law.units.back() / formula_units_.time);
  }
  return law;
}

void Mechanism::add_drive(const std::string& name, int measure, const Setting& motion,
                          const JumpHandling& jumps) {
  check_name("drive", name);
  try {
    if (const Table* table = motion.get<Table>())
      model_.motions.emplace_back(*table);
    else if (const std::string* text = motion.get<std::string>())
      model_.motions.emplace_back(read_motion(*text, stretch_unit.along(model_.measure(measure).is_angle())),
                                  formula_units_.time, unit_of(model_.measure(measure)));
    else if (const double* number = motion.get<double>(); number && std::isfinite(*number))
      model_.motions.emplace_back(*number);
    else
      throw InputError(number_or_profile(motion));
    model_.motions.back().handle(jumps);
  } catch (const InputError& error) {
    throw InputError(fmt::format("drive {}: {}", name, error.what()));
  }
  names_.insert(name);
  model_.moving = true;
  model_.rows.push_back({name, {{measure, 1}}, 0, static_cast<int>(model_.motions.size()) - 1});
}

bool Mechanism::drives_angle(const std::string& drive) const {
  return std::any_of(model_.rows.begin(), model_.rows.end(), [&](const Row& row) {
    return row.motion >= 0 && row.name == drive && model_.measure(row.terms[0].measure).is_angle();
  });
}

void Mechanism::drive(const std::string& name, JointId joint, const std::string& coordinate,
                      const Setting& motion, const JumpHandling& jumps) {
  all_or_nothing([&] { add_drive(name, coordinate_of(joint, coordinate), motion, jumps); });
}

void Mechanism::drive(const std::string& name, const Marker& point, const Vec3& world_axis,
                      const Setting& motion, const JumpHandling& jumps) {
  check_marker("drive " + name, point);
  const Body& body = model_.body(point.body);
  if (body.kind == Body::Kind::ground || (body.kind == Body::Kind::planar && std::abs(world_axis.z) > 1e-9))
    throw InputError(
        fmt::format("drive {} moves a point of {} along ({}, {}, {}), where it cannot go; name another {}",
                    name, body.name, world_axis.x, world_axis.y, world_axis.z,
                    body.kind == Body::Kind::ground ? "body" : "direction"));
  Measure along{.kind = Measure::Kind::component, .b = point.body, .pb = point.point};
  along.ua = marker(ground(), Vec3{}, world_axis).axes.z;  // which refuses what is not of unit length
  all_or_nothing([&] {
    model_.measures.push_back(along);
    add_drive(name, static_cast<int>(model_.measures.size()) - 1, motion, jumps);
  });
}

}  // namespace driftless::mechanics
