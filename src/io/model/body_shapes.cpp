#include "io/model/body_shapes.hpp"

#include <numbers>

namespace driftless::io {

namespace {

using mechanics::Mat3;
using mechanics::Vec3;

constexpr double pi = std::numbers::pi;

struct Own {
  double volume = 0;
  Vec3 inertia = {};  // of density 1 about the centre, along the shape's own axes
};

Own box(const Vec3& s) {
  const double v = s.x * s.y * s.z;
  return {
      v,
      {v * (s.y * s.y + s.z * s.z) / 12, v * (s.z * s.z + s.x * s.x) / 12, v * (s.x * s.x + s.y * s.y) / 12}};
}

Own cylinder(double r, double l) {
  const double v = pi * r * r * l, across = v * (3 * r * r + l * l) / 12;
  return {v, {across, across, v * r * r / 2}};
}

// Two half spheres whose flat sides are l apart.
Own caps(double r, double l) {
  const double v = 4.0 / 3 * pi * r * r * r, across = v * (0.4 * r * r + l * l / 4 + 3.0 / 8 * l * r);
  return {v, {across, across, 0.4 * v * r * r}};
}

// Two half discs in the plane across z whose straight sides are l apart along x.
Own half_discs(double r, double l, double thickness) {
  const double v = pi * r * r * thickness, flat = thickness * thickness / 12,
               apart = l * l / 4 + 4 * l * r / (3 * pi);
  return {v, {v * (r * r / 4 + flat), v * (r * r / 4 + apart + flat), v * (r * r / 2 + apart)}};
}

Own operator+(const Own& a, const Own& b) {
  return {a.volume + b.volume, a.inertia + b.inertia};
}

Own own_of(const BodyShape& s) {
  switch (s.kind) {
    case BodyShape::Kind::box:
      return box(s.size);
    case BodyShape::Kind::sphere:
      return caps(s.radius, 0);
    case BodyShape::Kind::cylinder:
      return cylinder(s.radius, s.length);
    case BodyShape::Kind::capsule:
      return cylinder(s.radius, s.length) + caps(s.radius, s.length);
    case BodyShape::Kind::link:
      return box({s.length, s.width, s.thickness}) + half_discs(s.width / 2, s.length, s.thickness);
  }
  return {};
}

Mat3 plus(const Mat3& A, const Mat3& B) {
  return {A.x + B.x, A.y + B.y, A.z + B.z};
}

// Of a mass at d: m (d.d - d d^T).
Mat3 of_point(double mass, const Vec3& d) {
  const double square = dot(d, d);
  const auto column = [&](const Vec3& unit, double own) { return mass * (square * unit - own * d); };
  return {column({1, 0, 0}, d.x), column({0, 1, 0}, d.y), column({0, 0, 1}, d.z)};
}

}  // namespace

double volume_of(const BodyShape& shape) {
  return own_of(shape).volume;
}

MassProperties mass_properties(const BodyShape& shape, double density) {
  const Own own = own_of(shape);
  const Mat3 along{
      {density * own.inertia.x, 0, 0}, {0, density * own.inertia.y, 0}, {0, 0, density * own.inertia.z}};
  return {density * own.volume, shape.at, shape.axes * along * transposed(shape.axes)};
}

MassProperties sum_of(const std::vector<MassProperties>& parts) {
  MassProperties all;
  for (const MassProperties& part : parts) {
    all.mass += part.mass;
    all.center += part.mass * part.center;
  }
  all.center = (1 / all.mass) * all.center;
  for (const MassProperties& part : parts)
    all.inertia = plus(all.inertia, plus(part.inertia, of_point(part.mass, part.center - all.center)));
  return all;
}

}  // namespace driftless::io
