#include "io/model/body_places.hpp"

#include <algorithm>
#include <cmath>

namespace driftless::io {

namespace {

using mechanics::Joint;
using mechanics::Marker;
using mechanics::Vec3;

// Of the size of a body:
constexpr double beside_shapes = 0.25, beside_ends = 0.1;  // lugs of a box; of a bar
constexpr double exact = 0.005;                            // where there is no reason for a lug
constexpr double near_ends = 0.25;                         // a joint that was meant to be where ends meet
constexpr double far_point = 3;                            // points may lie well beside what is drawn
constexpr double roundoff = 1e-9;

}  // namespace

BodyPlaces::BodyPlaces(const CheckedParts& mechanism)
    : mechanism_(mechanism), start_(mechanism.model.mechanism.start()) {
  for (const ModelBody& body : mechanism.model.bodies) bodies_[body.id.index] = &body;
  for (const Joint& joint : mechanism.model.mechanism.joints())
    for (const Marker* marker : {&joint.a, &joint.b})
      if (const std::optional<int> end = end_at(*marker, exact); joint.joint_a < 0 && end)
        ends_in_use_.insert({marker->body, *end});
  for (const ModelPoint& point : mechanism.model.points)
    if (const auto body = bodies_.find(point.body.index); body != bodies_.end())
      points_[point.body.index].push_back(point.arm + body->second->center);
}

const ModelBody* BodyPlaces::body(int index) const {
  const auto found = bodies_.find(index);
  return found == bodies_.end() ? nullptr : found->second;
}

const std::vector<Vec3>& BodyPlaces::points_of(int body) const {
  const auto known = points_.find(body);
  return known == points_.end() ? none_ : known->second;
}

BodyPlaces::Beside BodyPlaces::beside_of(const Marker& marker, Seat seat, bool placed, bool anywhere) const {
  const ModelBody* own = body(marker.body);
  if (!own) return {};  // the ground is everywhere
  if (!has_extent(*own) && anywhere) return {};
  const double allowed = allowed_for(marker, *own, placed) * size_of(*own);
  const Vec3 at = marker.point + own->center;
  const std::vector<Vec3>& points = points_of(marker.body);
  double distance = distance_from(*own, points, {at});
  if (seat == Seat::axis && distance > allowed) distance = distance_from(*own, points, {at, marker.axes.z});
  if (!(distance > allowed + roundoff * norm(at))) return {};
  return {own, distance, allowed};
}

BodyPlaces::Beside BodyPlaces::beside_of(const Marker& marker, bool placed) const {
  const ModelBody* own = body(marker.body);
  if (!own || (placed && !has_extent(*own))) return {};
  std::vector<Vec3> points = points_of(marker.body);
  points.push_back(own->center);
  const Vec3 at = marker.point + own->center;
  const double allowed = (placed ? beside_shapes : exact) * size_of(*own),
               distance = distance_from(*own, points, {at});
  if (!(distance > allowed + roundoff * norm(at))) return {};
  return {own, distance, allowed};
}

BodyPlaces::Beside BodyPlaces::beside_of(const ModelPoint& point) const {
  const ModelBody* own = body(point.body.index);
  if (!own || !has_extent(*own)) return {};
  const Vec3 at = point.arm + own->center;
  const double distance = distance_from(*own, {}, {at});
  if (!(distance > beside_shapes * size_of(*own))) return {};
  return {own, distance, far_point * size_of(*own)};
}

double BodyPlaces::beside_ends_of(const Marker& a, const Marker& b) const {
  const ModelBody *first = body(a.body), *second = body(b.body);
  if (!first || !second || !first->length || !second->length) return 0;
  const double shorter = std::min(*first->length, *second->length);
  const auto in_world = [&](const Marker& marker, const Vec3& of_body) {
    const mechanics::Pose pose = mechanism_.results.pose(start_, {marker.body});
    return pose.r + pose.R * (of_body - body(marker.body)->center);
  };
  // Along the axis any place is the same.
  const auto across = [](const Marker& marker, Vec3 gap) {
    gap -= dot(gap, marker.axes.z) * marker.axes.z;
    return norm(gap);
  };
  for (const int i : {-1, 1})
    for (const int j : {-1, 1}) {
      if (ends_in_use_.contains({a.body, i}) || ends_in_use_.contains({b.body, j})) continue;
      const Vec3 end_a{i * *first->length / 2, 0, 0}, end_b{j * *second->length / 2, 0, 0};
      if (norm(in_world(a, end_a) - in_world(b, end_b)) > exact * shorter) continue;
      const double off = across(a, a.point + first->center - end_a);
      const std::vector<Vec3>& points = points_of(a.body);
      const bool meant = std::any_of(points.begin(), points.end(), [&](const Vec3& p) {
        return across(a, a.point + first->center - p) < exact * shorter;
      });
      if (off > exact * shorter && off < near_ends * shorter && !meant) return off;
    }
  return 0;
}

// The end of the body, -1 or 1, that the marker is at: within so much of its length, or at all.
std::optional<int> BodyPlaces::end_at(const Marker& marker, double within) const {
  const ModelBody* own = body(marker.body);
  if (!own || !own->length) return std::nullopt;
  const double length = *own->length;
  const Vec3 at = marker.point + own->center, u = marker.axes.z;
  const int end = at.x < 0 ? -1 : 1;
  Vec3 gap = at - Vec3{end * length / 2, 0, 0};
  gap -= dot(gap, u) * u;
  return norm(gap) <= within * length ? std::optional(end) : std::nullopt;
}

double BodyPlaces::allowed_for(const Marker& marker, const ModelBody& body, bool placed) const {
  if (!placed) return exact;
  if (!body.length) return beside_shapes;
  const int end = marker.point.x + body.center.x < 0 ? -1 : 1;
  return ends_in_use_.contains({marker.body, end}) ? beside_ends : exact;
}

}  // namespace driftless::io
