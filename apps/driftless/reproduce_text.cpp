#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reproduce_view.hpp"
#include "text.hpp"

namespace driftless::app {

namespace {

using experiments::Entry;
using experiments::Result;
using Cells = std::vector<std::string>;

// With as many digits as were recomputed, and five at least.
std::string value_text(const Result& result) {
  const int digits = std::max(5, experiments::significant_digits(result.entry.expected.digits));
  return result.value ? fmt::format("{:.{}g}", *result.value, digits) : "no value";
}

std::string found_text(const Entry& entry) {
  return entry.expected.digits.empty() ? rule_text(entry.expected) : entry.expected.digits;
}

std::string verdict_text(const Result& result) {
  const std::string verdict = result.verdict == "not-printed" ? "" : result.verdict;
  return result.agrees ? verdict : verdict + (verdict.empty() ? "DISAGREES" : " DISAGREES");
}

// The parameters of the entries of a table, in the order in which they first occur.
Cells parameter_names(const std::vector<const Result*>& table) {
  Cells names;
  for (const Result* result : table)
    for (const auto& [name, value] : result->entry.parameters)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

std::string parameter(const Entry& entry, const std::string& name) {
  for (const auto& [key, value] : entry.parameters)
    if (key == name) return value;
  return "";
}

// The same in all entries, so that it need not be said in every line.
bool is_constant(const std::vector<const Result*>& table, const std::string& name) {
  const std::string value = parameter(table.front()->entry, name);
  return table.size() > 1 && std::all_of(table.begin(), table.end(), [&](const Result* result) {
           return parameter(result->entry, name) == value;
         });
}

// Columns wide enough for their cells, texts to the left, the numbers to the right; a column of which all
// cells but the header are empty is left out.
std::string aligned(const std::vector<Cells>& rows, std::size_t first_number, std::size_t numbers) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    for (std::size_t k = 1; k < rows.size(); ++k) widths[i] = std::max(widths[i], rows[k][i].size());
    if (widths[i] > 0) widths[i] = std::max(widths[i], rows.front()[i].size());
  }
  std::string text;
  for (const Cells& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths[i] == 0) continue;
      line += i >= first_number && i < first_number + numbers ? fmt::format("{:>{}}  ", row[i], widths[i])
                                                              : fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

// One item of a paper: a table, and below it what the numbers alone do not say.
std::string item_text(const std::vector<const Result*>& table) {
  Cells names, constants;
  for (const std::string& name : parameter_names(table))
    if (is_constant(table, name))
      constants.push_back(name + " = " + parameter(table.front()->entry, name));
    else
      names.push_back(name);
  Cells header = {"quantity"}, notes;
  header.insert(header.end(), names.begin(), names.end());
  header.insert(header.end(), {"printed", "here", "recomputed", "verdict"});
  std::vector<Cells> rows = {header};
  for (const Result* result : table) {
    Cells row = {result->entry.quantity};
    for (const std::string& name : names) row.push_back(parameter(result->entry, name));
    std::string verdict = verdict_text(*result);
    if (!result->note.empty()) {
      const auto known = std::find(notes.begin(), notes.end(), result->note);
      verdict += fmt::format("{}[{}]", verdict.empty() ? "" : " ", known - notes.begin() + 1);
      if (known == notes.end()) notes.push_back(result->note);
    }
    row.insert(row.end(), {result->entry.printed, value_text(*result), found_text(result->entry), verdict});
    rows.push_back(row);
  }
  const bool judged = std::any_of(table.begin(), table.end(),
                                  [](const Result* result) { return !verdict_text(*result).empty(); });
  if (!judged) rows.front().back().clear();  // nothing but the numbers of notes stands there
  std::string text = fmt::format("\n{}{}{}\n", table.front()->entry.item, constants.empty() ? "" : ": ",
                                 fmt::join(constants, ", ")) +
                     aligned(rows, names.size() + 1, 3);
  for (std::size_t i = 0; i < notes.size(); ++i) text += entry(2, fmt::format("[{}]", i + 1), 7, notes[i]);
  return text;
}

std::string closing_line(const Reproduction& found) {
  const auto of = [&](const char* verdict) {
    return std::count_if(found.results.begin(), found.results.end(),
                         [&](const Result& result) { return result.verdict == verdict; });
  };
  const auto apart = std::count_if(found.results.begin(), found.results.end(),
                                   [](const Result& result) { return !result.agrees; });
  const auto unknown = std::count_if(found.results.begin(), found.results.end(),
                                     [](const Result& result) { return !result.as_known(); });
  return fmt::format("\n{} entries: {} match, {} differ, {} not printed; {}\n", found.results.size(),
                     of("match"), of("differs"), of("not-printed"),
                     apart == 0
                         ? "all agree with the recomputed values"
                         : fmt::format("{} not agree {}", apart == 1 ? "1 does" : fmt::format("{} do", apart),
                                       unknown == 0 ? "(see notes)" : "with the recomputed values"));
}

}  // namespace

std::string reproduce_text(const Reproduction& found) {
  std::string text, paper;
  for (std::size_t i = 0; i < found.results.size();) {
    const Entry& first = found.results[i].entry;
    if (first.paper != paper) {
      text += fmt::format("{}{}: {}\n", paper.empty() ? "" : "\n\n", first.paper,
                          experiments::find_paper(first.paper).title);
      paper = first.paper;
    }
    std::vector<const Result*> table;
    for (; i < found.results.size() && found.results[i].entry.item == first.item; ++i)
      table.push_back(&found.results[i]);
    text += item_text(table);
  }
  text += closing_line(found);
  if (!found.folder.empty())
    text += fmt::format("every entry's command: {0}/reproduce.json; figures: {0}/*.svg\n", found.folder);
  return text;
}

std::string disagreements(const Reproduction& found) {
  std::string text;
  for (const Result& result : found.results) {
    if (result.as_known()) continue;
    Cells parameters;
    for (const auto& [name, value] : result.entry.parameters) parameters.push_back(name + " = " + value);
    text +=
        fmt::format("driftless: {}, {}, {} ({}) is {} and was recomputed as {} ({}{})\n", result.entry.paper,
                    result.entry.item, result.entry.quantity, fmt::join(parameters, ", "), value_text(result),
                    found_text(result.entry), rule_text(result.entry.expected),
                    result.agrees ? "; it agrees and is said not to" : "");
  }
  return text;
}

}  // namespace driftless::app
