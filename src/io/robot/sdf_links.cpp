// <inertial>: mass 1 and moments of inertia 1 where nothing is said, about the mass centre along the axes of its pose. With auto="true" they come
// from the collision shapes and their densities, scaled to <mass> where that is given.
#include "io/robot/sdf_links.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace driftless::io {

namespace {

using mechanics::Mat3;
using mechanics::Vec3;
using Kind = BodyShape::Kind;

constexpr double water = 1000;  // kg/m^3, the usual density

// What a <geometry> has in it.
struct Solid {
  std::string kind;                     // "box"; empty: nothing that can be used
  std::optional<BodyShape> shape = {};  // none: an ellipsoid, or something without a simple shape
  std::optional<Vec3> radii = {};       // of an ellipsoid
  std::optional<XmlElement> element = std::nullopt;
};

bool all_positive(const Vec3& v) {
  return v.x > 0 && v.y > 0 && v.z > 0;
}

std::optional<Vec3> sizes_in(const XmlElement& e, const char* child) {
  const auto given = e.child(child);
  if (!given) {
    e.fault(fmt::format("<{}> is missing", child));
    return {};
  }
  const auto v = given->own_numbers(3, 3);
  if (!v) return {};
  const Vec3 size{(*v)[0], (*v)[1], (*v)[2]};
  if (all_positive(size)) return size;
  given->fault(fmt::format("the sizes are {:g}, {:g} and {:g} (must be above 0)", size.x, size.y, size.z));
  return {};
}

Solid solid_of(const XmlElement& of) {
  const auto geometry = of.child("geometry");
  if (!geometry) {
    of.fault("<geometry> is missing");
    return {};
  }
  const auto all = geometry->children();
  if (all.empty()) {
    geometry->fault("there is nothing in it; give a shape, like <box><size>1 1 1</size></box>");
    return {};
  }
  const XmlElement& e = all.front();
  Solid solid{.kind = e.name(), .element = e};
  if (solid.kind == "box") {
    const auto size = sizes_in(e, "size");
    if (!size) return {};
    solid.shape = {.kind = Kind::box, .size = *size};
  } else if (solid.kind == "sphere") {
    const auto radius = positive_in(e, "radius");
    if (!radius) return {};
    solid.shape = {.kind = Kind::sphere, .radius = *radius};
  } else if (solid.kind == "cylinder" || solid.kind == "capsule") {
    const auto radius = positive_in(e, "radius"), length = positive_in(e, "length");
    if (!radius || !length) return {};
    solid.shape = {.kind = solid.kind == "cylinder" ? Kind::cylinder : Kind::capsule,
                   .radius = *radius,
                   .length = *length};
  } else if (solid.kind == "ellipsoid") {
    solid.radii = sizes_in(e, "radii");
    if (!solid.radii) return {};
    if (solid.radii->x == solid.radii->y && solid.radii->y == solid.radii->z)
      solid.shape = {.kind = Kind::sphere, .radius = solid.radii->x};
  } else {
    e.ignore();
  }
  return solid;
}

class LinkReader {
 public:
  LinkReader(const XmlElement& e, int frame, SdfFrames& frames) : e_(e), frame_(frame), frames_(frames) {}

  bool read(RobotLink& link) {
    const auto inertial = e_.child("inertial");
    automatic_ = inertial && inertial->flag("auto").value_or(false);
    if (!inertial)
      link.mass = MassProperties{.mass = 1, .inertia = mechanics::identity3};
    else if (!automatic_)
      link.mass = given(*inertial);
    read_collisions(inertial);
    if (automatic_) link.mass = weighed(*inertial);
    for (const XmlElement& visual : e_.children("visual")) read_visual(visual, link);
    omit_rest();
    return inertial.has_value();
  }

 private:
  std::optional<MassProperties> given(const XmlElement& e) {
    const Place at = frames_.on(frame_, pose_in(e));
    const auto told = e.child("mass");
    const double mass = told ? told->own_number().value_or(1) : 1;
    if (mass < 0) told->fault(fmt::format("the mass is {:g} kg (must not be negative)", mass));
    const auto inertia = e.child("inertia");
    const auto entry = [&](const char* name, double usual) {
      return inertia ? number_in(*inertia, name).value_or(usual) : usual;
    };
    const double xy = entry("ixy", 0), xz = entry("ixz", 0), yz = entry("iyz", 0);
    const Mat3 J{{entry("ixx", 1), xy, xz}, {xy, entry("iyy", 1), yz}, {xz, yz, entry("izz", 1)}};
    for (const XmlElement& other : e.children("density")) other.ignore();  // it goes with auto
    omit_in_inertial(e);
    return MassProperties{mass, at.at, at.axes * J * transposed(at.axes)};
  }

  std::optional<MassProperties> weighed(const XmlElement& e) {
    for (const char* told : {"pose", "inertia"})  // both follow from the shapes
      for (const XmlElement& other : e.children(told)) other.ignore();
    omit_in_inertial(e);
    const double mass = positive_in(e, "mass", 0).value_or(0);
    if (parts_.empty()) {
      if (!unweighed_)
        e.fault("auto needs a <collision> with a shape to be weighed by; give one, or mass and inertia");
      return {};
    }
    MassProperties all = sum_of(parts_);
    if (mass > 0) {
      const double scale = mass / all.mass;
      all.inertia = {scale * all.inertia.x, scale * all.inertia.y, scale * all.inertia.z};
      all.mass = mass;
    }
    return all;
  }

