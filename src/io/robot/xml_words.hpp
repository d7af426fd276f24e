// Words of XML files: without the space around them, and as they stand in messages.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "mechanics/shown_text.hpp"

namespace driftless::io {

constexpr const char* xml_space = " \t\r\n";

inline std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(xml_space);
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(xml_space) - first + 1));
}

inline std::string in_quotes(std::string_view text) {
  return fmt::format("'{}'", mechanics::shown(text, 40));
}

}  // namespace driftless::io
