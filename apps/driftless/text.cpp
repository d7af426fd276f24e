#include "text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace driftless::app {

std::string wrap(std::string_view text, int indent) {
  const auto width = static_cast<std::size_t>(std::max(20, terminal_width - indent));
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string result;
  while (text.size() > width) {
    auto cut = text.rfind(' ', width);
    if (cut == std::string_view::npos || cut == 0) cut = text.find(' ', width);  // one long word
    if (cut == std::string_view::npos) break;
    result += std::string(text.substr(0, cut)) + "\n" + margin;
    text.remove_prefix(cut + 1);
  }
  return result += text;
}

std::string entry(int indent, std::string_view name, int column, std::string_view text) {
  std::string line = fmt::format("{:{}}{:{}}", "", indent, name, column - indent);
  // A name that reaches into the text's column has a line of its own.
  if (static_cast<int>(name.size()) + indent + 1 > column && !text.empty())
    line += fmt::format("\n{:{}}", "", column);
  line += wrap(text, column);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string count(long number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string duration(double seconds) {
  return seconds < 1 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}

}  // namespace driftless::app
