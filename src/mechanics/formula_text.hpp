// FormulaText: the text of a formula with the place that has been read to, and what is said of places in it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

#include "shown_text.hpp"

namespace driftless::mechanics {

class FormulaText {
 protected:
  explicit FormulaText(std::string_view text) : text_(text) {}

  char next(std::size_t offset = 0) const { return at_ + offset < text_.size() ? text_[at_ + offset] : '\0'; }

  void skip_spaces() {
    while (is_space(next())) ++at_;
  }

  bool take(std::string_view symbol) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(symbol)) return false;
    at_ += symbol.size();
    return true;
  }

  bool take_word(std::string_view word) {
    skip_spaces();
    return name_here() == word && take(word);
  }

  std::string_view name_here() const {
    std::size_t size = 0;
    if (!is_letter(next())) return {};
    while (is_letter(next(size)) || is_digit(next(size)) || next(size) == '_' || next(size) == '.') ++size;
    return text_.substr(at_, next(size) == '\'' ? size + 1 : size);
  }

  std::string slice(std::size_t begin, std::size_t end) const {
    return shown(text_.substr(begin, end - begin));
  }

  std::string here() const {
    if (at_ == text_.size()) return "the end";
    std::size_t size = std::max<std::size_t>({name_here().size(), character(text_.substr(at_)), 1});
    if (is_digit(next()))
      while (is_digit(next(size)) || next(size) == '.') ++size;
    return fmt::format("'{}'", slice(at_, at_ + size));
  }

  // In characters, as an editor counts them.
  std::size_t position(std::size_t place) const {
    const std::string_view before = text_.substr(0, place);
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
    return 1 + static_cast<std::size_t>(std::count_if(before.begin(), before.end(), begins));
  }

  template <class... Arguments>
  [[noreturn]] void fail(std::size_t place, fmt::format_string<Arguments...> what,
                         Arguments&&... arguments) const {
    throw InputError(fmt::format("in '{}' at position {}: {}", shown(text_), position(place),
                                 fmt::format(what, std::forward<Arguments>(arguments)...)));
  }

  void close(std::size_t open, const char* expected) {
    if (!take(")"))
      fail(at_, "{} was expected after the '(' at position {}, not {}", expected, position(open), here());
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace driftless::mechanics
