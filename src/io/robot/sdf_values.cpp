#include "io/robot/sdf_values.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <driftless/mechanics/bodies.hpp>

#include "io/robot/rotations.hpp"

namespace driftless::io {

namespace {

using mechanics::Vec3;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::optional<bool> flag_of(const XmlElement& e) {
  const std::string text = lower(e.own_word().value_or(""));
  if (text == "true") return true;
  if (text == "false") return false;
  return e.own_flag();
}

void read_euler(const XmlElement& e, bool degrees, Place& place) {
  const auto v = e.own_numbers(6, 6);
  if (!v) return;
  const double unit = degrees ? std::numbers::pi / 180 : 1;
  place.at = {(*v)[0], (*v)[1], (*v)[2]};
  place.axes = roll_pitch_yaw(unit * Vec3{(*v)[3], (*v)[4], (*v)[5]});
}

void read_quaternion(const XmlElement& e, bool degrees, Place& place) {
  if (degrees) e.fault("degrees", "a quaternion has no degrees; leave it out, or write euler_rpy");
  const auto v = e.own_numbers(7, 7);
  if (!v) return;
  const double x = (*v)[3], y = (*v)[4], z = (*v)[5], w = (*v)[6];
  const double largest = std::max({std::abs(x), std::abs(y), std::abs(z), std::abs(w)});
  if (!(largest > 0)) {
    e.fault("the quaternion is 0 0 0 0, which turns nowhere; give 0 0 0 1 for no turn");
    return;
  }
  place.at = {(*v)[0], (*v)[1], (*v)[2]};
  place.axes = mechanics::rotation(w / largest, x / largest, y / largest, z / largest);
}

}  // namespace

std::optional<std::string> text_in(const XmlElement& of, const char* child) {
  const auto e = of.child(child);
  if (!e) return {};
  const auto text = e->own_word();
  return text && !text->empty() ? text : std::nullopt;
}

std::optional<double> number_in(const XmlElement& of, const char* child) {
  const auto e = of.child(child);
  return e ? e->own_number() : std::nullopt;
}

std::optional<bool> flag_in(const XmlElement& of, const char* child) {
  const auto e = of.child(child);
  return e ? flag_of(*e) : std::nullopt;
}

std::optional<Vec3> vector_in(const XmlElement& of, const char* child) {
  const auto e = of.child(child);
  const auto v = e ? e->own_numbers(3, 3) : std::nullopt;
  return v ? std::optional(Vec3{(*v)[0], (*v)[1], (*v)[2]}) : std::nullopt;
}

std::optional<double> positive_in(const XmlElement& of, const char* child, std::optional<double> usual) {
  const auto e = of.child(child);
  if (!e) {
    if (!usual) of.fault(fmt::format("<{}> is missing", child));
    return usual;
  }
  const auto value = e->own_number();
  if (!value || *value > 0) return value;
  e->fault(fmt::format("it is {:g} (must be above 0)", *value));
  return {};
}

SdfPose pose_in(const XmlElement& of) {
  SdfPose pose;
  const auto e = of.child("pose");
  if (!e) return pose;
  pose.element = e;
  pose.relative_to = e->word("relative_to").value_or("");
  // Its name before version 1.7.
  const auto old = e->word("frame");
  if (old && pose.relative_to.empty()) pose.relative_to = *old;
  const bool degrees = e->flag("degrees").value_or(false);
  const std::string format = e->word("rotation_format").value_or("euler_rpy");
  const bool empty = e->own_word().value_or("").empty();
  if (format == "quat_xyzw") {
    if (!empty) read_quaternion(*e, degrees, pose.place);
  } else {
    if (format != "euler_rpy")
      e->fault("rotation_format",
               fmt::format("there is no format {}; there are euler_rpy and quat_xyzw", named(format)));
    else if (!empty)
      read_euler(*e, degrees, pose.place);
  }
  return pose;
}

void omit_in(const XmlElement& of, const char* child, const std::string& what, const std::string& effect) {
  for (const XmlElement& e : of.children(child)) e.omit(what, effect), e.ignore();
}

void leave_out_in(const XmlElement& of, const char* child, const std::string& what,
                  const std::string& effect) {
  for (const XmlElement& e : of.children(child)) e.leave_out(what, effect), e.ignore();
}

void omit_flag(const XmlElement& of, const char* child, bool says, const std::string& what,
               const std::string& effect) {
  const auto e = of.child(child);
  if (e && flag_of(*e) == says) e->omit(what, effect);
}

std::string named(const std::string& name) {
  constexpr std::size_t longest = 60;
  std::string shown;
  for (const char c : name.substr(0, longest)) shown += static_cast<unsigned char>(c) < 32 ? '?' : c;
  return fmt::format("'{}{}'", shown, name.size() > longest ? ".." : "");
}

}  // namespace driftless::io
