// Joints beside their bodies: a joint whose place decides the mechanism sits on a shape of each of its bodies, between the body's ends, at one of
// its points or at its origin. Shapes are drawn roughly and have no lugs, so that some of the size of a body is allowed; where no joint sits at the
// end of a body that the joint is nearest to, it was probably meant to, and hardly anything is; the same where ends of two bodies meet, no joint sits
// there, and one of both sits beside. What a place decides is read off the rows of the joint:
//   its points coincide, and nothing turns      nothing: a fixed joint anywhere is the same
//   .. and third axes stay parallel             the line of the axis: along it any place is the same
//   .. and bodies turn freely                   the point
#include <fmt/format.h>

#include "io/model/body_places.hpp"
#include "io/model/check_parts.hpp"

namespace driftless::io {

namespace {

using mechanics::Joint;
using mechanics::Marker;
using mechanics::Measure;
using mechanics::Vec3;
using Severity = Finding::Severity;
using Kind = Measure::Kind;

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

// Ends of a body and its origin, in the world; of the ground none.
std::vector<Vec3> ends_of(const CheckedParts& mechanism, int body) {
  std::vector<Vec3> ends;
  for (const ModelBody& own : mechanism.model.bodies) {
    if (own.id.index != body) continue;
    const mechanics::Pose pose = mechanism.results.pose(mechanism.model.mechanism.start(), own.id);
    for (const double x : own.length ? std::vector{-0.5, 0.5} : std::vector{0.0})
      ends.push_back(pose.r + pose.R * (Vec3{x * own.length.value_or(0), 0, 0} - own.center));
  }
  return ends;
}

// ", like at = [..]" where an end of one body is that of the other, and nothing where they are apart.
std::string meeting_place(const CheckedParts& mechanism, const Joint& joint) {
  for (const Vec3& a : ends_of(mechanism, joint.a.body))
    for (const Vec3& b : ends_of(mechanism, joint.b.body)) {
      if (norm(a - b) > 1e-6 * std::max(norm(a), norm(b))) continue;
      const auto told = [&](double si) {
        const double number = mechanism.in_units(si, mechanics::length_unit, "").value;
        return fmt::format("{:.6g}", std::abs(si) < 1e-9 * norm(a) ? 0.0 : number);
      };
      const bool planar = mechanism.parts.body(joint.b.body).kind == mechanics::Body::Kind::planar;
      return fmt::format(", which is at = [{}, {}{}]", told(a.x), told(a.y), planar ? "" : ", " + told(a.z));
    }
  return {};
}

void look_at_joint(const CheckedParts& mechanism, const BodyPlaces& places, const ModelJoint& own,
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
    const BodyPlaces::Beside off = places.beside_of(*marker, seat, own.placed, anywhere);
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
                              "where {} and {} meet at the start{}",
                              what, length(off.distance), off.body->name, own.of.front(), own.of.back(),
                              meeting_place(mechanism, joint)));
    return;
  }
  if (const double off = own.placed ? places.beside_ends_of(joint.a, joint.b) : 0; off > 0)
    add_finding(check, Severity::warning, "joint-place", "joint " + own.name,
                fmt::format("it is {} beside the place where an end of {} meets one of {}, and no joint sits "
                            "there (0 expected); check at and the ends of both, or give the bodies a "
                            "[point.NAME] there if that is meant",
                            length(off), own.of.front(), own.of.back()));
}

}  // namespace

void look_at_joints(const CheckedParts& mechanism, ModelCheck& check) {
  const std::vector<Joint>& joints = mechanism.model.mechanism.joints();
  const BodyPlaces places(mechanism);
  for (const ModelJoint& own : mechanism.model.joints)
    look_at_joint(mechanism, places, own, joints[static_cast<std::size_t>(own.id.index)], check);
}

}  // namespace driftless::io
