// MechanismModel: bodies, rows of measures that vanish and forces along measures, as a model (core/model.hpp) for any scalar:
//   position row    g = sum of factor . measure^power - offset - motion(t)
//   velocity row    w = sum of factor . rate
//   force           tension . gradient of a measure on its two bodies
// This is the definition; mechanism_problem.hpp has the formulas for its derivatives.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <driftless/core/model.hpp>
#include <driftless/mechanics/force_law.hpp>
#include <driftless/mechanics/measure.hpp>

namespace driftless::mechanics {

struct Row {
  struct Term {
    int measure;
    double factor;
    int power = 1;  // of rows of positions

    // With its derivatives by x, the value of the measure.
    template <class T>
    T value(const T& x) const {
      T product = factor * x;
      for (int i = 1; i < power; ++i) product = product * x;
      return product;
    }
    template <class T>
    T slope(const T& x) const {
      T product(factor * power);
      for (int i = 1; i < power; ++i) product = product * x;
      return product;
    }
    double bend(double x) const {
      double product = factor * power * (power - 1);
      for (int i = 2; i < power; ++i) product *= x;
      return product;
    }
  };
  std::string name;
  std::vector<Term> terms;
  double offset = 0;
  int motion = -1;  // -1: none
};

struct Force {
  std::string name;
  int measure = 0;
  ForceLaw law;
};

// Two axes that a joint makes parallel and that must point the same way, which its rows, products with others that vanish, do not say.
struct Facing {
  std::string joint;
  Measure axes;
};

struct MechanismModel {
  std::vector<Body> bodies;  // the first is the ground
  std::vector<Measure> measures;
  std::vector<int> turns;  // measures that have a coordinate of their own, in the order of q
  std::vector<std::string> turn_names;
  std::vector<Row> rows, velocity_rows;
  std::vector<Facing> facing;
  std::vector<Motion> motions;
  std::vector<Force> forces;
  Vec3 gravity = {};
  double assembly = 1e-6;  // Scales::assembly

  int nq = 0, nv = 0, ng = 0, nk = 0;
  std::vector<int> mass_blocks;
  bool moving = false;

  void mass(auto t, auto q, auto M) const;
  void force(auto t, auto q, auto v, auto f) const;
  void kinematics(auto t, auto q, auto v, auto rates) const;
  void normalize(auto q) const;
  void constraint(auto t, auto q, auto g) const;
  void velocity_constraint(auto t, auto q, auto v, auto w) const;
  auto energy(auto t, auto q, auto v) const;
  auto power(auto t, auto q, auto v) const;

  template <class T>
  void body_forces(std::span<const T> v, std::span<T> f) const;  // gravity and -w x J w

  // How hard a force pushes along its measure y.
  template <class T>
  T push(const Force& force, const T& t, const FirstOrder<T>& y, std::span<const T> q,
         std::span<const T> v) const;

  // Which formula, motion or function has no value there and why, as one phrase; empty: none is known. Cold.
  std::string fault(double t, std::span<const double> q, std::span<const double> v) const;

  std::string coordinate_name(int i) const;
  std::string velocity_name(int i) const;
  std::string constraint_name(int row) const;

  // How much there is, and back to that: what was refused half way leaves nothing behind.
  struct Extent {
    std::size_t measures, turns, rows, velocity_rows, facing, motions, forces;
  };
  Extent extent() const;
  void cut_back(const Extent& to);

