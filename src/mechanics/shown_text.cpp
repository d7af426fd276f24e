#include "shown_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/method_options.hpp>

namespace driftless::mechanics {

std::size_t character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  // Longer than need be, halves of pairs, and what lies beyond the last character.
  const auto second = static_cast<unsigned char>(text[1]);
  const bool wrong = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second >= 0xa0) ||
                     (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second >= 0x90);
  return wrong ? 0 : size;
}

std::size_t foreign_byte(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const bool ascii = static_cast<unsigned char>(text[at]) < 0x80;
    const std::size_t size = ascii ? 1 : character(text.substr(at));
    if (size == 0) return at;
    at += size;
  }
  return text.npos;
}

std::string shown(std::string_view text, std::size_t longest) {
  std::string result;
  while (!text.empty()) {
    if (result.size() >= longest) return result + "...";
    const std::size_t size = character(text);
    result += size > 0 ? text.substr(0, size) : is_space(text[0]) ? " " : "?";
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return result;
}

std::string known(std::string_view wrong, const std::vector<std::string>& names, const char* kind) {
  constexpr std::size_t longest = 100, most = 30;  // a comparison costs the product of both lengths
  if (wrong.size() <= longest)
    if (const std::string near = suggestion(wrong, names); !near.empty()) return near;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    list += (i > 0 ? ", " : "") + shown(names[i]);
  return fmt::format("; known {} are {}{}", kind, list, names.size() > most ? ", .." : "");
}

}  // namespace driftless::mechanics
