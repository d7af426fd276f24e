// The shapes of a body, and what it weighs: by itself, or by them.
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/method_options.hpp>

#include "io/model/axes.hpp"
#include "io/model/model_reader.hpp"

namespace driftless::io {

namespace {

using mechanics::Dimension;
using mechanics::Mat3;
using mechanics::Vec3;

constexpr Dimension length{.length = 1}, mass{.mass = 1}, inertia{.length = 2, .mass = 1},
    density_of{.length = -3, .mass = 1};

}  // namespace

std::optional<BodyShape> ModelReader::read_shape(Section& section, const Placed& placed,
                                                 std::optional<double>& density) {
  static const std::vector<std::pair<std::string, BodyShape::Kind>> kinds = {
      {"box", BodyShape::Kind::box},
      {"sphere", BodyShape::Kind::sphere},
      {"cylinder", BodyShape::Kind::cylinder},
      {"capsule", BodyShape::Kind::capsule},
      {"link", BodyShape::Kind::link}};
  if (!section.need("type", "box, sphere, cylinder, capsule or link")) return std::nullopt;
  const auto type = section.text("type");
  if (!type) return std::nullopt;
  std::vector<std::string> names;
  std::optional<BodyShape::Kind> kind;
  for (const auto& [name, own] : kinds) {
    names.push_back(name);
    if (name == *type) kind = own;
  }
  if (!kind) {
    section.fault("type", fmt::format("there is no shape '{}'; there are {}{}", *type, fmt::join(names, ", "),
                                      suggestion(*type, names)));
    return std::nullopt;
  }
  BodyShape shape{.kind = *kind};
  const auto required = [&](const char* key, double& to) {
    if (!section.need(key, fmt::format("a {} has one", *type))) return;
    if (const auto number = section.positive(key, length)) to = *number;
  };
  Vec3 axis{0, 0, 1};
  switch (*kind) {
    case BodyShape::Kind::box:
      if (section.need("size", "the three edges of the box")) {
        if (const auto size = section.vector("size", length)) shape.size = *size;
        if (!section.broken() && !(shape.size.x > 0 && shape.size.y > 0 && shape.size.z > 0))
          section.fault("size", "a box has three positive edges; give size = [a, b, c]");
      }
      break;
    case BodyShape::Kind::sphere:
      required("radius", shape.radius);
      break;
    case BodyShape::Kind::cylinder:
    case BodyShape::Kind::capsule:
      required("radius", shape.radius);
      if (section.has("length") || !placed.length)
        required("length", shape.length);
      else
        section.node("length"), shape.length = *placed.length, axis = {1, 0, 0};
      break;
    case BodyShape::Kind::link:
      axis = {1, 0, 0};
      if (section.has("length") || !placed.length)
        required("length", shape.length);
      else
        section.node("length"), shape.length = *placed.length;
      shape.width = section.positive("width", length).value_or(shape.length / 10);
      shape.thickness = section.positive("thickness", length).value_or(shape.width / 2);
      break;
  }
  // Shapes of planar bodies have a height, which may be said or not.
  const Section::Room room = placed.planar ? Section::Room::either : Section::Room::space;
  if (const auto at = section.vector("at", length, room)) shape.at = *at;
  if (const auto given = unit(section, "axis", room)) axis = *given;
  shape.axes = *kind == BodyShape::Kind::link
                   ? axes_along(axis, std::abs(axis.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0})
               : axis == Vec3{0, 0, 1} ? mechanics::identity3
                                       : axes_with_third(axis);
  if (const auto x = unit(section, "x", room)) {
    if (const Vec3 across = *x - dot(*x, shape.axes.z) * shape.axes.z; norm(across) > 1e-9)
      shape.axes = {normalized(across), cross(shape.axes.z, normalized(across)), shape.axes.z};
    else
      section.fault("x", "x points along the axis; give another direction");
  }
  density = section.positive("density", density_of);
  if (const auto color = section.text("color")) {
    const bool good = color->size() == 7 && (*color)[0] == '#' &&
                      color->find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
    if (!good)
      section.fault("color",
                    fmt::format("the color '{}' is not of the form #rrggbb; write it like #4477aa", *color));
    shape.color = *color;
  }
  section.finish();
  if (section.broken()) return std::nullopt;
  return shape;
}

std::vector<BodyShape> ModelReader::read_shapes(Section& body, const Placed& placed,
                                                std::vector<std::optional<double>>& densities) {
  std::vector<Section> sections = body.list("shapes");
  if (auto one = body.section("shape")) {
    if (!sections.empty())
      body.fault("shape", "shape and shapes are both given; put all of them into shapes");
    sections.push_back(*one);
  }
  std::vector<BodyShape> shapes;
  for (Section& section : sections) {
    std::optional<double> density;
    if (const auto shape = read_shape(section, placed, density)) {
      shapes.push_back(*shape);
      densities.push_back(density);
    }
  }
  return shapes;
}

// Mass, centre and inertia; nothing, and a fault, where they cannot be had.
std::optional<MassProperties> ModelReader::read_mass(Section& body, bool planar,
                                                     const std::vector<BodyShape>& shapes,
                                                     const std::vector<std::optional<double>>& densities) {
  const auto weight = body.positive("mass", mass);
  const auto common = body.positive("density", density_of);
  if (reading_.broken.contains(body.path() + ".shape") || reading_.broken.contains(body.path() + ".shapes"))
    return std::nullopt;  // it may have had the density
  bool dense = !shapes.empty();
  for (const auto& own : densities) dense = dense && (own || body.has("density"));
  if (common && shapes.empty())
    body.fault("density", "a density needs shapes; give shape, or mass and inertia");
  if (body.has("mass") && dense) body.fault("mass", "mass and density are both given; give one of them");
  if (!body.has("mass") && !dense) {
    body.fault(shapes.empty() ? "'mass' is missing: give mass and inertia, or a shape with a density"
                              : "'mass' is missing: give it, or a density for every shape");
    return std::nullopt;
  }
  if (body.broken()) return std::nullopt;
  MassProperties all;
  if (!shapes.empty()) {
    double volume = 0;
    for (const BodyShape& shape : shapes) volume += volume_of(shape);
    std::vector<MassProperties> parts;
    for (std::size_t i = 0; i < shapes.size(); ++i)
      parts.push_back(
          mass_properties(shapes[i], dense ? densities[i].value_or(common.value_or(0)) : *weight / volume));
    all = sum_of(parts);
    if (body.has("inertia")) all.center = {};  // the author has weighed it: the shapes are for drawing
  } else {
    all.mass = *weight;
  }
  if (const auto center = place(body, "center", planar)) {
    if (!shapes.empty() && !body.has("inertia"))
      body.fault("center",
                 "center is given, but the inertia comes from the shapes, which have a centre of their own; "
                 "give inertia too, or neither");
    all.center = *center;
  } else if (planar) {
    all.center.z = 0;
  }
  if (!body.has("inertia")) {
    if (body.has("products")) body.fault("products", "products of inertia go with inertia; give it too");
    if (shapes.empty()) body.fault("'inertia' is missing: give it, or a shape");
  } else if (planar) {
    if (const auto about_z = body.positive("inertia", inertia)) all.inertia = {{}, {}, {0, 0, *about_z}};
  } else {
    const auto three = body.numbers("inertia", 3, inertia);
    const auto products = body.vector("products", inertia, Section::Room::space);
    if (three) {
      const std::optional<Vec3> moments = Vec3{(*three)[0], (*three)[1], (*three)[2]};
      const Vec3 off = products.value_or(Vec3{});
      if (!(moments->x > 0 && moments->y > 0 && moments->z > 0))
        body.fault(
            "inertia",
            fmt::format("inertia is [{:g}, {:g}, {:g}] (each must be above 0); give three positive moments",
                        moments->x / reading_.numbers.units().of(inertia),
                        moments->y / reading_.numbers.units().of(inertia),
                        moments->z / reading_.numbers.units().of(inertia)));
      all.inertia = {{moments->x, off.z, off.y}, {off.z, moments->y, off.x}, {off.y, off.x, moments->z}};
    }
  }
  return all;
}

}  // namespace driftless::io