  void ask_for(int measure);  // its value is needed: a `turn` gets a coordinate of its own
  const Body& body(int i) const { return bodies[static_cast<std::size_t>(i)]; }
  const Measure& measure(int i) const { return measures[static_cast<std::size_t>(i)]; }
};

template <class T>
PoseOf<T> pose_of(const Body& body, std::span<const T> q) {
  const Frame<T> f = frame_of(body, q);
  PoseOf<T> pose{.r = f.r, .R = f.R};
  if (body.kind == Body::Kind::planar) pose.angle = q[static_cast<std::size_t>(body.q) + 2];
  return pose;
}
template <class T>
PoseOf<T> pose_of(const Body& body, std::span<const T> q, std::span<const T> v) {
  PoseOf<T> pose = pose_of(body, q);
  const Velocities<T> m = velocities_of(body, pose.R, v);
  pose.v = m.v;
  pose.w = m.w;
  return pose;
}

// A force and a torque about world axes, added to the entries of a body.
template <class T>
void add_pull(const Body& body, const Matrix3<T>& R, const Vector3<T>& force, const Vector3<T>& torque,
              auto&& f) {
  const auto at = static_cast<std::size_t>(body.v);
  if (body.kind == Body::Kind::ground) return;
  f[at] += force.x;
  f[at + 1] += force.y;
  if (body.kind == Body::Kind::planar) {
    f[at + 2] += torque.z;
    return;
  }
  f[at + 2] += force.z;
  const Vector3<T> own = to_body(R, torque);
  f[at + 3] += own.x;
  f[at + 4] += own.y;
  f[at + 5] += own.z;
}

template <class T>
FirstOrder<T> first_order(const MechanismModel& model, const Measure& m, std::span<const T> q,
                          std::span<const T> v) {
  return first_order(m, pose_of(model.body(m.a), q, v), pose_of(model.body(m.b), q, v), q);
}

void MechanismModel::mass(auto, auto, auto M) const {
  for (const Body& b : bodies) {
    if (b.kind == Body::Kind::ground) continue;
    const int linear = b.kind == Body::Kind::planar ? 2 : 3;
    for (int i = 0; i < linear; ++i) M(b.v + i, b.v + i) = b.mass;
    if (b.kind == Body::Kind::planar) {
      M(b.v + 2, b.v + 2) = b.inertia.z.z;
      continue;
    }
    const Vec3* columns[] = {&b.inertia.x, &b.inertia.y, &b.inertia.z};
    for (int j = 0; j < 3; ++j) {
      M(b.v + 3, b.v + 3 + j) = columns[j]->x;
      M(b.v + 4, b.v + 3 + j) = columns[j]->y;
      M(b.v + 5, b.v + 3 + j) = columns[j]->z;
    }
  }
}

template <class T>
void MechanismModel::body_forces(std::span<const T> v, std::span<T> f) const {
  for (const Body& b : bodies) {
    if (b.kind == Body::Kind::ground) continue;
    const auto at = static_cast<std::size_t>(b.v);
    f[at] += b.mass * gravity.x;
    f[at + 1] += b.mass * gravity.y;
    if (b.kind == Body::Kind::planar) continue;
    f[at + 2] += b.mass * gravity.z;
    const Vector3<T> w{v[at + 3], v[at + 4], v[at + 5]}, gyroscopic = cross(b.inertia * w, w);
    f[at + 3] += gyroscopic.x;
    f[at + 4] += gyroscopic.y;
    f[at + 5] += gyroscopic.z;
  }
}

template <class T>
T MechanismModel::push(const Force& force, const T& t, const FirstOrder<T>& y, std::span<const T> q,
                       std::span<const T> v) const {
  std::array<T, 2 * ExpressionLaw::most_inputs> inputs;
  std::size_t count = 0;
  if (const auto* law = std::get_if<ExpressionLaw>(&force.law))
    for (const int i : law->inputs) {
      const FirstOrder<T> u = first_order<T>(*this, measure(i), q, v);
      inputs[count++] = u.value;
      inputs[count++] = u.rate;
    }
  const std::span<const T> given(inputs.data(), count);
  return std::visit([&](const auto& law) { return law.force(t, y.value, y.rate, given); }, force.law);
}

void MechanismModel::force(auto t, auto q, auto v, auto f) const {
  using T = std::remove_cvref_t<decltype(f[0])>;
  body_forces<T>(v, f);
  for (const Force& force : forces) {
    const Measure& m = measure(force.measure);
    const auto a = pose_of<T>(body(m.a), q, v), b = pose_of<T>(body(m.b), q, v);
    const FirstOrder<T> y = first_order<T>(m, a, b, q);
    const T along = push<T>(force, T(t), y, q, v);
    add_pull(body(m.a), a.R, along * y.gradient[0].force, along * y.gradient[0].torque, f);
    add_pull(body(m.b), b.R, along * y.gradient[1].force, along * y.gradient[1].torque, f);
  }
}

void MechanismModel::kinematics(auto, auto q, auto v, auto rates) const {
  using T = std::remove_cvref_t<decltype(rates[0])>;
  for (const Body& b : bodies) {
    if (b.kind == Body::Kind::ground) continue;
    const auto from = static_cast<std::size_t>(b.v), to = static_cast<std::size_t>(b.q);
    for (std::size_t i = 0; i < 3; ++i) rates[to + i] = v[from + i];
    if (b.kind == Body::Kind::spatial)
      quaternion_rates<T>(q.subspan(to + 3, 4), v[from + 3], v[from + 4], v[from + 5],
                          rates.subspan(to + 3, 4));
  }
  for (const int i : turns)
    rates[static_cast<std::size_t>(measure(i).entry)] = first_order<T>(*this, measure(i), q, v).rate;
}

void MechanismModel::constraint(auto t, auto q, auto g) const {
  using T = std::remove_cvref_t<decltype(g[0])>;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    T sum(-rows[i].offset);
    if (rows[i].motion >= 0) sum -= motions[static_cast<std::size_t>(rows[i].motion)].value(T(t));
    for (const Row::Term& term : rows[i].terms) {
      const Measure& m = measure(term.measure);
      sum += term.value(value_of<T>(m, pose_of<T>(body(m.a), q), pose_of<T>(body(m.b), q), q));
    }
    g[i] = sum;
  }
}

