// Text inside an SVG file. How wide it becomes is the viewer's secret, so widths are estimates on the safe
// side.
#pragma once

#include <string>
#include <string_view>

namespace driftless::io {

// For text and for attribute values. Bytes that are no UTF-8, and control characters that XML forbids, become
// U+FFFD.
std::string xml_text(std::string_view text);

std::size_t characters(std::string_view text);                // code points
double text_width(std::size_t characters, double font_size);  // in pixels
std::string shortened(std::string_view text, double width,
                      double font_size);  // with an ellipsis where it is too long

// 10 with a small raised exponent, as markup.
std::string power_of_ten(int exponent, double font_size);

// A number with a real minus sign.
std::string with_minus_sign(std::string text);

}  // namespace driftless::io
