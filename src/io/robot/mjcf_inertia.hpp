// What bodies of MJCF weigh: by <inertial>, or by their geoms, which are full and of density 1000 unless they say otherwise.
//   sphere radius        capsule, cylinder radius, half the length      box, ellipsoid three halves
//   Of an ellipsoid with halves a, b, c: m = 4/3 pi a b c density, and m (b^2 + c^2)/5 about the first axis; the others are as in body_shapes.
//   `mass` of a geom overrides its density. Planes and height fields weigh nothing; meshes are not read.
#pragma once

#include <optional>
#include <vector>

#include "io/robot/mjcf_model.hpp"

namespace driftless::io {

// By the axes of its body.
struct MjcfGeom {
  XmlElement element;
  std::optional<BodyShape> shape = {};      // none: it is not drawn
  std::optional<MassProperties> mass = {};  // none: only its mesh could tell
  std::optional<double> radius = {};        // of a sphere
  mechanics::Vec3 center = {};
  int group = 0;
  unsigned touches = 1, touched_by = 1;  // contype, conaffinity
};

// `frame`: where the <frame> is that it stands in.
MjcfGeom read_geom(MjcfModel& model, const MjcfElement& e, const Place& frame);
std::optional<MassProperties> read_inertial(const XmlElement& e, const MjcfAngles& angles);

// Of a body, as MuJoCo's compiler finds it; nothing where it weighs nothing. `pos`: as <body> has it; `counts`: what it weighs must be known.
std::optional<MassProperties> mass_of_body(const XmlElement& body, const std::optional<XmlElement>& inertial,
                                           const std::vector<MjcfGeom>& geoms, const mechanics::Vec3& pos,
                                           const MjcfSettings& settings, bool counts);

// All masses and inertias by one factor.
void set_total_mass(Robot& robot, double total);

}  // namespace driftless::io
