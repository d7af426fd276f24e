// A user's text: its characters, and how it stands in messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace driftless::mechanics {

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
inline bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// How many bytes the UTF-8 character at the front has; 0 where there is none that can be printed.
std::size_t character(std::string_view text);

// The first byte that is not UTF-8; npos: there is none. Control characters are UTF-8.
std::size_t foreign_byte(std::string_view text);

// On one line, not too long, and printable whatever the text is.
std::string shown(std::string_view text, std::size_t longest = 60);

// " (did you mean ..?)", or else what there is.
std::string known(std::string_view wrong, const std::vector<std::string>& names, const char* kind);

}  // namespace driftless::mechanics
