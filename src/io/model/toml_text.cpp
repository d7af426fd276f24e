#include "io/model/toml_text.hpp"

#include <vector>

#include <fmt/format.h>

#include <driftless/io/model_file.hpp>

#include "io/model/toml_assumption.hpp"

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

}  // namespace

toml::table toml_of(std::string_view text, const std::filesystem::path& file) {
  try {
    return toml::parse(text, file.string());
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw ModelError(file, {{static_cast<int>(at.line), static_cast<int>(at.column), "",
                             fmt::format("this is not TOML: {}", error.description())}});
  } catch (const TomlAssumption&) {
    throw ModelError(
        file, {{line_refused(text), 1, "", "this is not TOML: something in this line cannot be read"}});
  }
}

}  // namespace driftless::io
