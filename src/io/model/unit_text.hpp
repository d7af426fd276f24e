// A unit as text, in the names of a file: "mm/s", "N mm", "1".
#pragma once

#include <map>
#include <string>

#include <driftless/mechanics/units.hpp>

namespace driftless::io {

// `names`: of "length", "mass", "time", "angle" and "force".
std::string unit_text(const mechanics::Dimension& d, const std::map<std::string, std::string>& names);

}  // namespace driftless::io
