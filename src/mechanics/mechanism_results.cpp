#include <driftless/mechanics/mechanism_results.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/errors.hpp>
#include <driftless/core/method_options.hpp>

namespace driftless::mechanics {

namespace {

double multiplier_of(const Vector& multipliers, int row) {
  if (row >= multipliers.size())
    throw InputError(
        fmt::format("the state has {} multipliers (that of row {} is asked for); take a state of a run, or "
                    "one from consistent_state()",
                    multipliers.size(), row));
  return multipliers(row);
}

}  // namespace

MechanismResults::Entries MechanismResults::entries(const State& state) const {
  if (state.z.size() != model_.nq + model_.nv)
    throw InputError(
        fmt::format("the state has {} entries (the mechanism has {}); take one of this mechanism, made after "
                    "its last joint and force",
                    state.z.size(), model_.nq + model_.nv));
  return {{state.z.data(), static_cast<std::size_t>(model_.nq)},
          {state.z.data() + model_.nq, static_cast<std::size_t>(model_.nv)}};
}

const Joint& MechanismResults::joint(JointId id) const {
  if (id.index < 0 || id.index >= static_cast<int>(joints_.size()))
    throw InputError(
        fmt::format("there is no joint number {}; this mechanism has {}, take what joint() returned",
                    id.index, joints_.size()));
  return joints_[static_cast<std::size_t>(id.index)];
}

const Body& MechanismResults::body(BodyId id) const {
  if (id.index < 0 || id.index >= static_cast<int>(model_.bodies.size()))
    throw InputError(
        fmt::format("there is no body number {}; this mechanism has {}, take what body() returned", id.index,
                    model_.bodies.size() - 1));
  return model_.body(id.index);
}

Pose MechanismResults::pose(const State& state, BodyId id) const {
  const Entries own_entries = entries(state);
  const std::span<const double> q = own_entries.q, v = own_entries.v;
  return pose_of(body(id), q, v);
}

std::array<double, 4> MechanismResults::quaternion(const State& state, BodyId id) const {
  if (body(id).kind != Body::Kind::spatial)
    throw InputError(fmt::format("body {} has no quaternion; ask for its pose", body(id).name));
  const auto first = static_cast<std::size_t>(body(id).q) + 3;
  const auto q = entries(state).q;
  return {q[first], q[first + 1], q[first + 2], q[first + 3]};
}

CoordinateValue MechanismResults::coordinate(const State& state, JointId id, const std::string& name,
                                             double near) const {
  const Entries own_entries = entries(state);
  const std::span<const double> q = own_entries.q, v = own_entries.v;
  for (const JointCoordinate& c : joint(id).coordinates) {
    if (c.name != name) continue;
    const Measure& m = model_.measure(c.measure);
    const FirstOrder<double> y = first_order(model_, m, q, v);
    if (m.kind != Measure::Kind::turn || m.entry >= 0) return {y.value, y.rate};
    return {nearest_turn(m, frame_of(model_.body(m.a), q).R, frame_of(model_.body(m.b), q).R, near), y.rate};
  }
  throw InputError(fmt::format("joint {} has no coordinate '{}'", joint(id).name, name));
}

Reaction MechanismResults::reaction(const State& state, JointId id) const {
  const Joint& own = joint(id);
  const bool couples = own.joint_a >= 0;
  const Joint& at = couples ? joint({own.joint_b}) : own;  // where it acts
  const auto counts = [&](int measure) {
    return !couples || std::any_of(at.coordinates.begin(), at.coordinates.end(),
                                   [&](const JointCoordinate& c) { return c.measure == measure; });
  };
  const Entries own_entries = entries(state);
  const std::span<const double> q = own_entries.q, v = own_entries.v;
  Reaction r;
  const Frame<double> a = frame_of(model_.body(at.a.body), q), b = frame_of(model_.body(at.b.body), q);
  const auto add = [&](const std::vector<Row>& rows, int first, int count, const Vector& multipliers) {
    for (int i = first; i < first + count; ++i)
      for (const Row::Term& term : rows[static_cast<std::size_t>(i)].terms) {
        if (!counts(term.measure)) continue;
        const FirstOrder<double> y = first_order(model_, model_.measure(term.measure), q, v);
        const Pull& pull = y.gradient[1];
        const double factor = -multiplier_of(multipliers, i) * term.slope(y.value);
        r.force += factor * pull.force;
        r.torque += factor * (pull.torque - cross(b.R * at.b.point, pull.force));
      }
  };
  add(model_.rows, own.first_row, own.rows, state.lambda);
  add(model_.velocity_rows, own.first_velocity_row, own.velocity_rows, state.kappa);
  r.own_force = to_body(at.a.axes, to_body(a.R, r.force));
  r.own_torque = to_body(at.a.axes, to_body(a.R, r.torque));
  return r;
}

std::vector<MechanismResults::Drive> MechanismResults::drives() const {
  std::vector<Drive> all;
  for (std::size_t i = 0; i < model_.rows.size(); ++i)
    if (const Row& row = model_.rows[i]; row.motion >= 0)
      all.push_back({row.name, static_cast<int>(i), model_.measure(row.terms[0].measure).is_angle()});
  return all;
}

double MechanismResults::effort(const State& state, int row) const {
  return -multiplier_of(state.lambda, row);
}

double MechanismResults::effort(const State& state, const std::string& drive) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model_.rows.size(); ++i) {
    if (model_.rows[i].motion < 0) continue;
    names.push_back(model_.rows[i].name);
    if (names.back() == drive) return effort(state, static_cast<int>(i));
  }
  if (names.empty())
    throw InputError(fmt::format("there is no drive '{}'; the mechanism has none, give it one", drive));
  throw InputError(fmt::format("there is no drive '{}'; there are {}{}", drive, fmt::join(names, ", "),
                               suggestion(drive, names)));
}

std::vector<ElementEnergy> MechanismResults::energies(const State& state) const {
  const Entries own_entries = entries(state);
  const std::span<const double> q = own_entries.q, v = own_entries.v;
  std::vector<ElementEnergy> all;
  for (const Body& body : model_.bodies) {
    if (body.kind == Body::Kind::ground) continue;
    const PoseOf<double> pose = pose_of(body, q, v);
    const Vec3 w = to_body(pose.R, pose.w);
    all.push_back({.name = body.name,
                   .kinetic = body.mass / 2 * dot(pose.v, pose.v) + dot(w, body.inertia * w) / 2,
                   .potential = -body.mass * dot(model_.gravity, pose.r)});
  }
  for (const Force& force : model_.forces) {
    const Measure& m = model_.measure(force.measure);
    const FirstOrder<double> y = first_order(model_, m, q, v);
    const auto* spring = std::get_if<SpringLaw>(&force.law);
    const double push = model_.push(force, state.t, y, q, v);
    all.push_back({.name = force.name,
                   .potential = spring ? spring->energy(y.value) : 0,
                   .power = spring ? -spring->drag(y.rate) * y.rate : push * y.rate,
                   .push = push,
                   .value = y.value,
                   .angle = m.is_angle()});
  }
  for (std::size_t i = 0; i < model_.rows.size(); ++i) {
    const Row& row = model_.rows[i];
    if (row.motion < 0) continue;
    const auto moved =
        model_.motions[static_cast<std::size_t>(row.motion)].value(autodiff::Jet<1>::variable(state.t));
    all.push_back(
        {.name = row.name, .power = -multiplier_of(state.lambda, static_cast<int>(i)) * moved.derivative(1)});
  }
  return all;
}

}  // namespace driftless::mechanics
