// Files for xacro, a language of macros of which URDF files are made: elements <xacro:..>, and values with ${..} or $(..).
#pragma once

#include "io/robot/xml_file.hpp"

namespace driftless::io {

// A fault where there are some, of the first one only: without what they stand for nothing else in the file means much.
bool has_macros(const XmlElement& root);

}  // namespace driftless::io
