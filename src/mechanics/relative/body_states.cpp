#include "mechanics/relative/body_states.hpp"

#include <numbers>

#include "mechanics/places.hpp"

namespace driftless::mechanics {

namespace {

using Kind = TreeJoint::Kind;

void put(const Vec3& values, double* to) {
  to[0] = values.x, to[1] = values.y, to[2] = values.z;
}

// The quaternion of a body from that of its parent; i: its joint in the tree.
Quaternion hanging(const RelativeModel& model, std::size_t i, std::span<const double> q,
                   const Quaternion& parent, const PoseOf<double>& child) {
  const TreeJoint& j = model.tree[i];
  if (j.flat()) return about(2, child.angle);
  const auto& ends = model.joint_ends[i];
  const Quaternion turn = product(product(ends.before, joint_quaternion(j, q)), ends.behind);
  return product(parent, j.child_is_b() ? turn : inverse(turn));
}

// The coordinates and velocities of one joint, measured between two bodies; entries of z that are written: those of the joint.
class Measured {
 public:
  Measured(const RelativeModel& model, const TreeJoint& joint, const PoseOf<double>& a,
           const PoseOf<double>& b, std::span<const double> absolute_q)
      : model_(model), j_(joint), a_(a), b_(b), absolute_q_(absolute_q) {}

  void put_coordinates(double* q) const {
    const Vec3 s = to_body(A(), b_.r + b_.R * j_.b.point - a_.r - a_.R * j_.a.point);
    switch (j_.kind) {
      case Kind::fixed:
      case Kind::flat_fixed:
        break;
      case Kind::revolute:
      case Kind::screw:
        q[0] = angle();
        break;
      case Kind::prismatic:
      case Kind::flat_prismatic:
        q[0] = s.z;
        break;
      case Kind::cylindrical:
        q[0] = s.z, q[1] = angle();
        break;
      case Kind::universal: {
        q[0] = angle();
        const Mat3 first = A() * turned_in_plane(q[0]), B = b_.R * j_.b.axes;
        q[1] = std::atan2(dot(B.y, first.z), dot(B.y, first.y));
        break;
      }
      case Kind::planar:
        q[0] = s.x, q[1] = s.y, q[2] = angle();
        break;
      case Kind::free:
        put(b_.r, q);
        q += 3;
        [[fallthrough]];
      case Kind::spherical: {
        const Quaternion p = quaternion_of(transposed(A()) * (b_.R * j_.b.axes));
        std::copy(p.begin(), p.end(), q);
        break;
      }
      case Kind::flat_revolute:
        q[0] = b_.angle - a_.angle - j_.offset;
        break;
      case Kind::flat_free:
        q[0] = b_.r.x, q[1] = b_.r.y, q[2] = b_.angle;
        break;
    }
  }

  // Of what the bodies do, as much as the joint can: its freedoms are along axes that are perpendicular to each other.
  void put_velocities(double* v) const {
    std::array<Freedom<double>, 6> freedoms;
    const int count = freedoms_of(j_, a_, b_, freedoms);
    const Vec3 eb = b_.R * j_.b.point, e = b_.r + eb - a_.r, turn = b_.w - a_.w,
               slide = b_.v + cross(b_.w, eb) - a_.v - cross(a_.w, e);
    for (int k = 0; k < count; ++k) {
      const Freedom<double>& f = freedoms[static_cast<std::size_t>(k)];
      v[k] = f.turn == Vec3{} ? dot(f.slide, slide) : dot(f.turn, turn);
    }
  }

 private:
  Mat3 A() const { return a_.R * j_.a.axes; }
  // Whole turns as far as they are counted.
  double angle() const {
    double near = 0;
    for (const JointCoordinate& c : model_.joints[static_cast<std::size_t>(j_.joint)].coordinates)
      if (const int entry = model_.absolute.measure(c.measure).entry; entry >= 0)
        near = absolute_q_[static_cast<std::size_t>(entry)];
    const Vec3 turned = b_.R * j_.b.axes.x;
    const Mat3 axes = A();
    return near +
           std::remainder(std::atan2(dot(turned, axes.y), dot(turned, axes.x)) - near, 2 * std::numbers::pi);
  }

