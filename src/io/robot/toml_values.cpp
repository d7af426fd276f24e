#include "io/robot/toml_values.hpp"

#include <cmath>

#include <fmt/format.h>

namespace driftless::io {

using mechanics::Mat3;
using mechanics::Vec3;

std::string toml_key(const std::string& name) {
  if (!name.empty() &&
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == name.npos)
    return name;
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

std::string toml_text(const std::string& text) {
  const std::string k = toml_key(text);
  return k[0] == '"' ? k : '"' + k + '"';
}

std::string toml_value(const Vec3& v) {
  // 0 + x: no -0
  return fmt::format("[{}, {}, {}]", 0 + v.x, 0 + v.y, 0 + v.z);
}

std::string toml_quaternion(const Mat3& R) {
  // The largest of the four first: no cancellation.
  const double four[] = {1 + R.x.x + R.y.y + R.z.z, 1 + R.x.x - R.y.y - R.z.z, 1 - R.x.x + R.y.y - R.z.z,
                         1 - R.x.x - R.y.y + R.z.z};
  int best = 0;
  for (int i = 1; i < 4; ++i)
    if (four[i] > four[best]) best = i;
  const double a = R.y.z - R.z.y, b = R.z.x - R.x.z, c = R.x.y - R.y.x;
  double p[4] = {four[0], a, b, c};
  if (best == 1) p[0] = a, p[1] = four[1], p[2] = R.y.x + R.x.y, p[3] = R.z.x + R.x.z;
  if (best == 2) p[0] = b, p[1] = R.y.x + R.x.y, p[2] = four[2], p[3] = R.z.y + R.y.z;
  if (best == 3) p[0] = c, p[1] = R.z.x + R.x.z, p[2] = R.z.y + R.y.z, p[3] = four[3];
  const double size = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]) * (p[0] < 0 ? -1 : 1);
  return fmt::format("[{}, {}, {}, {}]", 0 + p[0] / size, 0 + p[1] / size, 0 + p[2] / size, 0 + p[3] / size);
}

bool is_identity(const Mat3& R) {
  return R.x == Vec3{1, 0, 0} && R.y == Vec3{0, 1, 0} && R.z == Vec3{0, 0, 1};
}

std::string toml_marker(const Place& place) {
  return fmt::format("{{at = {}, axis = {}, x = {}}}", toml_value(place.at), toml_value(place.axes.z),
                     toml_value(place.axes.x));
}

std::string toml_shape(const BodyShape& shape) {
  std::string text;
  switch (shape.kind) {
    case BodyShape::Kind::box:
      text = fmt::format("{{type = \"box\", size = {}", toml_value(shape.size));
      break;
    case BodyShape::Kind::sphere:
      text = fmt::format("{{type = \"sphere\", radius = {}", shape.radius);
      break;
    case BodyShape::Kind::cylinder:
      text = fmt::format("{{type = \"cylinder\", radius = {}, length = {}", shape.radius, shape.length);
      break;
    case BodyShape::Kind::capsule:
      text = fmt::format("{{type = \"capsule\", radius = {}, length = {}", shape.radius, shape.length);
      break;
    case BodyShape::Kind::link:
      text = fmt::format("{{type = \"link\", length = {}, width = {}, thickness = {}", shape.length,
                         shape.width, shape.thickness);
      break;
  }
  if (!(shape.at == Vec3{})) text += fmt::format(", at = {}", toml_value(shape.at));
  if (!is_identity(shape.axes) && shape.kind != BodyShape::Kind::sphere) {
    text += fmt::format(", axis = {}",
                        toml_value(shape.kind == BodyShape::Kind::link ? shape.axes.x : shape.axes.z));
    if (shape.kind == BodyShape::Kind::box) text += fmt::format(", x = {}", toml_value(shape.axes.x));
  }
  if (!shape.color.empty()) text += fmt::format(", color = \"{}\"", shape.color);
  return text + "}";
}

}  // namespace driftless::io
