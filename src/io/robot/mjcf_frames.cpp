#include "io/robot/mjcf_frames.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "io/robot/rotations.hpp"

namespace driftless::io {

namespace {

using mechanics::Mat3;
using mechanics::Vec3;

constexpr double tiny = 1e-14;  // shorter ones have no direction

Vec3 vector_at(const std::vector<double>& numbers, std::size_t first) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

Mat3 about(char axis, double angle) {
  if (axis == 'x' || axis == 'X') return about_x(angle);
  return axis == 'y' || axis == 'Y' ? about_y(angle) : about_z(angle);
}

Mat3 by_euler(const std::vector<double>& euler, const MjcfAngles& angles) {
  Mat3 R = mechanics::identity3;
  for (std::size_t i = 0; i < 3; ++i) {
    const char axis = angles.sequence[i];
    const Mat3 turn = about(axis, angles.radians(euler[i]));
    R = axis >= 'x' ? R * turn : turn * R;
  }
  return R;
}

std::optional<Mat3> by_axes(const MjcfElement& e, const std::vector<double>& given) {
  const Vec3 x = vector_at(given, 0), y = normalized(vector_at(given, 3));
  if (!(largest_entry(x) > tiny)) {
    e.fault("xyaxes", "the x axis has no direction: its length is 0");
    return {};
  }
  const Vec3 first = normalized(x), rest = y - dot(first, y) * first;
  if (!(norm(rest) > tiny)) {
    e.fault("xyaxes", "the y axis has no direction across x; give another one");
    return {};
  }
  const Vec3 second = normalized(rest);
  return Mat3{first, second, cross(first, second)};
}

}  // namespace

double MjcfAngles::radians(double angle) const {
  return degrees ? angle / 180 * std::numbers::pi : angle;
}

std::optional<Mat3> rotation_of(const std::vector<double>& numbers, std::size_t first) {
  double largest = 0;
  for (std::size_t i = 0; i < 4; ++i) largest = std::max(largest, std::abs(numbers[first + i]));
  if (!(largest > 0)) return {};
  double p[4];
  for (std::size_t i = 0; i < 4; ++i) p[i] = numbers[first + i] / largest;
  return mechanics::rotation(p[0], p[1], p[2], p[3]);
}

Mat3 turned_to(const Vec3& z) {
  const Vec3 to = normalized(z), axis = cross(Vec3{0, 0, 1}, to);
  const double sine = norm(axis);
  if (sine < tiny) return to.z > 0 ? mechanics::identity3 : Mat3{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  const double half = std::atan2(sine, to.z) / 2, s = std::sin(half) / sine;
  return mechanics::rotation(std::cos(half), s * axis.x, s * axis.y, s * axis.z);
}

bool has_orientation(const MjcfElement& e) {
  return e.nearest({"quat", "axisangle", "xyaxes", "zaxis", "euler"}) != nullptr;
}

Mat3 orientation_of(const MjcfElement& e, const MjcfAngles& angles) {
  std::vector<std::string> given;
  for (const char* way : {"quat", "axisangle", "xyaxes", "zaxis", "euler"})
    if (e.own().has(way)) given.push_back(way);
  if (given.size() > 1)
    e.own().fault(fmt::format("{} and {} both say how it is turned; leave one out", given[0], given[1]));
  // As MuJoCo has it, quat gives way to the others, those of a class too.
  const char* nearest = e.nearest({"axisangle", "xyaxes", "zaxis", "euler"});
  const std::string way = nearest ? nearest : "quat";
  if (way == "quat") {
    const auto quat = e.numbers("quat", 4, 4);
    if (!quat) return mechanics::identity3;
    const auto R = rotation_of(*quat, 0);
    if (!R) e.fault("quat", "all four numbers are 0; 1 0 0 0 is no turn");
    return R.value_or(mechanics::identity3);
  }
  if (way == "axisangle") {
    const auto given_axis = e.numbers("axisangle", 4, 4);
    if (!given_axis) return mechanics::identity3;
    const Vec3 axis = vector_at(*given_axis, 0);
    if (!(largest_entry(axis) > tiny)) {
      e.fault("axisangle", "the axis has no direction: its length is 0");
      return mechanics::identity3;
    }
    return mechanics::turned(normalized(axis), angles.radians((*given_axis)[3]));
  }
  if (way == "xyaxes") {
    const auto axes = e.numbers("xyaxes", 6, 6);
    return axes ? by_axes(e, *axes).value_or(mechanics::identity3) : mechanics::identity3;
  }
  if (way == "zaxis") {
    const auto z = e.vector("zaxis");
    if (!z) return mechanics::identity3;
    if (largest_entry(*z) > tiny) return turned_to(*z);
    e.fault("zaxis", "the axis has no direction: its length is 0");
    return mechanics::identity3;
  }
  const auto euler = e.numbers("euler", 3, 3);
  return euler ? by_euler(*euler, angles) : mechanics::identity3;
}

Place place_of(const MjcfElement& e, const MjcfAngles& angles) {
  return {e.vector("pos").value_or(Vec3{}), orientation_of(e, angles)};
}

std::optional<MjcfEnds> ends_of(const MjcfElement& e) {
  const auto given = e.numbers("fromto", 6, 6);
  if (!given) return {};
  const Vec3 from = vector_at(*given, 0), to = vector_at(*given, 3);
  const double length = norm(from - to);
  if (!(length > 2 * tiny)) {
    e.fault("fromto", "both ends are the same point; give two");
    return {};
  }
  return MjcfEnds{{0.5 * (from + to), turned_to(from - to)}, length};
}

}  // namespace driftless::io
