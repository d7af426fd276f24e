#include <driftless/mechanics/joint.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

namespace driftless::mechanics {

namespace {

const Vec3& axis_of(const Marker& marker, int i) {
  return i == 0 ? marker.axes.x : i == 1 ? marker.axes.y : marker.axes.z;
}

// Of the first axis of a marker in the plane.
double angle_of(const Marker& marker) {
  return std::atan2(marker.axes.x.y, marker.axes.x.x);
}

}  // namespace

bool JointRows::planar() const {
  const auto a = model_.body(joint_.a.body).kind, b = model_.body(joint_.b.body).kind;
  return a != Body::Kind::spatial && b != Body::Kind::spatial;
}

Measure JointRows::empty(Measure::Kind kind) const {
  return {.kind = kind, .a = joint_.a.body, .b = joint_.b.body, .pa = joint_.a.point, .pb = joint_.b.point};
}

const Vec3& JointRows::to_move_along(const Vec3& axis) const {
  if (planar() && !(std::abs(axis.z) < 1e-9))
    throw InputError(fmt::format(
        "{} connects planar bodies, and its axis ({:.3g}, {:.3g}, {:.3g}) leaves the plane; give one in it",
        joint_.name, axis.x, axis.y, axis.z));
  return axis;
}

void JointRows::require_upright(const Vec3& axis) const {
  if (planar() && !(std::abs(axis.z - 1) < 1e-9))
    throw InputError(fmt::format(
        "{} turns planar bodies, and its axis is ({:.3g}, {:.3g}, {:.3g}); in the plane it is (0, 0, 1)",
        joint_.name, axis.x, axis.y, axis.z));
}

Measure JointRows::component(const Vec3& world_axis) const {
  Measure m = empty(Measure::Kind::component);
  m.ua = world_axis;
  return m;
}

Measure JointRows::along(int axis_of_a) const {
  Measure m = empty(Measure::Kind::along);
  m.ua = to_move_along(axis_of(joint_.a, axis_of_a));
  return m;
}

Measure JointRows::axes(int axis_of_a, int axis_of_b) const {
  Measure m = empty(Measure::Kind::axes);
  m.ua = axis_of(joint_.a, axis_of_a);
  m.ub = axis_of(joint_.b, axis_of_b);
  return m;
}

Measure JointRows::between(Measure::Kind kind) const {
  return empty(kind);
}

Measure JointRows::angle() const {
  Measure m = empty(Measure::Kind::angle);
  m.shift = angle_of(joint_.b) - angle_of(joint_.a);
  return m;
}

Measure JointRows::turn() const {
  require_upright(joint_.a.axes.z);
  require_upright(joint_.b.axes.z);
  if (planar()) return angle();
  Measure m = empty(Measure::Kind::turn);
  m.ua = joint_.a.axes.z;
  m.xa = joint_.a.axes.x;
  m.xb = joint_.b.axes.x;
  return m;
}

Measure JointRows::slip(int axis_of_b) const {
  Measure m = empty(Measure::Kind::slip);
  m.ub = to_move_along(axis_of(joint_.b, axis_of_b));
  return m;
}

Measure JointRows::spin(int axis_of_b) const {
  Measure m = empty(Measure::Kind::spin);
  m.ub = axis_of(joint_.b, axis_of_b);
  require_upright(m.ub);
  return m;
}

Measure JointRows::disc_height(double radius) const {
  Measure m = axes(2, 2);
  m.kind = Measure::Kind::height;
  m.length = radius;
  return m;
}

Measure JointRows::disc_slip(int axis_of_a, double radius) const {
  Measure m = disc_height(radius);
  m.kind = Measure::Kind::disc_slip;
  m.xa = axis_of(joint_.a, axis_of_a);
  return m;
}

Measure JointRows::curve(const Profile& profile) const {
  Measure m = empty(Measure::Kind::curve);
  if (planar()) require_upright(joint_.a.axes.z);
  m.ua = joint_.a.axes.x;
  m.xa = joint_.a.axes.y;
  m.profile = std::make_shared<const Profile>(profile);
  return m;
}

const Setting* JointRows::given(const std::string& name) const {
  const auto found = settings_.find(name);
  return found == settings_.end() ? nullptr : &found->second;
}

void JointRows::face(int axis) {
  model_.facing.push_back({joint_.name, axes(axis, axis)});
}

void JointRows::refuse(const std::string& why) const {
  throw InputError(fmt::format("joint {} {}", joint_.name, why));
}

int JointRows::add(const Measure& measure) {
  model_.measures.push_back(measure);
  return static_cast<int>(model_.measures.size()) - 1;
}

void JointRows::vanish(const std::string& what, const Measure& measure, double value) {
  model_.rows.push_back({joint_.name + ", " + what, {{add(measure), 1}}, value, -1});
  ++joint_.rows;
}

void JointRows::coincide() {
  vanish("x", component({1, 0, 0}));
  vanish("y", component({0, 1, 0}));
  if (!planar()) vanish("z", component({0, 0, 1}));
}

void JointRows::keep_parallel() {
  vanish("tilt about y", axes(2, 0));
  vanish("tilt about x", axes(2, 1));
  face(2);
}

void JointRows::share_axis() {
  vanish("across x", along(0));
  vanish("across y", along(1));
  keep_parallel();
}

double JointRows::at_start(const Measure& measure) const {
  const auto a = pose_of(model_.body(measure.a), start_), b = pose_of(model_.body(measure.b), start_);
  return measure.kind == Measure::Kind::turn ? nearest_turn(measure, a.R, b.R, 0)
                                             : value_of(measure, a, b, start_);
}

// Whole turns between the bodies as they were given stay.
void JointRows::vanish_angle() {
  const Measure between = angle();
  const double whole = 2 * std::numbers::pi;
  vanish("turn", between, whole * std::round(at_start(between) / whole));
}

// A measure that is there already is used again: turns would get a second coordinate.
int JointRows::known(const Measure& measure) {
  const auto& all = model_.measures;
  for (const int other : {joint_.joint_a, joint_.joint_b}) {
    if (other < 0) continue;
    for (const JointCoordinate& c : others_[static_cast<std::size_t>(other)].coordinates)
      if (model_.measure(c.measure) == measure) return c.measure;
  }
  const auto found = std::find(all.begin() + static_cast<std::ptrdiff_t>(first_measure_), all.end(), measure);
  return found == all.end() ? add(measure) : static_cast<int>(found - all.begin());
}

void JointRows::stay(const std::string& what, const std::vector<Term>& terms) {
  double sum = 0;
  for (const Term& term : terms) sum += term.factor * at_start(term.measure);
  add_up(what, terms, sum);
}

void JointRows::add_up(const std::string& what, const std::vector<Term>& terms, double sum) {
  Row row{joint_.name + ", " + what, {}, sum, -1};
  for (const Term& term : terms) {
    const int index = known(term.measure);
    model_.ask_for(index);
    row.terms.push_back({index, term.factor, term.power});
  }
  model_.rows.push_back(std::move(row));
  ++joint_.rows;
}

Measure JointRows::of_joint(int which) const {
  const Joint& other = others_[static_cast<std::size_t>(which == 0 ? joint_.joint_a : joint_.joint_b)];
  if (other.coordinates.size() == 1) return model_.measure(other.coordinates[0].measure);
  if (other.type == "screw") return of_joint(which, "angle");
  throw InputError(
      fmt::format("joint {} couples joints of one coordinate, and {}, a {} joint, has {}; name another",
                  joint_.name, other.name, other.type, other.coordinates.size()));
}

Measure JointRows::of_joint(int which, const std::string& coordinate) const {
  const Joint& other = others_[static_cast<std::size_t>(which == 0 ? joint_.joint_a : joint_.joint_b)];
  for (const JointCoordinate& c : other.coordinates)
    if (c.name == coordinate) return model_.measure(c.measure);
  throw InputError(fmt::format("joint {} couples the {} of {}, and a {} joint has none; name another",
                               joint_.name, coordinate, other.name, other.type));
}

void JointRows::rest(const std::string& what, const Measure& measure) {
  model_.velocity_rows.push_back({joint_.name + ", " + what, {{add(measure), 1}}, 0, -1});
  ++joint_.velocity_rows;
}

void JointRows::coordinate(const std::string& name, const Measure& measure) {
  joint_.coordinates.push_back({name, known(measure)});
}

}  // namespace driftless::mechanics
