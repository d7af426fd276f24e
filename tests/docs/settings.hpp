// How pages of docs/ write a problem's parameters.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless::tests {

inline std::string settings_of(const std::vector<std::pair<std::string, std::string>>& set) {
  std::vector<std::string> words;
  for (const auto& [name, value] : set) words.push_back(fmt::format("`{}={}`", name, value));
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace driftless::tests
