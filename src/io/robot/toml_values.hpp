// Values of a robot as TOML: numbers with all their digits, names as keys and as text.
#pragma once

#include <string>

#include "io/robot/robot.hpp"

namespace driftless::io {

// A name as a key, in quotes where it needs them; and as text, always in quotes.
std::string toml_key(const std::string& name);
std::string toml_text(const std::string& text);

std::string toml_value(const mechanics::Vec3& v);
std::string toml_quaternion(const mechanics::Mat3& R);
// {at = .., axis = .., x = ..}
std::string toml_marker(const Place& place);
std::string toml_shape(const BodyShape& shape);

bool is_identity(const mechanics::Mat3& R);

}  // namespace driftless::io
