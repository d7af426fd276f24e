// SDFormat writes values as elements with text: <mass>2</mass>, <pose relative_to="base">0 0 1 0 0 0</pose>.
#pragma once

#include <optional>
#include <string>

#include "io/robot/robot.hpp"
#include "io/robot/xml_file.hpp"

namespace driftless::io {

// Nothing where there is no such child, or none that can be used (which is a fault).
std::optional<std::string> text_in(const XmlElement& of, const char* child);
std::optional<double> number_in(const XmlElement& of, const char* child);
std::optional<bool> flag_in(const XmlElement& of, const char* child);
std::optional<mechanics::Vec3> vector_in(const XmlElement& of, const char* child);
// Sizes and densities: needed unless there is a usual one, and above 0.
std::optional<double> positive_in(const XmlElement& of, const char* child,
                                  std::optional<double> usual = std::nullopt);

struct SdfPose {
  Place place = {};
  std::string relative_to = {};  // the name of a frame; empty: the one that is usual there
  std::optional<XmlElement> element = std::nullopt;  // none: nothing is given
};
SdfPose pose_in(const XmlElement& of);

// All of that name, with what is in them.
void omit_in(const XmlElement& of, const char* child, const std::string& what, const std::string& effect);
// The same, of what has no part in the motion.
void leave_out_in(const XmlElement& of, const char* child, const std::string& what,
                  const std::string& effect);
// A flag that says so.
void omit_flag(const XmlElement& of, const char* child, bool says, const std::string& what,
               const std::string& effect);

// A name in quotes; at most so much of it that a message stays readable.
std::string named(const std::string& name);

}  // namespace driftless::io
