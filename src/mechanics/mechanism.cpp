#include <driftless/mechanics/mechanism.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/errors.hpp>
#include <driftless/core/method_options.hpp>
#include <driftless/mechanics/massless.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>

#include "joint_words.hpp"

namespace driftless::mechanics {

namespace {

bool finite(const Vec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

void require_unit(const std::string& whose, const Vec3& axis) {
  const double length = norm(axis);
  if (!(std::abs(length - 1) < 1e-9))
    throw InputError(
        fmt::format("the axis ({}, {}, {}) of {} has length {:.10g}, not 1; divide it by its length", axis.x,
                    axis.y, axis.z, whose, length));
}

void require_positive(const std::string& body, const char* what, double value) {
  if (!(value > 0 && std::isfinite(value)))
    throw InputError(
        fmt::format("body {} has {} {}; a body that moves needs a positive one, and one that does not is "
                    "part of the ground",
                    body, what, value));
}

// Positive definite, by the pivots of its factorisation: products of small moments would vanish. That no moment is larger than the sum of the
// others is left to who wants to be warned; simplified models do without.
void require_inertia(const std::string& body, const Mat3& J) {
  const double xx = J.x.x, yy = J.y.y, zz = J.z.z, xy = J.x.y, yz = J.y.z, zx = J.z.x;
  const double second = yy - xy / xx * xy, off = yz - xy / xx * zx,
               third = zz - zx / xx * zx - off / second * off;
  if (!(xx > 0 && second > 0 && third > 0 && std::isfinite(xx + yy + zz)))
    throw InputError(
        fmt::format("body {} has an inertia that is not positive (moments {}, {}, {}); a rod has a small "
                    "moment about its axis, not 0",
                    body, xx, yy, zz));
}

void require_no_mass(const SpatialBody& b) {
  if (!(b.mass == 0))
    throw InputError(fmt::format("body {} is massless and has mass {} (must be 0); leave one of them out",
                                 b.name, b.mass));
  if (!(b.inertia == Vec3{} && b.products == Vec3{}))
    throw InputError(
        fmt::format("body {} is massless and has an inertia (moments {}, {}, {}, products {}, {}, {}; all "
                    "must be 0); leave one of them out",
                    b.name, b.inertia.x, b.inertia.y, b.inertia.z, b.products.x, b.products.y, b.products.z));
}

// Axes with the third as given and the first across it: as given, or, where it is free, in the plane z = 0.
Mat3 axes_of(const std::string& whose, const Vec3& axis, const Vec3& x) {
  require_unit(whose, axis);
  Vec3 first = x;
  if (first == Vec3{}) first = std::hypot(axis.x, axis.y) > 1e-6 ? cross(Vec3{0, 0, 1}, axis) : Vec3{1, 0, 0};
  first -= dot(first, axis) * axis;
  const double length = norm(first);
  if (!(length > 1e-6))
    throw InputError(
        fmt::format("the direction x = ({}, {}, {}) of {} lies along its axis; give one across it", x.x, x.y,
                    x.z, whose));
  first = (1 / length) * first;
  return {first, cross(axis, first), axis};
}

// The entry that is largest is found first: the others are divided by it.
std::array<double, 4> quaternion_of(const std::string& body, const Mat3& R) {
  const auto off = [](double value, double expected) { return !(std::abs(value - expected) < 1e-9); };
  if (off(dot(R.x, R.x), 1) || off(dot(R.y, R.y), 1) || off(dot(R.x, R.y), 0) ||
      !(norm(cross(R.x, R.y) - R.z) < 1e-9))
    throw InputError(fmt::format(
        "the axes of body {} are not perpendicular unit vectors with z = x cross y; take them from turned()",
        body));
  const double squares[] = {1 + R.x.x + R.y.y + R.z.z, 1 + R.x.x - R.y.y - R.z.z, 1 - R.x.x + R.y.y - R.z.z,
                            1 - R.x.x - R.y.y + R.z.z};  // 4 p_i^2
  const auto largest = std::max_element(std::begin(squares), std::end(squares)) - std::begin(squares);
  const double twice = std::sqrt(squares[largest]), k = 0.5 / twice;
  const double yz = R.y.z - R.z.y, zx = R.z.x - R.x.z, xy = R.x.y - R.y.x;  // 4 p0 p1, 4 p0 p2, 4 p0 p3
  const double sx = R.y.z + R.z.y, sy = R.z.x + R.x.z, sz = R.x.y + R.y.x;  // 4 p2 p3, 4 p3 p1, 4 p1 p2
  switch (largest) {
    case 0:
      return {twice / 2, k * yz, k * zx, k * xy};
    case 1:
      return {k * yz, twice / 2, k * sz, k * sy};
    case 2:
      return {k * zx, k * sz, twice / 2, k * sx};
    default:
      return {k * xy, k * sy, k * sx, twice / 2};
  }
}

const JointEntry& joint_entry(const std::string& type) {
  std::vector<std::string> names;
  for (const NamedJoint& row : joint_table()) {
    if (row.name == type) return row.entry;
    names.push_back(row.name);
  }
  throw InputError(fmt::format("there is no joint type '{}'; there are {}{}", type, fmt::join(names, ", "),
                               joint_suggestion(type, names)));
}

}  // namespace

Mat3 turned(const Vec3& axis, double angle) {
  require_unit("a turn", axis);
  const double s = std::sin(angle / 2);
  return rotation(std::cos(angle / 2), s * axis.x, s * axis.y, s * axis.z);
}

Mechanism::Mechanism() {
  model_.bodies.push_back({.name = "ground", .kind = Body::Kind::ground});
}

void Mechanism::check_name(const std::string& kind, const std::string& name) const {
  if (name.empty()) throw InputError(fmt::format("a {} has no name; give it one", kind));
  if (name == "ground" || names_.contains(name))
    throw InputError(fmt::format("the name '{}' of a {} is taken; choose another", name, kind));
}

const Body& Mechanism::body_at(BodyId id) const {
  if (id.index < 0 || id.index >= static_cast<int>(model_.bodies.size()))
    throw InputError(
        fmt::format("there is no body number {}; this mechanism has {}, take what body() returned", id.index,
                    model_.bodies.size() - 1));
  return model_.body(id.index);
}

const Joint& Mechanism::joint_at(JointId id) const {
  if (id.index < 0 || id.index >= static_cast<int>(joints_.size()))
    throw InputError(
        fmt::format("there is no joint number {}; this mechanism has {}, take what joint() returned",
                    id.index, joints_.size()));
  return joints_[static_cast<std::size_t>(id.index)];
}

BodyId Mechanism::add(Body body, const std::vector<double>& q, const std::vector<double>& v) {
  check_name("body", body.name);
  for (const auto& values : {q, v})
    for (const double value : values)
      if (!std::isfinite(value))
        throw InputError(
            fmt::format("body {} starts at a place or with a velocity that is not finite", body.name));
  body.q = static_cast<int>(q_.size());
  body.v = static_cast<int>(v_.size());
  q_.insert(q_.end(), q.begin(), q.end());
  v_.insert(v_.end(), v.begin(), v.end());
  names_.insert(body.name);
  model_.bodies.push_back(std::move(body));
  return {static_cast<int>(model_.bodies.size()) - 1};
}

BodyId Mechanism::body(const PlanarBody& b) {
  if (b.at.z != 0 || b.velocity.z != 0)
    throw InputError(fmt::format("planar body {} {} z = {}; planar bodies stay in the plane z = 0", b.name,
                                 b.at.z != 0 ? "is at" : "has a velocity along",
                                 b.at.z != 0 ? b.at.z : b.velocity.z));
  Body body{.name = b.name, .kind = Body::Kind::planar, .mass = b.mass};
  require_positive(b.name, "inertia", b.inertia);
  require_positive(b.name, "mass", b.mass);
  body.inertia.z.z = b.inertia;
  body.origin = b.origin;
  return add(std::move(body), {b.at.x, b.at.y, b.angle}, {b.velocity.x, b.velocity.y, b.spin});
}

BodyId Mechanism::body(const SpatialBody& b) {
  Body body{.name = b.name, .kind = Body::Kind::spatial, .mass = b.mass};
  body.inertia = {{b.inertia.x, b.products.z, b.products.y},
                  {b.products.z, b.inertia.y, b.products.x},
                  {b.products.y, b.products.x, b.inertia.z}};
  if (b.massless) {
    require_no_mass(b);
  } else {
    require_inertia(b.name, body.inertia);
    require_positive(b.name, "mass", b.mass);
  }
  body.origin = b.origin;
  const std::array<double, 4> p = quaternion_of(b.name, b.axes);
  return add(std::move(body), {b.at.x, b.at.y, b.at.z, p[0], p[1], p[2], p[3]},
             {b.velocity.x, b.velocity.y, b.velocity.z, b.rates.x, b.rates.y, b.rates.z});
}

void Mechanism::assembly_tolerance(double part) {
  if (!(part >= 0) || !(part <= 1e-2))
    throw InputError(
        fmt::format("the assembly tolerance is {:g} (0 to 0.01 of the size of the mechanism); beyond that, "
                    "mend the coordinates of the "
                    "model",
                    part));
  model_.assembly = part;
}

void Mechanism::gravity(const Vec3& g) {
  if (!finite(g)) throw InputError(fmt::format("gravity is ({}, {}, {}); give three numbers", g.x, g.y, g.z));
  model_.gravity = g;
}

void Mechanism::parameter(const std::string& name, double value, const Quantity& quantity) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  const bool good = !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c));
  });
  if (!good || name == "t")
    throw InputError(
        fmt::format("a parameter is called '{}'; its name begins with a letter, has letters, digits and _ "
                    "only, and t is the time",
                    name));
  if (!std::isfinite(value))
    throw InputError(fmt::format("the parameter {} is {}; give a number", name, value));
  parameters_[name] = value;
  quantities_.of[name] = quantity;
}

