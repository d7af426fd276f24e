// <link> of SDFormat: what it weighs and what it looks like.
#pragma once

#include "io/robot/robot.hpp"
#include "io/robot/sdf_frames.hpp"

namespace driftless::io {

// Mass and shapes of the link whose frame that is. False: it says nothing of its mass, which then is what SDFormat says.
bool read_sdf_link(const XmlElement& e, int frame, SdfFrames& frames, RobotLink& link);

}  // namespace driftless::io
