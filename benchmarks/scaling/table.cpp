#include "table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace driftless::benchmarks::scaling {

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const std::string& word : head) widths.push_back(word.size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string out;
  const auto line = [&](const std::vector<std::string>& row) {
    std::string words;
    for (std::size_t i = 0; i < row.size(); ++i)
      words +=
          i == 0 ? fmt::format("  {:<{}}", row[i], widths[i]) : fmt::format("  {:>{}}", row[i], widths[i]);
    out += words.substr(0, words.find_last_not_of(' ') + 1) + "\n";
  };
  line(head);
  for (const auto& row : rows) line(row);
  return out;
}

std::string Table::markdown() const {
  std::string out = fmt::format("| {} |\n|", fmt::join(head, " | "));
  for (std::size_t i = 0; i < head.size(); ++i) out += i == 0 ? "---|" : "---:|";
  for (const auto& row : rows) out += fmt::format("\n| {} |", fmt::join(row, " | "));
  return out + "\n";
}

std::string shown(double x) {
  if (!std::isfinite(x)) return "-";
  if (x == 0) return "0";
  const double size = std::abs(x);
  if (size < 1e-3 || size >= 1e5) return fmt::format("{:.1e}", x);
  const int digits = std::clamp(2 - static_cast<int>(std::floor(std::log10(size))), 0, 5);
  return fmt::format("{:.{}f}", x, digits);
}

std::string in_short(const std::string& sentence) {
  constexpr std::size_t longest = 260;
  if (sentence.size() <= longest) return sentence;
  return sentence.substr(0, sentence.find_last_of(' ', longest)) + " ..";
}

}  // namespace driftless::benchmarks::scaling