void Mechanism::formulas_in(const Units& units, const std::map<std::string, std::string>& names) {
  for (const double unit : {units.length, units.mass, units.time, units.angle, units.force})
    if (!(unit > 0 && std::isfinite(unit)))
      throw InputError(fmt::format("a unit is {} in SI; give a positive number", unit));
  for (const char* kind : {"length", "mass", "time", "angle", "force"})
    if (!names.empty() && !names.contains(kind))
      throw InputError(fmt::format("the unit of {} has no name; name all five of them, or none", kind));
  formula_units_ = quantities_.units = units;
  quantities_.unit_names = names;
  quantities_.of["t"] = Quantity::of({.time = 1});
  quantities_.of["t"].clock = true;
}

// Markers may be made by hand.
void Mechanism::check_marker(const std::string& owner, const Marker& m) const {
  body_at({m.body});
  const Mat3 &A = m.axes, B = transposed(A) * A;
  const double off = norm(B.x - Vec3{1, 0, 0}) + norm(B.y - Vec3{0, 1, 0}) + norm(B.z - Vec3{0, 0, 1});
  if (!finite(m.point) || !(off < 1e-6) || !(dot(cross(A.x, A.y), A.z) > 0))
    throw InputError(
        fmt::format("a marker of {} has a point that is not finite, or axes that are not perpendicular, of "
                    "length 1 and right-handed; make it with marker()",
                    owner));
}

