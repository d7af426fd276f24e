// [body.NAME]: where a body is, what it weighs, what it looks like.
#include <algorithm>
#include <cctype>
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

constexpr Dimension length{.length = 1}, mass{.mass = 1}, inertia{.length = 2, .mass = 1}, angle{.angle = 1},
    speed{.length = 1, .time = -1}, rate{.time = -1, .angle = 1}, density_of{.length = -3, .mass = 1};

Mat3 of_quaternion(double p0, double p1, double p2, double p3) {
  return mechanics::rotation(p0, p1, p2, p3);
}

double plane_angle(const Mat3& axes) {
  return std::atan2(axes.x.y, axes.x.x);
}

bool has_letters(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isalpha(c); });
}

// What the third number of a vector in the plane was probably meant for.
std::string meant_in_plane(const std::string& key, const Vec3& v) {
  const auto whole = [](double x) { return x == std::floor(x); };
  if (key == "gravity" && v.x == 0 && v.y == 0)
    return fmt::format("; in the plane y points up: write [0, {:g}]", v.z);
  if (whole(v.y) && whole(v.z) && v.z > 0 && v.z < 1000)
    return fmt::format("; leave it out, or, if a decimal comma was meant, write [{:g}, {:g}.{:g}]", v.x, v.y,
                       v.z);
  return "; leave it out";
}

// Keys of bodies in space on one in the plane, and the other way round.
void refuse_other_keys(Section& body, bool planar) {
  static const std::pair<const char*, const char*> of_space[] = {{"rates", "spin, one number"},
                                                                 {"turn", "angle, one number"},
                                                                 {"quaternion", "angle, one number"}},
                                                   of_plane[] = {
                                                       {"spin", "rates, three numbers"},
                                                       {"angle", "turn, with an axis and an angle"}};
  const auto refuse = [&](const std::pair<const char*, const char*>& key, const char* other,
                          const char* own) {
    if (body.node(key.first))
      body.fault(key.first,
                 fmt::format("{} is for bodies in {}; in {} it is {}", key.first, other, own, key.second));
  };
  if (planar)
    for (const auto& key : of_space) refuse(key, "space", "the plane");
  else
    for (const auto& key : of_plane) refuse(key, "the plane", "space");
}

// Nothing, and faults, where the body is said to weigh something as well.
std::optional<MassProperties> no_mass(Section& body, bool planar) {
  if (planar) {
    body.fault(
        "massless",
        "massless is true, and the body moves in the plane; only bodies in space (dimensions = 3) may be "
        "massless: give it mass and inertia");
    return std::nullopt;
  }
  bool given = false;
  for (const char* key : {"mass", "inertia", "products", "density", "center", "shape", "shapes"})
    if (body.has(key)) {
      body.fault(key, fmt::format("the body is massless and has {}; leave one of them out", key));
      given = true;
    }
  if (given) return std::nullopt;
  return MassProperties{};
}

}  // namespace

bool ModelReader::in_plane(Section& section) {
  const toml::node* node = section.node("dimensions");
  if (const auto* text = node ? node->as_string() : nullptr;
      text && reading_.numbers.parameters().empty() && has_letters(text->get())) {
    section.fault("dimensions", fmt::format("dimensions is '{}' (must be 2 or 3); give the number 2 for the "
                                            "plane, 3 for space",
                                            text->get()));
    return text->get().starts_with('2');
  }
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
  const auto found = section.vector(key, d, planar ? Section::Room::plane : Section::Room::space);
  if (!found || !planar || found->z == 0) return found;
  const double unit = reading_.numbers.units().of(d);
  section.fault(key, fmt::format("{} leaves the plane: its third number is {:g}{}", key, found->z / unit,
                                 meant_in_plane(key, (1 / unit) * *found)));
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
    const auto axis = unit(*section, "axis", Section::Room::space);
    const auto by = section->number("angle", angle);
    if (!axis && !section->has("axis")) section->fault("'axis' is missing: about what it is turned");
    if (!by && !section->has("angle")) section->fault("'angle' is missing: by how much it is turned");
    section->finish();
    if (axis && by) return mechanics::turned(*axis, *by);
  }
  if (auto section = body.section("axes")) {
    const auto x = unit(*section, "x", Section::Room::space), y = unit(*section, "y", Section::Room::space);
    if ((!x && !section->has("x")) || (!y && !section->has("y")))
      section->fault("'x' and 'y' are needed: where the body's first two axes point");
    section->finish();
    if (x && y && std::abs(dot(*x, *y)) > 1e-6)
      section->fault("y", fmt::format("x and y are not perpendicular (their product is {:.3g}); make them so",
                                      dot(*x, *y)));
    else if (x && y)
      return axes_along(*x, cross(*x, *y));
  }
  if (const auto p = body.numbers("quaternion", 4)) {
    const double size =
        std::sqrt((*p)[0] * (*p)[0] + (*p)[1] * (*p)[1] + (*p)[2] * (*p)[2] + (*p)[3] * (*p)[3]);
    if (std::abs(size - 1) < 1e-3)
      return of_quaternion((*p)[0] / size, (*p)[1] / size, (*p)[2] / size, (*p)[3] / size);
    body.fault("quaternion", fmt::format("the quaternion has length {:.6g} (must be 1); scale it", size));
  }
  return std::nullopt;
}

ModelReader::Placed ModelReader::read_place(Section& body, bool planar) {
  Placed placed{.planar = planar};
  const bool by_ends = body.has("from") || body.has("to");
  if (by_ends) {
    placed.length = 1;  // where the ends are wrong, that is told, and no shape is blamed for it
    for (const char* other : {"at", "angle", "turn", "axes", "quaternion"})
      if (body.node(other))
        body.fault(other, fmt::format("from and to place the body, and so does {}; leave one out", other));
    if (!body.need("from", "where the body begins") || !body.need("to", "where the body ends")) return placed;
    const auto from = place(body, "from", planar), to = place(body, "to", planar);
    const auto up = planar ? std::nullopt : unit(body, "up", Section::Room::space);
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

void ModelReader::read_body(const std::string& name, Section& body) {
  const bool planar = in_plane(body);
  body.knows({"mass", "massless", "inertia", "center", "density", "shape", "shapes", "at", "from", "to",
              "velocity"});
  if (planar)
    body.knows({"angle", "spin"});
  else
    body.knows({"products", "turn", "axes", "quaternion", "up", "rates"});
  refuse_other_keys(body, planar);
  const Placed placed = read_place(body, planar);
  std::vector<std::optional<double>> densities;
  const std::vector<BodyShape> shapes = read_shapes(body, placed, densities);
  const bool massless = body.flag("massless").value_or(false);
  const auto heavy = massless ? no_mass(body, planar) : read_mass(body, planar, shapes, densities);
  const Vec3 velocity = place(body, "velocity", planar, speed).value_or(Vec3{});
  const double spin = planar ? body.number("spin", rate).value_or(0) : 0;
  const Vec3 rates = planar ? Vec3{} : body.vector("rates", rate, Section::Room::space).value_or(Vec3{});
  body.finish();
  if (!claim(body, name) || !heavy || body.broken()) return;
  const Vec3 arm = placed.axes * heavy->center, center = placed.at + arm;
  guarded(body, [&] {
    ModelBody made{.name = name,
                   .id = {},
                   .planar = planar,
                   .center = heavy->center,
                   .shapes = shapes,
                   .length = placed.length};
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
                                 .massless = massless,
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
  if (section->keys().empty()) section->fault("there is no body; give at least one as [body.NAME]");
  for (auto& [name, body] : section->entries()) read_body(name, body);
}

}  // namespace driftless::io
