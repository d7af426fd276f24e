// The readers of the formats: from the root element to a Robot; what is wrong goes to the element's reading.
#pragma once

#include "io/robot/robot.hpp"
#include "io/robot/xml_file.hpp"

namespace driftless::io {

Robot read_urdf(XmlElement root);
Robot read_sdf(XmlElement root);
Robot read_mjcf(XmlElement root, const std::string& keyframe);

}  // namespace driftless::io
