// Shapes of bodies: for drawing, and for what they weigh and how they resist turning.
//   box        a x b x c                m (b^2 + c^2)/12, ..
//   sphere     radius                   2/5 m r^2
//   cylinder   radius, length along z   across m (3 r^2 + l^2)/12, along m r^2/2
//   capsule    such a cylinder and a half sphere on each of its ends:  across m (2/5 r^2 + l^2/4 + 3/8 l r) of these
//   link       a flat bar along x with round ends: a box of length x width x thickness and half a disc on each end, with
//              z: m (r^2/2 + l^2/4 + 4 l r/(3 pi)) of these, r = width/2
#pragma once

#include <vector>

#include <driftless/io/model_file.hpp>

namespace driftless::io {

struct MassProperties {
  double mass = 0;
  mechanics::Vec3 center = {};
  mechanics::Mat3 inertia = {};  // about the centre, by the axes of the body
};

double volume_of(const BodyShape& shape);
// With its place and axes in the body.
MassProperties mass_properties(const BodyShape& shape, double density);
// Of all parts together.
MassProperties sum_of(const std::vector<MassProperties>& parts);

}  // namespace driftless::io
