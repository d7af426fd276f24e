// The equations of a mechanism in relative coordinates as a model (core/model.hpp) for any scalar: everything is evaluated on the bodies,
// which the tree places, and what acts on them is brought back along it:
//   f_r = sum over bodies of V^T (forces - inertia . accelerations that velocities make)       Newton and Euler, inward
//   M_r = V^T M V                                                                              bodies joined to what hangs on them, inward
// This is the definition, from which derivatives come automatically; tree_dynamics.hpp has what is needed often, on double.
// Memory for the bodies comes from an arena, so that nothing is allocated while stepping.
#pragma once

#include <type_traits>

#include <driftless/core/arena.hpp>
#include <driftless/core/model.hpp>

#include "mechanics/relative/relative_model.hpp"

namespace driftless::mechanics {

// How hard a force pushes along its measure y; first(i) gives other measures that it reads.
template <class T, class First>
T push_of(const Force& force, const T& t, const FirstOrder<T>& y, First first) {
  std::array<T, 2 * ExpressionLaw::most_inputs> inputs;
  std::size_t count = 0;
  if (const auto* law = std::get_if<ExpressionLaw>(&force.law))
    for (const int i : law->inputs) {
      const FirstOrder<T> u = first(i);
      inputs[count++] = u.value;
      inputs[count++] = u.rate;
    }
  const std::span<const T> given(inputs.data(), count);
  return std::visit([&](const auto& law) { return law.force(t, y.value, y.rate, given); }, force.law);
}

// All bodies at a place in relative coordinates.
template <class T>
struct Bodies {
  const RelativeModel& model;
  std::span<const T> q;
  std::span<MovedOf<T>> all;

  const MovedOf<T>& operator[](int body) const { return all[static_cast<std::size_t>(body)]; }
  T value(const Measure& m) const { return value_of<T>(m, (*this)[m.a].pose, (*this)[m.b].pose, q); }
  FirstOrder<T> first(const Measure& m) const {
    return first_order<T>(m, (*this)[m.a].pose, (*this)[m.b].pose, q);
  }
  T push(const Force& force, const T& t, const FirstOrder<T>& y) const {
    return push_of<T>(force, t, y, [&](int i) { return first(model.measure(i)); });
  }

  // Forces and what velocities make of inertia, on each body, about its mass centre.
  void pulls(const T& t, std::span<PullOf<T>> on) const {
    for (std::size_t i = 1; i < on.size(); ++i) {
      const Body& body = model.absolute.bodies[i];
      const MovedOf<T>& at = all[i];
      const Vector3<T> w = to_body(at.pose.R, at.pose.w), turning = to_body(at.pose.R, at.turning);
      on[i].force = body.mass * (lifted<T>(model.absolute.gravity) - at.acceleration);
      on[i].torque = at.pose.R * (cross(body.inertia * w, w) - body.inertia * turning);
    }
    for (const Force& force : model.absolute.forces) {
      const Measure& m = model.measure(force.measure);
      const FirstOrder<T> y = first(m);
      const T along = push(force, t, y);
      const int ends[] = {m.a, m.b};
      for (std::size_t side = 0; side < 2; ++side) {
        PullOf<T>& pull = on[static_cast<std::size_t>(ends[side])];
        pull.force += along * y.gradient[side].force;
        pull.torque += along * y.gradient[side].torque;
      }
    }
  }
};

// What a pull on the child is for its parent.
template <class T>
void hand_on(const PullOf<T>& pull, const Vector3<T>& from_parent, PullOf<T>& parent) {
  parent.force += pull.force;
  parent.torque += pull.torque + cross(from_parent, pull.force);
}

struct RelativeEquations {
  const RelativeModel& model;
  Arena& scratch;
  int nq = model.nq, nv = model.nv, ng = model.ng, nk = model.nk;
  bool moving = model.moving;

  void mass(auto t, auto q, auto M) const;
  void force(auto t, auto q, auto v, auto f) const;
  void kinematics(auto t, auto q, auto v, auto rates) const;
  void normalize(auto q) const;
  void constraint(auto t, auto q, auto g) const;
  void velocity_constraint(auto t, auto q, auto v, auto w) const;
  auto energy(auto t, auto q, auto v) const;
  auto power(auto t, auto q, auto v) const;

