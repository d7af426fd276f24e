// What people want to know of a mechanism at a state: reactions of joints and the energy of every element.
//   reaction on b = - sum of lambda . pull of the row on b, its torque moved from the mass centre to the joint
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/errors.hpp>
#include <driftless/core/method_options.hpp>
#include <driftless/mechanics/mechanism.hpp>

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

Reaction Mechanism::reaction(const State& state, JointId id) const {
  const Joint& joint = joint_at(id);
  const bool couples = joint.joint_a >= 0;
  const Joint& at = couples ? joint_at({joint.joint_b}) : joint;  // where it acts
  const auto counts = [&](int measure) {
    return !couples || std::any_of(at.coordinates.begin(), at.coordinates.end(),
                                   [&](const JointCoordinate& c) { return c.measure == measure; });
  };
  const MechanismModel model = finished();
  const std::span<const double> q(state.z.data(), static_cast<std::size_t>(model.nq)),
      v(state.z.data() + model.nq, static_cast<std::size_t>(model.nv));
  Reaction r;
  const Frame<double> a = frame_of(model.body(at.a.body), q), b = frame_of(model.body(at.b.body), q);
  const auto add = [&](const std::vector<Row>& rows, int first, int count, const Vector& multipliers) {
    for (int i = first; i < first + count; ++i)
      for (const Row::Term& term : rows[static_cast<std::size_t>(i)].terms) {
        if (!counts(term.measure)) continue;
        const Pull pull = first_order(model, model.measure(term.measure), q, v).gradient[1];
        const double factor = -multiplier_of(multipliers, i) * term.factor;
        r.force += factor * pull.force;
        r.torque += factor * (pull.torque - cross(b.R * at.b.point, pull.force));
      }
  };
  add(model.rows, joint.first_row, joint.rows, state.lambda);
  add(model.velocity_rows, joint.first_velocity_row, joint.velocity_rows, state.kappa);
  r.own_force = to_body(at.a.axes, to_body(a.R, r.force));
  r.own_torque = to_body(at.a.axes, to_body(a.R, r.torque));
  return r;
}

double Mechanism::effort(const State& state, const std::string& drive) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model_.rows.size(); ++i) {
    if (model_.rows[i].motion < 0) continue;
    names.push_back(model_.rows[i].name);
    if (names.back() == drive) return -multiplier_of(state.lambda, static_cast<int>(i));
  }
  if (names.empty())
    throw InputError(fmt::format("there is no drive '{}'; the mechanism has none, give it one", drive));
  throw InputError(fmt::format("there is no drive '{}'; there are {}{}", drive, fmt::join(names, ", "),
                               suggestion(drive, names)));
}

std::vector<ElementEnergy> Mechanism::energies(const State& state) const {
  const MechanismModel model = finished();
  const std::span<const double> q(state.z.data(), static_cast<std::size_t>(model.nq)),
      v(state.z.data() + model.nq, static_cast<std::size_t>(model.nv));
  std::vector<ElementEnergy> all;
  for (const Body& body : model.bodies) {
    if (body.kind == Body::Kind::ground) continue;
    const PoseOf<double> pose = pose_of(body, q, v);
    const Vec3 w = to_body(pose.R, pose.w);
    all.push_back({.name = body.name,
                   .kinetic = body.mass / 2 * dot(pose.v, pose.v) + dot(w, body.inertia * w) / 2,
                   .potential = -body.mass * dot(model.gravity, pose.r)});
  }
  for (const Force& force : model.forces) {
    const FirstOrder<double> y = first_order(model, model.measure(force.measure), q, v);
    const auto* spring = std::get_if<SpringLaw>(&force.law);
    all.push_back(
        {.name = force.name,
         .potential = spring ? spring->energy(y.value) : 0,
         .power = spring ? -spring->drag(y.rate) * y.rate : model.push(force, state.t, y, q, v) * y.rate});
  }
  for (std::size_t i = 0; i < model.rows.size(); ++i) {
    const Row& row = model.rows[i];
    if (row.motion < 0) continue;
    const auto moved =
        model.motions[static_cast<std::size_t>(row.motion)].value(autodiff::Jet<1>::variable(state.t));
    all.push_back(
        {.name = row.name, .power = -multiplier_of(state.lambda, static_cast<int>(i)) * moved.derivative(1)});
  }
  return all;
}

}  // namespace driftless::mechanics
