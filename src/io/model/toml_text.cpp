#include "io/model/toml_text.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <driftless/io/model_file.hpp>

#include "io/model/toml_assumption.hpp"
#include "mechanics/shown_text.hpp"

namespace driftless::io {

namespace {

// The first line that breaks what the parser assumes, by halving: the lines before it do not.
int line_refused(std::string_view text) {
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') ends.push_back(i);
  ends.push_back(text.size());
  const auto refused = [&](std::size_t lines) {
    try {
      static_cast<void>(toml::parse(text.substr(0, ends[lines - 1])));
    } catch (const TomlAssumption&) {
      return true;
    } catch (const toml::parse_error&) {
    }
    return false;
  };
  std::size_t good = 0, bad = ends.size();
  while (bad - good > 1) (refused((good + bad) / 2) ? bad : good) = (good + bad) / 2;
  return static_cast<int>(bad);
}

std::string_view line_of(std::string_view text, int number) {
  for (int i = 1; i < number; ++i) {
    const auto end = text.find('\n');
    if (end == text.npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find_first_of("\r\n"));
}

// What stands at the column as a value: from behind what comes before values to what comes after them.
std::string value_at(std::string_view line, std::size_t column) {
  std::size_t begin = std::min(column > 0 ? column - 1 : 0, line.size());
  if (begin > 0) begin = line.find_last_of("=,[{", begin - 1);
  begin = begin == line.npos ? 0 : begin + 1;
  begin = std::min(line.find_first_not_of(" \t=,[{", begin), line.size());
  std::string_view value = line.substr(begin, line.find_first_of(",]}#", begin) - begin);
  while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.remove_suffix(1);
  return mechanics::shown(value, 40);
}

// What the parser's sentence comes from, where that is what a new user does; empty: something else.
std::string plain_words(std::string_view said, std::string_view line, std::size_t column) {
  const auto says = [&](std::string_view part) { return said.find(part) != said.npos; };
  const std::string value = value_at(line, column);
  if (says("unescaped control characters") || says("control characters other than TAB"))
    return "the quote that begins in this line is not closed in it";
  for (const char* quote : {"\u201c", "\u201d", "\u201e", "\u2018", "\u2019", "\u201a", "\u00ab", "\u00bb"})
    if (value.starts_with(quote))
      return "the value begins with a typographic quote; write straight ones: \" or '";
  if (value == "True" || value == "TRUE" || value == "False" || value == "FALSE")
    return fmt::format("{} is written in small letters here: true or false", value);
  if (value.starts_with('.')) return fmt::format("a digit stands before the point: write 0{}", value);
  if (value.ends_with('.')) return fmt::format("a digit stands behind the point: write {}0", value);
  if (says("leading zeroes"))
    return "a number does not begin with 0, unless a point follows; leave the 0 out";
  if (says("expected a comment or whitespace, saw ','"))
    return "a number is followed by a comma; decimals stand behind a point, as in 0.5, and lists in [ ]";
  const bool no_value = says("could not determine value type"),
             no_number = says("expected digit, saw") || says("expected decimal digit, saw") ||
                         says("while parsing boolean");
  if ((no_value || no_number) && !value.empty() && value.find_first_of("\"'") == value.npos)
    return fmt::format("{} is neither a number nor text; text and formulas stand in quotes: \"{}\"", value,
                       value);
  return {};
}

}  // namespace

toml::table toml_of(std::string_view text, const std::filesystem::path& file) {
  try {
    return toml::parse(text, file.string());
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    const int line = static_cast<int>(at.line);
    const std::string plain = plain_words(error.description(), line_of(text, line), at.column);
    throw ModelError(
        file,
        {{line, static_cast<int>(at.column), "",
          fmt::format("this is not TOML: {}", plain.empty() ? std::string(error.description()) : plain)}});
  } catch (const TomlAssumption&) {
    throw ModelError(
        file, {{line_refused(text), 1, "", "this is not TOML: something in this line cannot be read"}});
  }
}

}  // namespace driftless::io
