#include "io/robot/urdf_origin.hpp"

#include <algorithm>
#include <cmath>

#include <driftless/mechanics/bodies.hpp>

#include "io/robot/rotations.hpp"

namespace driftless::io {

using mechanics::Mat3;
using mechanics::Vec3;

namespace {

// Of any length: scaled by the largest entry, whose square may be beyond the range of numbers.
Mat3 turn_of(const XmlElement& origin, const std::vector<double>& q) {
  const double largest = std::max({std::abs(q[0]), std::abs(q[1]), std::abs(q[2]), std::abs(q[3])});
  if (largest > 0) return mechanics::rotation(q[3] / largest, q[0] / largest, q[1] / largest, q[2] / largest);
  origin.fault("quat_xyzw", "all four numbers are 0, which turns nowhere; give 0 0 0 1 for no turn");
  return mechanics::identity3;
}

}  // namespace

Place urdf_origin(const XmlElement& of) {
  Place place;
  const auto origin = of.child("origin");
  if (!origin) return place;
  place.at = origin->vector("xyz").value_or(Vec3{});
  const auto rpy = origin->vector("rpy");
  if (rpy) place.axes = roll_pitch_yaw(*rpy);
  if (const auto quaternion = origin->numbers("quat_xyzw", 4, 4)) {
    if (origin->has("rpy")) origin->fault("rpy and quat_xyzw both turn it; leave one of them out");
    place.axes = turn_of(*origin, *quaternion);
  }
  return place;
}

}  // namespace driftless::io
