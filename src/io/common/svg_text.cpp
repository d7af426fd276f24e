#include "svg_text.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace driftless::io {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;
}

// Bytes of the character that begins the text; 0: it is no UTF-8, or not allowed in XML 1.0.
std::size_t valid_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  std::uint32_t code = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!continues(text[i])) return 0;
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool forbidden =
      (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF || code == 0xFFFE || code == 0xFFFF;
  return overlong || forbidden ? 0 : length;
}

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = valid_length(text);
    const char c = text.front();
    if (c == '\t' || c == '\n' || c == '\r')
      result += ' ';
    else if (length == 0)
      result += replacement;
    else if (const std::string_view named = entity(c); !named.empty())
      result += named;
    else
      result += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); }));
}

double text_width(std::size_t count, double font_size) {
  return 0.6 * font_size * static_cast<double>(count);
}

std::string shortened(std::string_view text, double width, double font_size) {
  const auto room = static_cast<std::size_t>(width / text_width(1, font_size));
  if (characters(text) <= room) return std::string(text);
  std::size_t kept = 0, end = 0;
  while (end < text.size() && (continues(text[end]) || kept + 1 < room))
    kept += continues(text[end++]) ? 0 : 1;
  return std::string(text.substr(0, end)) + "…";
}

// Raised by a shift, which every viewer knows, unlike baseline-shift.
std::string power_of_ten(int exponent, double font_size) {
  return fmt::format("10<tspan dy=\"{:.4g}\" font-size=\"{:.4g}\">{}</tspan>", -0.4 * font_size,
                     0.75 * font_size, with_minus_sign(fmt::format("{}", exponent)));
}

std::string with_minus_sign(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

}  // namespace driftless::io
