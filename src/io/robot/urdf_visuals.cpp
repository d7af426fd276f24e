#include "io/robot/urdf_visuals.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/robot/urdf_origin.hpp"

namespace driftless::io {

using mechanics::Vec3;
using Kind = BodyShape::Kind;

namespace {

constexpr const char* not_drawn = "these parts are not drawn";

// "#rrggbb" of a <material>; empty: none is given.
std::string color_of(const XmlElement& material) {
  for (const XmlElement& texture : material.children("texture"))
    texture.leave_out("textures", "shapes have plain colors"), texture.ignore();
  const auto color = material.child("color");
  if (!color) return {};
  const auto rgba = color->numbers("rgba", 4, 4);
  if (!rgba) return {};
  const auto byte = [](double x) { return static_cast<int>(std::lround(255 * std::clamp(x, 0.0, 1.0))); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte((*rgba)[0]), byte((*rgba)[1]), byte((*rgba)[2]));
}

// False: it is none of those that are drawn, or has no size.
bool read_shape(const XmlElement& e, BodyShape& shape) {
  const std::string name = e.name();
  double least = 0;  // of its sizes
  if (name == "box") {
    shape.kind = Kind::box;
    shape.size = e.vector("size").value_or(Vec3{});
    least = std::min({shape.size.x, shape.size.y, shape.size.z});
  } else if (name == "sphere") {
    shape.kind = Kind::sphere;
    least = shape.radius = e.number("radius").value_or(0);
  } else if (name == "cylinder" || name == "capsule") {
    shape.kind = name == "cylinder" ? Kind::cylinder : Kind::capsule;
    shape.radius = e.number("radius").value_or(0), shape.length = e.number("length").value_or(0);
    least = std::min(shape.radius, shape.length);
  } else {
    e.leave_out(name == "mesh" ? "meshes of visuals" : fmt::format("<{}> of visuals", name), not_drawn);
    e.ignore();
    return false;
  }
  if (!(least > 0)) e.leave_out("shapes without size", not_drawn);
  return least > 0;
}

}  // namespace

UrdfVisuals::UrdfVisuals(const XmlElement& root) {
  for (const XmlElement& material : root.children("material")) {
    const auto name = material.word("name");
    if (const std::string color = color_of(material); name && !color.empty()) colors_[*name] = color;
  }
}

std::string UrdfVisuals::color_in(const XmlElement& visual) const {
  const auto material = visual.child("material");
  if (!material) return {};
  const std::string own = color_of(*material), name = material->word("name").value_or("");
  const auto known = colors_.find(name);
  return own.empty() && known != colors_.end() ? known->second : own;
}

void UrdfVisuals::read(const XmlElement& visual, RobotLink& link) const {
  visual.word("name");
  const Place at = urdf_origin(visual);
  BodyShape shape{.at = at.at, .axes = at.axes, .color = color_in(visual)};
  const auto geometry = visual.child("geometry");
  const auto all = geometry ? geometry->children() : std::vector<XmlElement>{};
  if (all.empty()) visual.leave_out("visuals without a shape", not_drawn);
  if (!all.empty() && read_shape(all[0], shape)) link.shapes.push_back(std::move(shape));
  for (std::size_t i = 1; i < all.size(); ++i)
    all[i].leave_out("shapes beside another one in <geometry>", not_drawn), all[i].ignore();
}

}  // namespace driftless::io
