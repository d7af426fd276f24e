// Joints beside their bodies: a joint whose place decides the mechanism sits on a shape of each of its bodies, between the body's ends, at one of
// its points or at its origin. Shapes are drawn roughly and have no lugs, so that some of the size of a body is allowed; where no joint sits at the
// end of a body that the joint is nearest to, it was probably meant to, and hardly anything is. What a place decides is read off the rows of the joint:
//   its points coincide, and nothing turns      nothing: a fixed joint anywhere is the same
//   .. and third axes stay parallel             the line of the axis: along it any place is the same
//   .. and bodies turn freely                   the point
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "io/model/body_distance.hpp"
#include "io/model/check_parts.hpp"

namespace driftless::io {

namespace {

using mechanics::Joint;
using mechanics::Marker;
using mechanics::Measure;
using mechanics::Vec3;
using Severity = Finding::Severity;
using Kind = Measure::Kind;

// Of the size of a body:
constexpr double beside_shapes = 0.25, beside_ends = 0.1;  // lugs of a box; of a bar
constexpr double exact = 0.005;                            // where there is no reason for a lug

enum class Seat { anywhere, axis, point };

Seat seat_of(const CheckedParts& mechanism, const Joint& joint) {
  int meeting = 0, across = 0, axes = 0, angles = 0;
  for (int i = joint.first_row; i < joint.first_row + joint.rows; ++i) {
    const mechanics::Row& row = mechanism.parts.rows[static_cast<std::size_t>(i)];
    if (row.terms.size() != 1) continue;
    const Kind kind = mechanism.parts.measure(row.terms.front().measure).kind;
    meeting += kind == Kind::component;
    across += kind == Kind::along;
    axes += kind == Kind::axes;
    angles += kind == Kind::angle;
  }
  if (meeting == 2) return angles == 0 ? Seat::axis : Seat::anywhere;  // in the plane
  if (meeting == 3) return axes < 2 ? Seat::point : axes == 2 ? Seat::axis : Seat::anywhere;
  return across == 2 && axes == 2 ? Seat::axis : Seat::anywhere;
}

class Places {
 public:
  explicit Places(const CheckedParts& mechanism) {
    for (const ModelBody& body : mechanism.model.bodies) bodies_[body.id.index] = &body;
    for (const Joint& joint : mechanism.model.mechanism.joints())
      for (const Marker* marker : {&joint.a, &joint.b})
        if (const std::optional<int> end = end_at(*marker, exact); joint.joint_a < 0 && end)
          ends_in_use_.insert({marker->body, *end});
    for (const ModelPoint& point : mechanism.model.points)
      if (const auto body = bodies_.find(point.body.index); body != bodies_.end())
        points_[point.body.index].push_back(point.arm + body->second->center);
  }

  // The body that the marker is beside, and by how much; null: it sits where it belongs, or nothing is known of the body.
  struct Beside {
    const ModelBody* body = nullptr;
    double distance = 0, allowed = 0;
  };
  // `anywhere`: a body that nothing is known of but its place may have it.
  Beside beside_of(const Marker& marker, Seat seat, bool placed, bool anywhere) const {
    const auto found = bodies_.find(marker.body);
    if (found == bodies_.end()) return {};  // the ground is everywhere
    const ModelBody& body = *found->second;
    if (!has_extent(body) && anywhere) return {};
    const double allowed = allowed_for(marker, body, placed) * size_of(body);
    const Vec3 at = marker.point + body.center;
    const auto known = points_.find(marker.body);
    const std::vector<Vec3>& points = known == points_.end() ? none_ : known->second;
    double distance = distance_from(body, points, {at});
    if (seat == Seat::axis && distance > allowed) distance = distance_from(body, points, {at, marker.axes.z});
    if (!(distance > allowed + roundoff * norm(at))) return {};
    return {&body, distance, allowed};
  }

 private:
  // The end of the body, -1 or 1, that the marker is at: within so much of its length, or at all.
  std::optional<int> end_at(const Marker& marker, double within) const {
    const auto found = bodies_.find(marker.body);
    if (found == bodies_.end() || !found->second->length) return std::nullopt;
    const double length = *found->second->length;
    const Vec3 at = marker.point + found->second->center, u = marker.axes.z;
    const int end = at.x < 0 ? -1 : 1;
    Vec3 gap = at - Vec3{end * length / 2, 0, 0};
    gap -= dot(gap, u) * u;
    return norm(gap) <= within * length ? std::optional(end) : std::nullopt;
  }
  double allowed_for(const Marker& marker, const ModelBody& body, bool placed) const {
    if (!placed) return exact;
    if (!body.length) return beside_shapes;
    const int end = marker.point.x + body.center.x < 0 ? -1 : 1;
    return ends_in_use_.contains({marker.body, end}) ? beside_ends : exact;
  }

  static constexpr double roundoff = 1e-9;
  std::map<int, const ModelBody*> bodies_;
  std::map<int, std::vector<Vec3>> points_;
  std::set<std::pair<int, int>> ends_in_use_;  // of a body, -1 or 1
  const std::vector<Vec3> none_;
};

void look_at_joint(const CheckedParts& mechanism, const Places& places, const ModelJoint& own,
                   const Joint& joint, ModelCheck& check) {
  if (joint.joint_a >= 0) return;  // couples two others
  const Seat seat = seat_of(mechanism, joint);
  if (seat == Seat::anywhere) return;
  const auto length = [&](double si) { return mechanism.told(si, mechanics::length_unit); };
  for (const Marker* marker : {&joint.a, &joint.b}) {
    // Nobody placed it: then one of its bodies must be there, so that the origin of the world is no accident.
    const Marker& other = marker == &joint.a ? joint.b : joint.a;
    const bool anywhere =
        own.placed || (other.body != 0 && !places.beside_of(other, seat, false, false).body);
    const Places::Beside off = places.beside_of(*marker, seat, own.placed, anywhere);
    if (!off.body) continue;
    const std::string what = seat == Seat::axis ? "its axis passes" : "its point is";
    if (own.placed)
      add_finding(check, Severity::warning, "joint-place", "joint " + own.name,
                  fmt::format("{} {} beside body {} (at most {} from its shapes, ends, points and origin "
                              "expected); check at and the units, or give the body a [point.NAME] there if "
                              "that is meant",
                              what, length(off.distance), off.body->name, length(off.allowed)));
    else
      add_finding(check, Severity::error, "joint-place", "joint " + own.name,
                  fmt::format("'at' is missing, and at the origin of the world {} {} beside body {}; write "
                              "where {} and {} meet at the start, like at = {}",
                              what, length(off.distance), off.body->name, own.of.front(), own.of.back(),
                              off.body->planar ? "[0.1, 0]" : "[0.1, 0, 0]"));
    return;
  }
}

}  // namespace

void look_at_joints(const CheckedParts& mechanism, ModelCheck& check) {
  const std::vector<Joint>& joints = mechanism.model.mechanism.joints();
  const Places places(mechanism);
  for (const ModelJoint& own : mechanism.model.joints)
    look_at_joint(mechanism, places, own, joints[static_cast<std::size_t>(own.id.index)], check);
}

}  // namespace driftless::io
