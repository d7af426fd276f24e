// [body.NAME]: where a body is, what it weighs, what it looks like.
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/method_options.hpp>

#include "io/model/model_reader.hpp"

namespace driftless::io {

namespace {

using mechanics::Dimension;
using mechanics::Mat3;
using mechanics::Vec3;

constexpr Dimension length{.length = 1}, mass{.mass = 1}, inertia{.length = 2, .mass = 1}, angle{.angle = 1},
    speed{.length = 1, .time = -1}, rate{.time = -1, .angle = 1}, density_of{.length = -3, .mass = 1};

Vec3 normalized(const Vec3& v) {
  return (1 / norm(v)) * v;
}

// Third axis roughly along `up`, first along x.
Mat3 axes_along(const Vec3& x, const Vec3& up) {
  const Vec3 z = normalized(up - dot(up, x) * x);
  return {x, cross(z, x), z};
}

Mat3 axes_with_third(const Vec3& z) {
  const Vec3 helper = std::abs(z.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 x = normalized(helper - dot(helper, z) * z);
  return {x, cross(z, x), z};
}

Mat3 of_quaternion(double p0, double p1, double p2, double p3) {
  return mechanics::rotation(p0, p1, p2, p3);
}

double plane_angle(const Mat3& axes) {
  return std::atan2(axes.x.y, axes.x.x);
}

}  // namespace

bool ModelReader::in_plane(Section& section) {
  const auto given = section.whole("dimensions");
  if (!given) return planar_;
  if (*given != 2 && *given != 3)
    section.fault(
        "dimensions",
        fmt::format("dimensions is {} (must be 2 or 3); give 2 for the plane, 3 for space", *given));
  return *given == 2;
}

std::optional<Vec3> ModelReader::place(Section& section, const std::string& key, bool planar,
                                       const Dimension& d) {
  const auto found = section.vector(key, d);
  if (!found || !planar || found->z == 0) return found;
  section.fault(key, fmt::format("{} leaves the plane: its third number is {:g}; leave it out", key,
                                 found->z / reading_.numbers.units().of(d)));
  return std::nullopt;
}

std::optional<Mat3> ModelReader::read_axes(Section& body) {
  const bool turn = body.has("turn"), axes = body.has("axes"), quaternion = body.has("quaternion");
  if (turn + axes + quaternion > 1) {
    body.fault(body.has("turn") ? "turn" : "axes",
               "turn, axes and quaternion say the same thing; give one of them");
    return std::nullopt;
  }
  if (auto section = body.section("turn")) {
    const auto axis = unit(*section, "axis");
    const auto by = section->number("angle", angle);
    if (!axis && !section->has("axis")) section->fault("'axis' is missing: about what it is turned");
    if (!by && !section->has("angle")) section->fault("'angle' is missing: by how much it is turned");
    section->finish();
    if (axis && by) return mechanics::turned(*axis, *by);
  }
  if (auto section = body.section("axes")) {
    const auto x = unit(*section, "x"), y = unit(*section, "y");
    if ((!x && !section->has("x")) || (!y && !section->has("y")))
      section->fault("'x' and 'y' are needed: where the body's first two axes point");
    section->finish();
    if (x && y && std::abs(dot(*x, *y)) > 1e-6)
      section->fault("y", fmt::format("x and y are not perpendicular (their product is {:.3g}); make them so",
                                      dot(*x, *y)));
    else if (x && y)
      return axes_along(*x, cross(*x, *y));
  }
  if (const toml::node* node = body.node("quaternion")) {
    const toml::array* list = node->as_array();
    double p[4] = {};
    bool good = list && list->size() == 4;
    for (std::size_t i = 0; good && i < 4; ++i) {
      const auto number = list->get(i)->value<double>();
      good = number.has_value();
      p[i] = number.value_or(0);
    }
    const double size = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    if (good && std::abs(size - 1) < 1e-3)
      return of_quaternion(p[0] / size, p[1] / size, p[2] / size, p[3] / size);
    body.fault("quaternion", good
                                 ? fmt::format("the quaternion has length {:.6g} (must be 1); scale it", size)
                                 : "a quaternion is a list of 4 numbers, the first without an axis");
  }
  return std::nullopt;
}

ModelReader::Placed ModelReader::read_place(Section& body, bool planar) {
  Placed placed;
  const bool by_ends = body.has("from") || body.has("to");
  if (by_ends) {
    for (const char* other : {"at", "angle", "turn", "axes", "quaternion"})
      if (body.node(other))
        body.fault(other, fmt::format("from and to place the body, and so does {}; leave one out", other));
    if (!body.need("from", "where the body begins") || !body.need("to", "where the body ends")) return placed;
    const auto from = place(body, "from", planar), to = place(body, "to", planar);
    const auto up = planar ? std::nullopt : unit(body, "up");
    if (!from || !to) return placed;
    const Vec3 way = *to - *from;
    placed.length = norm(way);
    if (!(*placed.length > 0)) {
      body.fault("to", "from and to are the same point; give two");
      return placed;
    }
    placed.at = 0.5 * (*from + *to);
    const Vec3 x = normalized(way);
    Vec3 roughly = up.value_or(Vec3{0, 0, 1});
    if (norm(cross(x, roughly)) < 1e-6) {
      if (up) body.fault("up", "up points along the body; give another direction");
      roughly = {1, 0, 0};
    }
    placed.axes = axes_along(x, roughly);
  } else {
    if (const auto at = place(body, "at", planar)) placed.at = *at;
    if (planar) {
      if (const auto by = body.number("angle", angle)) placed.angle = *by;
      const double c = std::cos(placed.angle), s = std::sin(placed.angle);
      placed.axes = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
      return placed;
    }
    if (const auto axes = read_axes(body)) placed.axes = *axes;
  }
  if (planar) placed.angle = plane_angle(placed.axes);
  return placed;
}

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
  if (const auto at = section.vector("at", length)) shape.at = *at;
  if (const auto given = unit(section, "axis")) axis = *given;
  shape.axes = *kind == BodyShape::Kind::link
                   ? axes_along(axis, std::abs(axis.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0})
               : axis == Vec3{0, 0, 1} ? mechanics::identity3
                                       : axes_with_third(axis);
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
  bool dense = !shapes.empty();
  for (const auto& own : densities) dense = dense && (own || common);
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
    const auto moments = body.vector("inertia", inertia), products = body.vector("products", inertia);
    if (moments) {
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

void ModelReader::read_body(const std::string& name, Section& body) {
  const bool planar = in_plane(body);
  body.knows({"mass", "inertia", "center", "density", "shape", "shapes", "at", "from", "to", "velocity"});
  if (planar)
    body.knows({"angle", "spin"});
  else
    body.knows({"products", "turn", "axes", "quaternion", "up", "rates"});
  const Placed placed = read_place(body, planar);
  std::vector<std::optional<double>> densities;
  const std::vector<BodyShape> shapes = read_shapes(body, placed, densities);
  const auto heavy = read_mass(body, planar, shapes, densities);
  const Vec3 velocity = place(body, "velocity", planar, speed).value_or(Vec3{});
  const double spin = planar ? body.number("spin", rate).value_or(0) : 0;
  const Vec3 rates = planar ? Vec3{} : body.vector("rates", rate).value_or(Vec3{});
  body.finish();
  if (!claim(body, name) || !heavy || body.broken()) return;
  const Vec3 arm = placed.axes * heavy->center, center = placed.at + arm;
  guarded(body, [&] {
    ModelBody made{.name = name, .id = {}, .planar = planar, .center = heavy->center, .shapes = shapes};
    if (planar)
      made.id =
          model_.mechanism.body(mechanics::PlanarBody{.name = name,
                                                      .mass = heavy->mass,
                                                      .inertia = heavy->inertia.z.z,
                                                      .at = center,
                                                      .angle = placed.angle,
                                                      .velocity = velocity + cross(Vec3{0, 0, spin}, arm),
                                                      .spin = spin,
                                                      .origin = -heavy->center});
    else
      made.id = model_.mechanism.body(
          mechanics::SpatialBody{.name = name,
                                 .mass = heavy->mass,
                                 .inertia = {heavy->inertia.x.x, heavy->inertia.y.y, heavy->inertia.z.z},
                                 .products = {heavy->inertia.y.z, heavy->inertia.z.x, heavy->inertia.x.y},
                                 .at = center,
                                 .axes = placed.axes,
                                 .velocity = velocity + cross(placed.axes * rates, arm),
                                 .rates = rates,
                                 .origin = -heavy->center});
    body_ids_.emplace(name, made.id);
    model_.bodies.push_back(std::move(made));
  });
}

void ModelReader::read_bodies(Section& root) {
  auto section = root.section("body");
  if (!section) {
    if (!root.has("body")) root.fault("there is no body; give at least one as [body.NAME]");
    return;
  }
  for (auto& [name, body] : section->entries()) read_body(name, body);
}

}  // namespace driftless::io