  const RelativeModel& model_;
  const TreeJoint& j_;
  const PoseOf<double>&a_, &b_;
  std::span<const double> absolute_q_;
};

}  // namespace

Quaternion joint_quaternion(const TreeJoint& j, std::span<const double> all) {
  const auto q = all.subspan(static_cast<std::size_t>(j.q));
  switch (j.kind) {
    case Kind::spherical:
      return {q[0], q[1], q[2], q[3]};
    case Kind::free:
      return {q[3], q[4], q[5], q[6]};
    case Kind::universal:
      return product(about(2, q[0]), about(0, q[1]));
    default:
      return angle_entry(j.kind) < 0 ? Quaternion{1, 0, 0, 0}
                                     : about(2, q[static_cast<std::size_t>(angle_entry(j.kind))]);
  }
}

void choose_signs(RelativeModel& model, VectorIn z, VectorIn absolute_q) {
  const auto q = numbers(z.data(), model.nq), v = numbers(z.data() + model.nq, model.nv);
  std::vector<Moved> bodies(static_cast<std::size_t>(model.bodies()));
  move_tree<Depth::places, double>(model, q, v, bodies);
  std::vector<Quaternion> turns(bodies.size(), {1, 0, 0, 0});
  model.joint_ends.clear();
  for (std::size_t i = 0; i < model.tree.size(); ++i) {
    const TreeJoint& j = model.tree[i];
    const auto child = static_cast<std::size_t>(j.child);
    model.joint_ends.push_back({quaternion_of(j.a.axes), quaternion_of(j.behind)});
    turns[child] = hanging(model, i, q, turns[static_cast<std::size_t>(j.parent)], bodies[child].pose);
    const Body& body = model.absolute.bodies[child];
    if (body.kind != Body::Kind::spatial ||
        Eigen::Map<const Eigen::Vector4d>(turns[child].data()).dot(absolute_q.segment<4>(body.q + 3)) >= 0)
      continue;
    for (double& entry : model.joint_ends[i].behind) entry = -entry;
    for (double& entry : turns[child]) entry = -entry;
  }
}

BodyStates body_states(const RelativeModel& model, VectorIn z) {
  const auto q = numbers(z.data(), model.nq), v = numbers(z.data() + model.nq, model.nv);
  std::vector<Moved> bodies(static_cast<std::size_t>(model.bodies()));
  move_tree<Depth::velocities, double>(model, q, v, bodies);
  std::vector<Quaternion> turns(bodies.size(), {1, 0, 0, 0});
  for (std::size_t i = 0; i < model.tree.size(); ++i) {
    const auto child = static_cast<std::size_t>(model.tree[i].child),
               parent = static_cast<std::size_t>(model.tree[i].parent);
    turns[child] = hanging(model, i, q, turns[parent], bodies[child].pose);
  }
  BodyStates states{Vector::Zero(model.absolute.nq), Vector::Zero(model.absolute.nv)};
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const Body& body = model.absolute.bodies[i];
    const PoseOf<double>& pose = bodies[i].pose;
    double *to_q = states.q.data() + body.q, *to_v = states.v.data() + body.v;
    if (body.kind == Body::Kind::planar) {
      put({pose.r.x, pose.r.y, pose.angle}, to_q);
      put({pose.v.x, pose.v.y, pose.w.z}, to_v);
    } else {
      put(pose.r, to_q);
      std::copy(turns[i].begin(), turns[i].end(), to_q + 3);
      put(pose.v, to_v);
      put(to_body(pose.R, pose.w), to_v + 3);
    }
  }
  for (const int i : model.absolute.turns)
    states.q(model.absolute.measure(i).entry) = q[static_cast<std::size_t>(model.measure(i).entry)];
  return states;
}

Vector joint_states(const RelativeModel& model, VectorIn q, VectorIn v) {
  const auto absolute_q = numbers(q.data(), q.size()), absolute_v = numbers(v.data(), v.size());
  Vector z = Vector::Zero(model.nq + model.nv);
  const auto own_q = numbers(z.data(), model.nq), own_v = numbers(z.data() + model.nq, model.nv);
  std::vector<Moved> bodies(static_cast<std::size_t>(model.bodies()));
  bodies[0].pose.R = identity3;
  for (const TreeJoint& j : model.tree) {
    const Moved& parent = bodies[static_cast<std::size_t>(j.parent)];
    Moved& child = bodies[static_cast<std::size_t>(j.child)];
    child.pose = pose_of(model.body(j.child), absolute_q, absolute_v);
    const bool forth = j.child_is_b();
    const Measured measured(model, j, forth ? parent.pose : child.pose, forth ? child.pose : parent.pose,
                            absolute_q);
    measured.put_coordinates(z.data() + j.q);
    if (j.kind == Kind::free) z.segment<7>(j.q) = q.segment<7>(model.body(j.child).q);
    measured.put_velocities(z.data() + model.nq + j.v);
    child.arms = place_child(j, own_q, parent.pose, child.pose);
    move_child<false>(j, own_v, parent, child);
  }
  for (const auto& turn : model.turns) z(model.measure(turn.measure).entry) = q(turn.absolute_entry);
  return z;
}

}  // namespace driftless::mechanics