  // Valid until the scope in which it is called gives the arena back.
  template <Depth depth, class T>
  Bodies<T> bodies(std::span<const T> q, std::span<const T> v) const {
    const auto all = scratch.take<MovedOf<T>>(model.bodies());
    move_tree<depth, T>(model, q, v, all);
    return {model, q, all};
  }
};

// A body with all that hangs on it, as if it were one.
template <class T>
struct Composite {
  double mass = 0;
  Vector3<T> center{};
  Matrix3<T> inertia{};  // about its centre

  // 1 s^2 - s s^T for the distance s of a part from the common centre.
  static void add_part(double part, const Vector3<T>& s, Matrix3<T>& J) {
    const T square = dot(s, s);
    J.x += part * (Vector3<T>{square, T(0), T(0)} - s.x * s);
    J.y += part * (Vector3<T>{T(0), square, T(0)} - s.y * s);
    J.z += part * (Vector3<T>{T(0), T(0), square} - s.z * s);
  }
  void join(const Composite& other) {
    if (other.mass == 0) return;  // nor has it any inertia
    const double sum = mass + other.mass;
    const Vector3<T> apart = other.center - center;
    inertia.x += other.inertia.x, inertia.y += other.inertia.y, inertia.z += other.inertia.z;
    add_part(mass * other.mass / sum, apart, inertia);
    center += (other.mass / sum) * apart;
    mass = sum;
  }
  // What it takes to move it so; the motion and the pull are about r.
  PullOf<T> pull(const TwistOf<T>& motion, const Vector3<T>& r) const {
    const Vector3<T> arm = center - r, force = mass * (motion.linear + cross(motion.angular, arm));
    return {force, inertia * motion.angular + cross(arm, force)};
  }
};

void RelativeEquations::mass(auto, auto q, auto M) const {
  using T = std::remove_cvref_t<decltype(M(0, 0))>;
  Arena::Release scope(scratch);
  const Bodies<T> at = bodies<Depth::places, T>(q, {});
  const auto whole = scratch.take<Composite<T>>(model.bodies());
  const auto columns = scratch.take<TwistOf<T>>(nv);
  const auto links = scratch.take<int>(model.bodies());
  for (std::size_t i = 1; i < whole.size(); ++i) {
    const Body& body = model.absolute.bodies[i];
    const Matrix3<T>& R = at.all[i].pose.R;
    whole[i] = {body.mass, at.all[i].pose.r, times(times(R, body.inertia), transpose_of(R))};
  }
  for (std::size_t i = 0; i < model.tree.size(); ++i) {
    const TreeJoint& j = model.tree[i];
    std::array<TwistOf<T>, 6> own;
    const int count = columns_of(j, at[j.parent], at[j.child], own);
    std::copy_n(own.begin(), count, columns.begin() + j.v);
    links[static_cast<std::size_t>(j.child)] = static_cast<int>(i);
  }
  for (auto j = model.tree.rbegin(); j != model.tree.rend(); ++j) {
    const Composite<T>& moved = whole[static_cast<std::size_t>(j->child)];
    for (int k = j->v; k < j->v + j->velocities(); ++k) {
      PullOf<T> pull = moved.pull(columns[static_cast<std::size_t>(k)], at[j->child].pose.r);
      for (int body = j->child; body > 0;) {
        const TreeJoint& up = model.tree[static_cast<std::size_t>(links[static_cast<std::size_t>(body)])];
        for (int i = up.v; i < up.v + up.velocities() && i <= k; ++i)
          M(i, k) = M(k, i) = power_of(columns[static_cast<std::size_t>(i)], pull);
        PullOf<T> handed;
        hand_on<T>(pull, at[body].arms.body, handed);
        pull = handed;
        body = up.parent;
      }
    }
    if (j->parent > 0) whole[static_cast<std::size_t>(j->parent)].join(moved);
  }
}

void RelativeEquations::force(auto t, auto q, auto v, auto f) const {
  using T = std::remove_cvref_t<decltype(f[0])>;
  Arena::Release scope(scratch);
  const Bodies<T> at = bodies<Depth::accelerations, T>(q, v);
  const auto pulls = scratch.take<PullOf<T>>(model.bodies());
  at.pulls(T(t), pulls);
  for (auto j = model.tree.rbegin(); j != model.tree.rend(); ++j) {
    std::array<TwistOf<T>, 6> columns;
    const int count = columns_of(*j, at[j->parent], at[j->child], columns);
    const PullOf<T>& pull = pulls[static_cast<std::size_t>(j->child)];
    for (int k = 0; k < count; ++k)
      f[static_cast<std::size_t>(j->v + k)] = power_of(columns[static_cast<std::size_t>(k)], pull);
    hand_on<T>(pull, at[j->child].arms.body, pulls[static_cast<std::size_t>(j->parent)]);
  }
}

void RelativeEquations::kinematics(auto, auto q, auto v, auto rates) const {
  using T = std::remove_cvref_t<decltype(rates[0])>;
  for (const TreeJoint& j : model.tree) joint_rates<T>(j, q, v, rates);
  if (model.turns.empty()) return;
  Arena::Release scope(scratch);
  const Bodies<T> at = bodies<Depth::velocities, T>(q, v);
  for (const auto& turn : model.turns) {
    const Measure& m = model.measure(turn.measure);
    rates[static_cast<std::size_t>(m.entry)] = at.first(m).rate;
  }
}

void RelativeEquations::normalize(auto q) const {
  for (const TreeJoint& j : model.tree) {
    if (j.kind != TreeJoint::Kind::spherical && j.kind != TreeJoint::Kind::free) continue;
    const auto p = q.subspan(static_cast<std::size_t>(j.q + j.coordinates() - 4), 4);
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (double& entry : p) entry /= length;
  }
  if (model.turns.empty()) return;
  Arena::Release scope(scratch);
  const Bodies<double> at = bodies<Depth::places, double>(q, {});
  for (const auto& own : model.turns) {
    const Measure& m = model.measure(own.measure);
    double& turn = q[static_cast<std::size_t>(m.entry)];
    turn = nearest_turn(m, at[m.a].pose.R, at[m.b].pose.R, turn);
  }
}

void RelativeEquations::constraint(auto t, auto q, auto g) const {
  using T = std::remove_cvref_t<decltype(g[0])>;
  Arena::Release scope(scratch);
  const Bodies<T> at = bodies<Depth::places, T>(q, {});
  for (int i = 0; i < ng; ++i) {
    const Row& row = model.row(i);
    T sum(-row.offset);
    if (row.motion >= 0) sum -= model.absolute.motions[static_cast<std::size_t>(row.motion)].value(T(t));
    for (const Row::Term& term : row.terms) sum += term.value(at.value(model.measure(term.measure)));
    g[static_cast<std::size_t>(i)] = sum;
  }
}

void RelativeEquations::velocity_constraint(auto, auto q, auto v, auto w) const {
  using T = std::remove_cvref_t<decltype(w[0])>;
  Arena::Release scope(scratch);
  const Bodies<T> at = bodies<Depth::velocities, T>(q, v);
  for (int i = 0; i < nk; ++i) {
    const Row& row = model.row(ng + i);
    T sum(-row.offset);
    for (const Row::Term& term : row.terms) sum += term.factor * at.first(model.measure(term.measure)).rate;
    w[static_cast<std::size_t>(i)] = sum;
  }
}

auto RelativeEquations::energy(auto, auto q, auto v) const {
  using T = std::remove_cvref_t<decltype(q[0] * v[0])>;
  Arena::Release scope(scratch);
  const Bodies<T> at = bodies<Depth::velocities, T>(q, v);
  T sum(0);
  for (std::size_t i = 1; i < at.all.size(); ++i) {
    const Body& body = model.absolute.bodies[i];
    const PoseOf<T>& pose = at.all[i].pose;
    const Vector3<T> w = to_body(pose.R, pose.w);
    sum += body.mass / 2 * dot(pose.v, pose.v) + 0.5 * dot(w, body.inertia * w) -
           body.mass * dot(model.absolute.gravity, pose.r);
  }
  for (const Force& force : model.absolute.forces)
    if (const auto* spring = std::get_if<SpringLaw>(&force.law))
      sum += spring->energy(at.first(model.measure(force.measure)).value);
  return sum;
}

auto RelativeEquations::power(auto t, auto q, auto v) const {
  using T = std::remove_cvref_t<decltype(q[0] * v[0])>;
  Arena::Release scope(scratch);
  const Bodies<T> at = bodies<Depth::velocities, T>(q, v);
  T sum(0);
  for (const Force& force : model.absolute.forces) {
    const auto* spring = std::get_if<SpringLaw>(&force.law);
    if (spring && !spring->dissipates()) continue;
    const FirstOrder<T> y = at.first(model.measure(force.measure));
    sum += spring ? T(-spring->drag(y.rate) * y.rate) : T(at.push(force, T(t), y) * y.rate);
  }
  return sum;
}

}  // namespace driftless::mechanics