  static void omit_in_inertial(const XmlElement& e) {
    for (const XmlElement& other : e.children("auto_inertia_params")) other.ignore();
    omit_in(e, "fluid_added_mass", "added mass of fluids", "links accelerate as in air");
  }

  void read_collisions(const std::optional<XmlElement>& inertial) {
    const double usual = automatic_ ? positive_in(*inertial, "density", water).value_or(water) : water;
    for (const XmlElement& e : e_.children("collision")) {
      if (automatic_) weigh(e, usual);
      e.omit("collision geometry", "bodies pass through each other and the ground");
      e.ignore();
    }
  }

  void weigh(const XmlElement& e, double usual) {
    const Solid solid = solid_of(e);
    const double density = positive_in(e, "density", usual).value_or(usual);
    const Place at = frames_.on(frame_, pose_in(e));
    if (solid.kind == "empty") return;
    if (solid.shape) {
      BodyShape shape = *solid.shape;
      shape.at = at.at, shape.axes = at.axes;
      parts_.push_back(mass_properties(shape, density));
    } else if (solid.radii) {
      const Vec3 r = *solid.radii, s{r.x * r.x, r.y * r.y, r.z * r.z};
      const double m = density * 4 / 3 * std::numbers::pi * r.x * r.y * r.z;
      const Mat3 J{{m / 5 * (s.y + s.z), 0, 0}, {0, m / 5 * (s.z + s.x), 0}, {0, 0, m / 5 * (s.x + s.y)}};
      parts_.push_back({m, at.at, at.axes * J * transposed(at.axes)});
    } else {
      unweighed_ = true;
      if (!solid.kind.empty())
        solid.element->fault(
            "auto cannot weigh this shape, only box, sphere, cylinder, capsule and ellipsoid; "
            "give <mass> and <inertia> without auto");
    }
  }

  void read_visual(const XmlElement& e, RobotLink& link) {
    e.word("name");
    for (const char* light : {"cast_shadows", "laser_retro", "transparency", "visibility_flags", "meta"})
      for (const XmlElement& other : e.children(light)) other.ignore();
    omit_in(e, "plugin", "plugins", "what they do does not happen");
    const Place at = frames_.on(frame_, pose_in(e));
    const std::string color = color_of(e);
    const Solid solid = solid_of(e);
    if (solid.shape) {
      BodyShape shape = *solid.shape;
      shape.at = at.at, shape.axes = at.axes, shape.color = color;
      link.shapes.push_back(std::move(shape));
    } else if (!solid.kind.empty() && solid.kind != "empty") {
      solid.element->leave_out(fmt::format("<{}> of visuals", solid.kind), "these parts are not drawn");
    }
  }

  // "#rrggbb"; empty: none is given.
  static std::string color_of(const XmlElement& visual) {
    const auto material = visual.child("material");
    if (!material) return {};
    for (const char* other : {"script", "shader", "pbr", "ambient", "specular", "emissive", "lighting",
                              "render_order", "double_sided", "shininess"})
      leave_out_in(*material, other, "materials beyond their diffuse color", "shapes have plain colors");
    const auto diffuse = material->child("diffuse");
    const auto rgba = diffuse ? diffuse->own_numbers(3, 4) : std::nullopt;
    if (!rgba) return {};
    const auto byte = [&](std::size_t i) {
      return static_cast<int>(std::lround(255 * std::clamp((*rgba)[i], 0.0, 1.0)));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", byte(0), byte(1), byte(2));
  }

  void omit_rest() {
    omit_flag(e_, "gravity", false, "<gravity>false</gravity> of links", "these links fall all the same");
    omit_flag(e_, "enable_wind", true, "wind on links", "no wind blows");
    omit_flag(e_, "self_collide", true, "collisions of links with each other",
              "they pass through each other");
    omit_flag(e_, "kinematic", true, "kinematic links", "forces move these links like all others");
    for (const XmlElement& e : e_.children("must_be_base_link"))
      e.ignore();  // what hangs on what changes no motion
    if (const auto decay = e_.child("velocity_decay")) {
      if (number_in(*decay, "linear").value_or(0) != 0 || number_in(*decay, "angular").value_or(0) != 0)
        decay->omit("velocity decay of links", "motion loses less energy");
    }
    leave_out_in(e_, "sensor", "sensors", "nothing is measured");
    leave_out_in(e_, "light", "lights", "nothing shines");
    leave_out_in(e_, "projector", "projectors", "nothing is projected");
    leave_out_in(e_, "audio_source", "sounds", "nothing is heard");
    leave_out_in(e_, "audio_sink", "sounds", "nothing is heard");
    leave_out_in(e_, "battery", "batteries", "nothing is charged or spent");
    leave_out_in(e_, "particle_emitter", "particle emitters", "no particles are seen");
    omit_in(e_, "plugin", "plugins", "what they do does not happen");
  }

  XmlElement e_;
  int frame_;
  SdfFrames& frames_;
  bool automatic_ = false;
  std::vector<MassProperties> parts_;
  bool unweighed_ = false;  // a shape was told to be none that can be weighed
};

}  // namespace

bool read_sdf_link(const XmlElement& e, int frame, SdfFrames& frames, RobotLink& link) {
  return LinkReader(e, frame, frames).read(link);
}

}  // namespace driftless::io