Marker Mechanism::marker(BodyId body, const Vec3& point, const Vec3& axis, const Vec3& x) const {
  if (!finite(point))
    throw InputError(fmt::format("a marker on {} is at ({}, {}, {}); give three numbers", body_at(body).name,
                                 point.x, point.y, point.z));
  return {body.index, point, axes_of("a marker on " + body_at(body).name, axis, x)};
}

Marker Mechanism::marker(BodyId body, const WorldPlace& place) const {
  if (!finite(place.at))
    throw InputError(fmt::format("a place on {} is ({}, {}, {}); give three numbers", body_at(body).name,
                                 place.at.x, place.at.y, place.at.z));
  const Frame<double> frame = frame_of<double>(body_at(body), q_);
  const Mat3 axes = axes_of("a marker on " + model_.body(body.index).name, place.axis, place.x);
  return {body.index,
          to_body(frame.R, place.at - frame.r),
          {to_body(frame.R, axes.x), to_body(frame.R, axes.y), to_body(frame.R, axes.z)}};
}

JointId Mechanism::joint(const std::string& type, const std::string& name, BodyId a, BodyId b,
                         const WorldPlace& place, const Settings& settings) {
  return joint(type, name, marker(a, place), marker(b, place), settings);
}

JointId Mechanism::joint(const std::string& type, const std::string& name, const Marker& a, const Marker& b,
                         const Settings& settings) {
  check_marker("joint " + name, a), check_marker("joint " + name, b);
  if (a.body == b.body)
    throw InputError(fmt::format("joint {} connects body {} with itself; name two bodies", name,
                                 model_.body(a.body).name));
  return build({.type = type, .name = name, .a = a, .b = b}, settings);
}

JointId Mechanism::joint(const std::string& type, const std::string& name, JointId a, JointId b,
                         const Settings& settings) {
  if (a.index == b.index)
    throw InputError(
        fmt::format("joint {} couples joint {} with itself; name two joints", name, joint_at(a).name));
  joint_at(a), joint_at(b);
  return build({.type = type, .name = name, .a = {}, .b = {}, .joint_a = a.index, .joint_b = b.index},
               settings);
}

