#include "io/robot/mjcf_inertia.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "io/robot/possible_inertia.hpp"

namespace driftless::io {

namespace {

using FromGeoms = MjcfSettings::FromGeoms;
using mechanics::Mat3;
using mechanics::Vec3;

enum Type : std::size_t { plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh, sdf };
const std::vector<std::string> types = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                        "cylinder", "box",    "mesh",   "sdf"};
// Numbers of `size` that a type needs.
constexpr std::size_t sizes[] = {0, 0, 1, 2, 3, 2, 3, 0, 0};

// --- moments ---------------------------------------------------------------------------------------------------------------------

Mat3 inertia_of(const Vec3& moments, const Mat3& axes) {
  const Mat3 along{{moments.x, 0, 0}, {0, moments.y, 0}, {0, 0, moments.z}};
  return axes * along * transposed(axes);
}

// --- geoms -----------------------------------------------------------------------------------------------------------------------

std::string color_of(const std::vector<double>& rgba) {
  const auto byte = [](double x) { return static_cast<int>(std::lround(255 * std::clamp(x, 0.0, 1.0))); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(rgba[0]), byte(rgba[1]), byte(rgba[2]));
}

BodyShape shape_of(std::size_t type, const std::vector<double>& size, const Place& at) {
  BodyShape shape{.at = at.at, .axes = at.axes};
  shape.radius = size[0], shape.length = 2 * size[1];
  if (type == sphere) shape.kind = BodyShape::Kind::sphere;
  if (type == capsule) shape.kind = BodyShape::Kind::capsule;
  if (type == cylinder) shape.kind = BodyShape::Kind::cylinder;
  if (type == box) {
    shape.kind = BodyShape::Kind::box;
    shape.size = {2 * size[0], 2 * size[1], 2 * size[2]};
  }
  return shape;
}

double volume_of_geom(std::size_t type, const std::vector<double>& size, const BodyShape& shape) {
  return type == ellipsoid ? 4.0 / 3 * std::numbers::pi * size[0] * size[1] * size[2] : volume_of(shape);
}

MassProperties mass_of_geom(std::size_t type, const std::vector<double>& size, const BodyShape& shape,
                            double density) {
  if (type != ellipsoid) return mass_properties(shape, density);
  const double m = density * volume_of_geom(type, size, shape), a = size[0] * size[0], b = size[1] * size[1],
               c = size[2] * size[2];
  return {m, shape.at, inertia_of({m * (b + c) / 5, m * (a + c) / 5, m * (a + b) / 5}, shape.axes)};
}

// Sizes and place, with both ends given or not; nothing: a fault.
bool read_size(const MjcfElement& e, std::size_t type, const MjcfAngles& angles, std::vector<double>& size,
               Place& at) {
  size = e.overlaid("size", {0, 0, 0});
  if (e.has("fromto")) {
    if (type != capsule && type != cylinder && type != ellipsoid && type != box) {
      e.fault("fromto", fmt::format("a {} has no two ends; capsules, cylinders, boxes and ellipsoids have",
                                    types[type]));
      return false;
    }
    if (const auto pos = e.vector("pos"); pos && !(*pos == Vec3{})) {
      e.fault("pos", "pos and fromto both place the geom; leave one out");
      return false;
    }
    const auto ends = ends_of(e);
    if (!ends) return false;
    at = ends->middle;
    if (type == ellipsoid || type == box) size[1] = size[0];
    size[type == ellipsoid || type == box ? 2 : 1] = ends->length / 2;
  } else {
    at = place_of(e, angles);
  }
  for (std::size_t i = 0; i < sizes[type]; ++i)
    if (!(size[i] > 0)) {
      const std::string message = fmt::format("size {} of the {} is {:g} (must be positive); {} are needed",
                                              i + 1, types[type], size[i], sizes[type]);
      if (e.has("size"))
        e.fault("size", message);
      else
        e.own().fault(message);
      return false;
    }
  return true;
}

}  // namespace

MjcfGeom read_geom(MjcfModel& model, const MjcfElement& e, const Place& frame) {
  MjcfGeom geom{.element = e.own()};
  name_of(model, e.own(), "geom");
  know(e.own(), "geom");
  const std::size_t type = e.one_of("type", types).value_or(sphere);
  geom.group = e.whole("group").value_or(0);
  geom.touches = static_cast<unsigned>(e.whole("contype").value_or(1));
  geom.touched_by = static_cast<unsigned>(e.whole("conaffinity").value_or(1));
  const auto mass = e.number("mass");
  const double density = e.number("density").value_or(1000);
  if (mass && *mass < 0) e.fault("mass", fmt::format("the mass is {:g} kg (must not be negative)", *mass));
  if (density < 0) e.fault("density", fmt::format("the density is {:g} (must not be negative)", density));
  const bool weightless = mass ? *mass == 0 : density == 0;
  if (weightless || type == plane || type == hfield) geom.mass = MassProperties{};
  if (type == plane || type == hfield) {
    e.own().omit("planes and height fields", "they are not drawn, and bodies pass through them");
    return geom;
  }
  if (type == mesh || type == sdf || e.has("mesh")) {
    e.own().leave_out("meshes", "these parts are not drawn");
    return geom;
  }
  std::vector<double> size;
  Place at;
  if (!read_size(e, type, model.settings.angles, size, at)) {
    geom.mass = MassProperties{};
    return geom;
  }
  BodyShape shape = shape_of(type, size, frame * at);
  geom.center = shape.at;
  if (type == sphere) geom.radius = size[0];
  if (weightless) {
    geom.mass->center = shape.at;
  } else {
    const double own = mass ? *mass / volume_of_geom(type, size, shape) : density;
    geom.mass = mass_of_geom(type, size, shape, own);
    if (e.flag("shellinertia", false))
      e.fault("shellinertia", "what shells weigh is not known here; give the body an <inertial>");
  }
  const auto rgba = e.numbers("rgba", 4, 4);
  if (rgba) shape.color = color_of(*rgba);
  if (type == ellipsoid)
    e.own().leave_out("shapes of ellipsoids", "they are not drawn");
  else if (!rgba || (*rgba)[3] > 0)
    geom.shape = shape;
  return geom;
}

