// What keeps a mechanism from moving: the joint whose axis, made free, leaves a motion; else those whose removal leaves the fewest. Where an axis is
// wrong, making another one free gains nothing: a loop of parallel axes moves with one ball in it, and one with a tilted axis does not.
//   wanted axis = direction of (w_b - w_a) in the motion that is left
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "io/model/check_parts.hpp"

namespace driftless::io {

namespace {

using mechanics::Joint;
using mechanics::Measure;
using mechanics::Vec3;

constexpr std::size_t most_joints = 100;
constexpr double affordable = 1e9;  // operations for all decisions on the rank

struct Released {
  std::string name;
  int freedoms = 0;
  std::optional<Vec3> axis = {}, wanted = {};  // in the world
};

class Locks {
 public:
  Locks(const CheckedMechanism& mechanism, const State& place) : mechanism_(mechanism), place_(place) {}

  // Joints whose axis alone is released, or all of them, with the fewest freedoms that this gives.
  std::vector<Released> released(bool axes) const {
    std::vector<Released> found;
    const std::vector<Joint>& joints = mechanism_.model.mechanism.joints();
    for (const ModelJoint& own : mechanism_.model.joints) {
      const Joint& joint = joints[static_cast<std::size_t>(own.id.index)];
      if (axes && !has_axis(joint)) continue;
      const auto problem = mechanism_.undriven_without(
          [&](int row) { return belongs(joint, row) && (!axes || kind_of(row) == Measure::Kind::axes); });
      const RowRank rank = rank_at(*problem, place_);
      Released one{own.name, problem->shape().nv - rank.rank};
      if (one.freedoms <= 0) continue;
      if (axes && one.freedoms == 1) tell_axis(*problem, rank, joint, one);
      found.push_back(std::move(one));
    }
    int fewest = std::numeric_limits<int>::max();
    for (const Released& one : found) fewest = std::min(fewest, one.freedoms);
    std::erase_if(found, [&](const Released& one) { return one.freedoms > fewest; });
    return found;
  }

  // Fixed joints that leave a motion where their bodies may turn.
  std::vector<Released> fixed() const {
    std::vector<Released> found;
    for (const ModelJoint& own : mechanism_.model.joints) {
      if (own.type != "fixed") continue;
      const Joint& joint = mechanism_.model.mechanism.joints()[static_cast<std::size_t>(own.id.index)];
      const auto problem = mechanism_.undriven_without([&](int row) {
        return belongs(joint, row) &&
               (kind_of(row) == Measure::Kind::angle || kind_of(row) == Measure::Kind::axes);
      });
      const int freedoms = problem->shape().nv - rank_at(*problem, place_).rank;
      if (freedoms > 0) found.push_back({own.name, freedoms});
    }
    return found;
  }

 private:
  static bool belongs(const Joint& joint, int row) {
    return row >= joint.first_row && row < joint.first_row + joint.rows;
  }
  Measure::Kind kind_of(int row) const {
    const mechanics::Row& own = mechanism_.parts.rows[static_cast<std::size_t>(row)];
    return mechanism_.parts.measure(own.terms.front().measure).kind;
  }
  // Two rows that keep third axes parallel, and none that keeps it from turning about them.
  bool has_axis(const Joint& joint) const {
    int axes = 0;
    for (int i = joint.first_row; i < joint.first_row + joint.rows; ++i)
      axes += kind_of(i) == Measure::Kind::axes;
    return joint.joint_a < 0 && axes == 2;
  }
  void tell_axis(const Problem& problem, const RowRank& rank, const Joint& joint, Released& one) const {
    const std::optional<Matrix> motions = free_motions(problem, place_, rank.left_out);
    if (!motions || motions->cols() < 1 || !motions->allFinite()) return;
    const auto spin = [&](int body) {
      const mechanics::Body& own = mechanism_.parts.body(body);
      if (own.kind == mechanics::Body::Kind::ground) return Vec3{};
      if (own.kind == mechanics::Body::Kind::planar) return Vec3{0, 0, (*motions)(own.v + 2, 0)};
      return mechanism_.results.pose(place_, {body}).R *
             Vec3{(*motions)(own.v + 3, 0), (*motions)(own.v + 4, 0), (*motions)(own.v + 5, 0)};
    };
    Vec3 w = spin(joint.b.body) - spin(joint.a.body);
    if (!(norm(w) > still)) return;
    w = (1 / norm(w)) * w;
    const Vec3 own = joint.a.body == 0 ? joint.a.axes.z
                                       : mechanism_.results.pose(place_, {joint.a.body}).R * joint.a.axes.z;
    one.axis = own;
    one.wanted = dot(w, own) < 0 ? -w : w;
  }

  const CheckedMechanism& mechanism_;
  const State& place_;
};

std::string vector(const Vec3& v) {
  const auto entry = [](double x) { return std::abs(x) < 5e-5 ? 0.0 : x; };
  return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", entry(v.x), entry(v.y), entry(v.z));
}

std::string freedoms(int number) {
  return fmt::format("{} {} of freedom", number, number == 1 ? "degree" : "degrees");
}

std::vector<std::string> names_of(const std::vector<Released>& all) {
  std::vector<std::string> names;
  for (const Released& one : all) names.push_back(one.name);
  return names;
}

}  // namespace

std::string what_locks(const CheckedMechanism& mechanism, const State& place) {
  const std::size_t joints = mechanism.model.joints.size();
  if (joints > most_joints ||
      operations(*mechanism.undriven) * 2.0 * static_cast<double>(joints) > affordable)
    return {};
  const Locks locks(mechanism, place);
  if (const std::vector<Released> axes = locks.released(true); axes.size() == 1 && axes.front().wanted) {
    const Released& one = axes.front();
    return fmt::format(
        "the axis of joint {} locks it: it is {}, and the other joints let their bodies turn about {} there "
        "({} then); give it that axis, or make it spherical",
        one.name, vector(*one.axis), vector(*one.wanted), freedoms(one.freedoms));
  } else if (!axes.empty() && axes.size() < joints) {
    return fmt::format("with the axis of joint {} free, as in a spherical joint, {} would be left; check {}",
                       list_of(names_of(axes), 4), freedoms(axes.front().freedoms),
                       axes.size() == 1 ? "that axis" : "these axes");
  }
  if (const std::vector<Released> fixed = locks.fixed(); fixed.size() == 1)
    return fmt::format(
        "joint {} is fixed, and as a joint that lets its bodies turn (revolute, spherical) it would leave "
        "{}; "
        "check its type",
        fixed.front().name, freedoms(fixed.front().freedoms));
  const std::vector<Released> whole = locks.released(false);
  if (whole.empty()) return {};
  const std::string left = freedoms(whole.front().freedoms);
  if (whole.size() == 1)
    return fmt::format("without joint {} {} would be left; check whether it is meant", whole.front().name,
                       left);
  return fmt::format("without any one of the joints {} {} would be left; check whether all of them are meant",
                     list_of(names_of(whole), 4), left);
}

}  // namespace driftless::io