JointId Mechanism::build(Joint joint, const Settings& given) {
  check_name("joint", joint.name);
  const JointEntry& entry = joint_entry(joint.type);
  if (entry.of_joints != (joint.joint_a >= 0))
    throw InputError(fmt::format("joint {} of type {} connects two {}; name two", joint.name, joint.type,
                                 entry.of_joints ? "joints" : "bodies"));
  const Settings settings =
      checked_settings(fmt::format("joint {} of type {}", joint.name, joint.type), entry.settings, given);
  joint.first_row = static_cast<int>(model_.rows.size());
  joint.first_velocity_row = static_cast<int>(model_.velocity_rows.size());
  JointRows rows(model_, joints_, joint, settings, q_);
  if (!entry.of_joints && (rows.planar() ? !entry.planar : !entry.spatial))
    throw InputError(
        fmt::format("joint {} of type {} is for {} bodies, and connects {} ones; use {}", joint.name,
                    joint.type, rows.planar() ? "spatial" : "planar", rows.planar() ? "planar" : "spatial",
                    rows.planar() ? "revolute, prismatic, fixed or distance" : "a spatial type"));
  all_or_nothing([&] { entry.build(rows); });
  names_.insert(joint.name);
  joints_.push_back(std::move(joint));
  return {static_cast<int>(joints_.size()) - 1};
}

std::vector<std::string> Mechanism::coordinates(JointId joint) const {
  std::vector<std::string> names;
  for (const JointCoordinate& c : joint_at(joint).coordinates) names.push_back(c.name);
  return names;
}

bool Mechanism::is_angle(JointId joint, const std::string& coordinate) const {
  return model_.measure(known_coordinate(joint, coordinate)).is_angle();
}

void Mechanism::count_turns(JointId joint) {
  for (const JointCoordinate& c : joint_at(joint).coordinates) model_.ask_for(c.measure);
}

int Mechanism::coordinate_of(JointId joint, const std::string& coordinate) {
  const int measure = known_coordinate(joint, coordinate);
  model_.ask_for(measure);
  return measure;
}

int Mechanism::known_coordinate(JointId joint, const std::string& coordinate) const {
  const Joint& of = joint_at(joint);
  std::vector<std::string> names;
  for (const JointCoordinate& c : of.coordinates) {
    if (c.name == coordinate) return c.measure;
    names.push_back(c.name);
  }
  throw InputError(
      fmt::format("joint {} of type {} has no coordinate '{}'{}", of.name, of.type, coordinate,
                  names.empty() ? ", and no other" : fmt::format("; it has {}", fmt::join(names, ", "))));
}

std::shared_ptr<const Problem> Mechanism::problem() const {
  MechanismModel model = finished();
  refuse_massless(model);
  return make_problem(std::move(model));
}

MechanismModel Mechanism::finished() const {
  const auto planar = std::find_if(model_.bodies.begin(), model_.bodies.end(),
                                   [](const Body& b) { return b.kind == Body::Kind::planar; });
  if (planar != model_.bodies.end() && model_.gravity.z != 0)
    throw InputError(fmt::format(
        "gravity has z = {}, and body {} is planar and cannot move along z; let it act in the plane",
        model_.gravity.z, planar->name));
  MechanismModel model = model_;
  model.nq = static_cast<int>(q_.size());
  model.nv = static_cast<int>(v_.size());
  model.ng = static_cast<int>(model.rows.size());
  model.nk = static_cast<int>(model.velocity_rows.size());
  std::map<int, std::string> names;  // of measures that are joint coordinates
  for (const Joint& joint : joints_)
    for (const JointCoordinate& c : joint.coordinates) names[c.measure] = joint.name + "." + c.name;
  for (const int turn : model.turns) {
    model.measures[static_cast<std::size_t>(turn)].entry = model.nq++;
    const auto named = names.find(turn);
    model.turn_names.push_back(named == names.end() ? "turn" : named->second);
  }
  for (const Body& body : model.bodies) {
    if (body.kind == Body::Kind::ground) continue;
    for (int i = 0; i < 3; ++i) model.mass_blocks.push_back(1);
    if (body.kind == Body::Kind::spatial) model.mass_blocks.push_back(3);
  }
  return model;
}

State Mechanism::start() const {
  const MechanismModel model = finished();
  State state({2, model.nq, model.nv}, model.ng, model.nk);
  std::copy(q_.begin(), q_.end(), state.q().begin());
  std::copy(v_.begin(), v_.end(), state.v().begin());
  model.normalize(std::span<double>(state.z.data(), static_cast<std::size_t>(model.nq)));
  return state;
}

}  // namespace driftless::mechanics