// --- bodies ----------------------------------------------------------------------------------------------------------------------

std::optional<MassProperties> read_inertial(const XmlElement& own, const MjcfAngles& angles) {
  const MjcfElement e(own);
  MassProperties m;
  if (!own.has("pos")) own.fault("pos is missing: where the mass centre is, by the axes of the body");
  if (!own.has("mass")) own.fault("mass is missing: the mass in kg");
  m.center = e.vector("pos").value_or(Vec3{});
  m.mass = e.number("mass").value_or(0);
  if (m.mass < 0) e.fault("mass", fmt::format("the mass is {:g} kg (must not be negative)", m.mass));
  const Mat3 axes = orientation_of(e, angles);
  const auto moments = e.vector("diaginertia");
  if (moments) {
    if (moments->x < 0 || moments->y < 0 || moments->z < 0)
      e.fault("diaginertia", "a moment of inertia is negative; give three numbers that are not");
    m.inertia = inertia_of(*moments, axes);
  }
  if (const auto full = e.numbers("fullinertia", 6, 6)) {
    const auto& f = *full;
    m.inertia = {{f[0], f[3], f[4]}, {f[3], f[1], f[5]}, {f[4], f[5], f[2]}};
    if (has_orientation(e))
      e.fault("fullinertia", "it is by the axes of the body; give no orientation with it");
    if (moments) e.fault("fullinertia", "diaginertia gives the inertia too; leave one out");
    if (const Vec3 p = principal_of(m.inertia).moments; !(std::min({p.x, p.y, p.z}) > 0))
      e.fault("fullinertia",
              fmt::format("its principal moments are {:g}, {:g} and {:g} (must be positive)", p.x, p.y, p.z));
  }
  return m;
}

std::optional<MassProperties> mass_of_body(const XmlElement& body, const std::optional<XmlElement>& inertial,
                                           const std::vector<MjcfGeom>& geoms, const Vec3& pos,
                                           const MjcfSettings& settings, bool counts) {
  std::optional<MassProperties> given;
  if (inertial) given = read_inertial(*inertial, settings.angles);
  const bool by_geoms = settings.from_geoms == FromGeoms::always ||
                        (settings.from_geoms == FromGeoms::where_missing && !inertial);
  std::vector<MassProperties> parts;
  const MjcfGeom* counted = nullptr;
  for (const MjcfGeom& geom : geoms) {
    if (!by_geoms || geom.group < settings.least_group || geom.group > settings.most_group) continue;
    counted = &geom;
    if (!geom.mass && !counts) return {};
    if (!geom.mass)
      geom.element.fault(
          fmt::format("the inertia of {} would come from this mesh, and meshes are not read; give the body "
                      "<inertial pos=\"..\" "
                      "mass=\"..\" diaginertia=\"..\"/> (what MuJoCo saves of a compiled model has it), or "
                      "the geom mass=\"0\"",
                      body.called()));
    else if (geom.mass->mass > 0)
      parts.push_back(*geom.mass);
  }
  MassProperties m;
  if (!parts.empty())
    m = sum_of(parts);
  else if (given && !counted)
    m = *given;
  else  // where MuJoCo puts what the bounds below give to bodies that weigh nothing: `pos`, which is by the parent's axes, as if by their own
    m.center = counted ? counted->mass.value_or(MassProperties{}).center : pos;
  m.mass = std::max(m.mass, settings.least_mass);
  if (given || settings.least_inertia > 0) {
    const PrincipalMoments p = principal_of(m.inertia);
    const double least = settings.least_inertia;
    const Vec3 bounded{std::max(p.moments.x, least), std::max(p.moments.y, least),
                       std::max(p.moments.z, least)};
    if (!possible_moments(bounded) && !settings.balance) {
      inertial.value_or(body).fault(fmt::format(
          "no body has the moments of inertia {:g}, {:g} and {:g}: two of them together are never less "
          "than the third; correct them, or set balanceinertia in <compiler>",
          bounded.x, bounded.y, bounded.z));
    } else if (!possible_moments(bounded)) {
      const double mean = (bounded.x + bounded.y + bounded.z) / 3;
      m.inertia = inertia_of({mean, mean, mean}, mechanics::identity3);
    } else if (!(bounded == p.moments)) {
      m.inertia = inertia_of(bounded, p.axes);
    }
  }
  if (m.mass == 0 && norm(m.inertia.x) + norm(m.inertia.y) + norm(m.inertia.z) == 0) return {};
  return m;
}

void set_total_mass(Robot& robot, double total) {
  double sum = 0;
  for (const RobotLink& link : robot.links)
    if (link.mass) sum += link.mass->mass;
  if (!(sum > 0)) return;
  const double factor = total / sum;
  for (RobotLink& link : robot.links)
    if (link.mass) {
      link.mass->mass *= factor;
      Mat3& J = link.mass->inertia;
      J = {factor * J.x, factor * J.y, factor * J.z};
    }
}

}  // namespace driftless::io
