// Where things are in MJCF, by the axes of what they stand in: `pos`, and one of
//   quat       w x y z, of any length                      axisangle  axis, angle
//   euler      three angles about the axes of `eulerseq`: small letters turn with the body, capitals stand still
//   xyaxes     where x points, and y roughly               zaxis      where z points, by the shortest turn
// Angles are degrees unless <compiler angle="radian"/> says otherwise. Capsules and the like may be given by both ends of their z axis: fromto.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/robot/mjcf_defaults.hpp"

namespace driftless::io {

struct MjcfAngles {
  bool degrees = true;
  std::string sequence = "xyz";
  double radians(double angle) const;
};

Place place_of(const MjcfElement& e, const MjcfAngles& angles);
mechanics::Mat3 orientation_of(const MjcfElement& e, const MjcfAngles& angles);
bool has_orientation(const MjcfElement& e);

// Of four numbers from `first` on; nothing where all are 0.
std::optional<mechanics::Mat3> rotation_of(const std::vector<double>& numbers, std::size_t first);
// By the shortest turn from z, about x where it is half a turn.
mechanics::Mat3 turned_to(const mechanics::Vec3& z);

// The middle of both ends, z along the line between them.
struct MjcfEnds {
  Place middle;
  double length = 0;
};
// Nothing where there is no fromto, or a wrong one.
std::optional<MjcfEnds> ends_of(const MjcfElement& e);

}  // namespace driftless::io
