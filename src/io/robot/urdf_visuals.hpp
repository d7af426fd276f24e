// <visual> and <material> of URDF: shapes for drawing, which have no part in the motion. What cannot be drawn is told by its name.
#pragma once

#include <map>
#include <string>

#include "io/robot/robot.hpp"
#include "io/robot/xml_file.hpp"

namespace driftless::io {

class UrdfVisuals {
 public:
  // Reads the materials that stand in <robot> and that visuals name.
  explicit UrdfVisuals(const XmlElement& root);

  void read(const XmlElement& visual, RobotLink& link) const;

 private:
  std::string color_in(const XmlElement& visual) const;

  std::map<std::string, std::string> colors_;  // by the name of the material
};

}  // namespace driftless::io