void MechanismModel::velocity_constraint(auto, auto q, auto v, auto w) const {
  using T = std::remove_cvref_t<decltype(w[0])>;
  for (std::size_t i = 0; i < velocity_rows.size(); ++i) {
    T sum(-velocity_rows[i].offset);
    for (const Row::Term& term : velocity_rows[i].terms)
      sum += term.factor * first_order<T>(*this, measure(term.measure), q, v).rate;
    w[i] = sum;
  }
}

auto MechanismModel::energy(auto, auto q, auto v) const {
  using T = std::remove_cvref_t<decltype(q[0] * v[0])>;
  T sum(0);
  for (const Body& b : bodies) {
    if (b.kind == Body::Kind::ground) continue;
    const auto at = static_cast<std::size_t>(b.v), place = static_cast<std::size_t>(b.q);
    sum += b.mass / 2 * (v[at] * v[at] + v[at + 1] * v[at + 1]) -
           b.mass * (gravity.x * q[place] + gravity.y * q[place + 1]);
    if (b.kind == Body::Kind::planar) {
      sum += b.inertia.z.z / 2 * v[at + 2] * v[at + 2];
      continue;
    }
    const Vector3<T> w{v[at + 3], v[at + 4], v[at + 5]};
    sum +=
        b.mass / 2 * v[at + 2] * v[at + 2] - b.mass * gravity.z * q[place + 2] + 0.5 * dot(w, b.inertia * w);
  }
  for (const Force& force : forces)
    if (const auto* spring = std::get_if<SpringLaw>(&force.law))
      sum += spring->energy(first_order<T>(*this, measure(force.measure), q, v).value);
  return sum;
}

auto MechanismModel::power(auto t, auto q, auto v) const {
  using T = std::remove_cvref_t<decltype(q[0] * v[0])>;
  T sum(0);
  for (const Force& force : forces) {
    const auto* spring = std::get_if<SpringLaw>(&force.law);
    if (spring && !spring->dissipates()) continue;
    const FirstOrder<T> y = first_order<T>(*this, measure(force.measure), q, v);
    sum += spring ? T(-spring->drag(y.rate) * y.rate) : T(push<T>(force, T(t), y, q, v) * y.rate);
  }
  return sum;
}

void MechanismModel::normalize(auto q) const {
  for (const Body& b : bodies) {
    if (b.kind != Body::Kind::spatial) continue;
    const auto p = q.subspan(static_cast<std::size_t>(b.q) + 3, 4);
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (double& entry : p) entry /= length;
  }
  for (const int i : turns) {
    const Measure& m = measure(i);
    double& turn = q[static_cast<std::size_t>(m.entry)];
    const std::span<const double> all = q;
    turn = nearest_turn(m, frame_of(body(m.a), all).R, frame_of(body(m.b), all).R, turn);
  }
}

}  // namespace driftless::mechanics
