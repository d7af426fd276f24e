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

std::string value_text(const Result& result) {
  return result.value ? fmt::format("{:.5g}", *result.value) : "not finite";
}

std::string found_text(const Entry& entry) {
  return entry.expected.digits.empty() ? rule_text(entry.expected) : entry.expected.digits;
}

// The parameters of all entries of a table, in the order in which they first occur.
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

// Columns wide enough for their cells; texts to the left, the numbers to the right.
std::string aligned(const std::vector<Cells>& rows, std::size_t first_number, std::size_t numbers) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Cells& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const Cells& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i < row.size(); ++i)
      line += i >= first_number && i < first_number + numbers ? fmt::format("{:>{}}  ", row[i], widths[i])
                                                              : fmt::format("{:<{}}  ", row[i], widths[i]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

// One item of a paper: a table, and below it what the numbers alone do not say.
std::string item_text(const std::vector<const Result*>& table) {
  const Cells names = parameter_names(table);
  Cells header = {"quantity"}, notes;
  header.insert(header.end(), names.begin(), names.end());
  header.insert(header.end(), {"printed", "here", "recomputed", "verdict", ""});
  std::vector<Cells> rows = {header};
  for (const Result* result : table) {
    Cells row = {result->entry.quantity};
    for (const std::string& name : names) row.push_back(parameter(result->entry, name));
    std::string mark;
    if (!result->note.empty()) {
      const auto known = std::find(notes.begin(), notes.end(), result->note);
      mark = fmt::format("[{}]", known - notes.begin() + 1);
      if (known == notes.end()) notes.push_back(result->note);
    }
    row.insert(row.end(), {result->entry.printed, value_text(*result), found_text(result->entry),
                           result->agrees ? result->verdict : result->verdict + " DISAGREES", mark});
    rows.push_back(row);
  }
  std::string text = fmt::format("\n{}\n", table.front()->entry.item) + aligned(rows, names.size() + 1, 3);
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
  return fmt::format("\n{} entries: {} match, {} differ, {} not printed; {}\n", found.results.size(),
                     of("match"), of("differs"), of("not-printed"),
                     apart == 0 ? "all agree with the recomputed values"
                                : fmt::format("{} not agree with the recomputed values",
                                              apart == 1 ? "1 does" : fmt::format("{} do", apart)));
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
    if (result.agrees) continue;
    Cells parameters;
    for (const auto& [name, value] : result.entry.parameters) parameters.push_back(name + " = " + value);
    text +=
        fmt::format("driftless: {}, {}, {} ({}) is {} and was recomputed as {} ({})\n", result.entry.paper,
                    result.entry.item, result.entry.quantity, fmt::join(parameters, ", "), value_text(result),
                    found_text(result.entry), rule_text(result.entry.expected));
  }
  return text;
}

}  // namespace driftless::app
