#include "io/model/body_distance.hpp"

#include <algorithm>
#include <cmath>

namespace driftless::io {

namespace {

using mechanics::Vec3;

double beyond(double from_middle, double half) {
  return std::max(std::abs(from_middle) - half, 0.0);
}

// By the axes of the shape, from its middle.
double outside(const BodyShape& s, const Vec3& p) {
  const double round = std::hypot(p.x, p.y);
  switch (s.kind) {
    case BodyShape::Kind::box:
      return norm(Vec3{beyond(p.x, s.size.x / 2), beyond(p.y, s.size.y / 2), beyond(p.z, s.size.z / 2)});
    case BodyShape::Kind::sphere:
      return beyond(norm(p), s.radius);
    case BodyShape::Kind::cylinder:
      return std::hypot(beyond(round, s.radius), beyond(p.z, s.length / 2));
    case BodyShape::Kind::capsule:
      return beyond(std::hypot(round, beyond(p.z, s.length / 2)), s.radius);
    case BodyShape::Kind::link:
      return std::hypot(beyond(std::hypot(beyond(p.x, s.length / 2), p.y), s.width / 2),
                        beyond(p.z, s.thickness / 2));
  }
  return 0;
}

double diagonal(const BodyShape& s) {
  return norm(
      Vec3{std::max({s.size.x, 2 * s.radius, s.kind == BodyShape::Kind::link ? s.length + s.width : 0}),
           std::max({s.size.y, 2 * s.radius, s.width}),
           std::max({s.size.z, s.kind == BodyShape::Kind::link ? 0 : s.length + 2 * s.radius, s.thickness})});
}

double from_ends(double length, const Vec3& p) {
  return std::hypot(beyond(p.x, length / 2), p.y, p.z);
}

// The distance of a convex thing is convex along the line: golden section.
template <class Distance>
double least_along(const Vec3& foot, const Vec3& u, double reach, Distance distance) {
  constexpr double golden = 0.6180339887498949;
  const auto at = [&](double along) { return distance(foot + along * u); };
  double a = -reach, b = reach;
  for (int i = 0; i < 60; ++i) {
    const double c = b - golden * (b - a), d = a + golden * (b - a);
    (at(c) < at(d) ? b : a) = at(c) < at(d) ? d : c;
  }
  return at((a + b) / 2);
}

}  // namespace

bool has_extent(const ModelBody& body) {
  return body.length.has_value() || !body.shapes.empty();
}

double size_of(const ModelBody& body) {
  double size = body.length.value_or(0);
  for (const BodyShape& s : body.shapes) size = std::max(size, diagonal(s));
  return size;
}

double distance_from(const ModelBody& body, const std::vector<Vec3>& points, const BodyLine& line) {
  const Vec3 u = line.direction.value_or(Vec3{});
  const Vec3 foot = line.point - dot(line.point, u) * u;  // of a line: nearest to the origin
  double reach = body.length.value_or(0);
  for (const BodyShape& s : body.shapes) reach = std::max(reach, norm(s.at) + diagonal(s));
  double least = norm(foot);
  for (const Vec3& p : points) least = std::min(least, norm(p - foot - dot(p - foot, u) * u));
  const auto look_at = [&](auto distance) {
    least = std::min(least, line.direction ? least_along(foot, u, reach, distance) : distance(foot));
  };
  for (const BodyShape& s : body.shapes)
    look_at([&](const Vec3& p) { return outside(s, to_body(s.axes, p - s.at)); });
  if (body.length) look_at([&](const Vec3& p) { return from_ends(*body.length, p); });
  return least;
}

}  // namespace driftless::io
