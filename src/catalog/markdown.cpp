#include <driftless/catalog/markdown.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/catalog/catalog.hpp>

namespace driftless::catalog {

namespace {

// "F = block (full, block, ..)": name, default and choices of each option.
std::string options_of(const std::vector<OptionSpec>& options) {
  std::vector<std::string> texts;
  for (const auto& option : options) {
    std::string text = "`" + option.name;
    if (!option.fallback.empty()) text += "=" + option.fallback;
    text += "`";
    if (!option.choices.empty()) text += fmt::format(" ({})", fmt::join(option.choices, ", "));
    texts.push_back(text);
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

template <class Entry>
std::string rows(const char* kind, const std::vector<Named<Entry>>& table) {
  std::string text;
  for (const auto& [name, entry] : table)
    text += fmt::format("| {} | `{}` | {} | {} |\n", kind, name, entry.summary, options_of(entry.options));
  return text;
}

}  // namespace

std::string markdown_table() {
  return "| kind | name | what it is | options |\n|---|---|---|---|\n" +
         rows("formulation", formulation_table()) + rows("integrator", integrator_table()) +
         rows("stabilizer", stabilizer_table()) + rows("control", control_table()) +
         rows("controller", controller_table());
}

}  // namespace driftless::catalog
