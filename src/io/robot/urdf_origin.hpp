// <origin> of URDF: xyz, and a turn by roll, pitch and yaw about fixed axes or, since URDF 1.1, by a quaternion with its scalar part last.
#pragma once

#include "io/robot/robot.hpp"
#include "io/robot/xml_file.hpp"

namespace driftless::io {

// Of the element's child <origin>; without one it is where its parent is.
Place urdf_origin(const XmlElement& of);

}  // namespace driftless::io
