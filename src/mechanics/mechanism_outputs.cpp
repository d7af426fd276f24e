// What people want to know of a mechanism at a state: reactions of joints and the energy of every element.
//   reaction on b = - sum of lambda . pull of the row on b, its torque moved from the mass centre to the joint
#include <fmt/format.h>

#include <driftless/core/errors.hpp>
#include <driftless/mechanics/mechanism.hpp>

namespace driftless::mechanics {

Reaction Mechanism::reaction(const State& state, JointId id) const {
  const Joint& joint = joint_at(id);
  if (joint.joint_a >= 0)
    throw InputError(fmt::format("{} couples two joints, {} and {}; ask for the reactions of those",
                                 joint.name, joint_at({joint.joint_a}).name, joint_at({joint.joint_b}).name));
  const MechanismModel model = finished();
  const std::span<const double> q(state.z.data(), static_cast<std::size_t>(model.nq)),
      v(state.z.data() + model.nq, static_cast<std::size_t>(model.nv));
  Reaction r;
  const Frame<double> a = frame_of(model.body(joint.a.body), q), b = frame_of(model.body(joint.b.body), q);
  const auto add = [&](const std::vector<Row>& rows, int first, int count, const Vector& multipliers) {
    for (int i = first; i < first + count; ++i)
      for (const Row::Term& term : rows[static_cast<std::size_t>(i)].terms) {
        const Pull pull = first_order(model, model.measure(term.measure), q, v).gradient[1];
        const double factor = -multipliers(i) * term.factor;
        r.force += factor * pull.force;
        r.torque += factor * (pull.torque - cross(b.R * joint.b.point, pull.force));
      }
  };
  add(model.rows, joint.first_row, joint.rows, state.lambda);
  add(model.velocity_rows, joint.first_velocity_row, joint.velocity_rows, state.kappa);
  r.own_force = to_body(joint.a.axes, to_body(a.R, r.force));
  r.own_torque = to_body(joint.a.axes, to_body(a.R, r.torque));
  return r;
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
  return all;
}

}  // namespace driftless::mechanics
