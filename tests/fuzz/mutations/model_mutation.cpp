#include "model_mutation.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "benchmarks/random/draw.hpp"

namespace driftless::fuzz {

namespace {

using benchmarks::random::Draw;
using Lines = std::vector<std::string>;

struct Piece {
  std::size_t line = 0, begin = 0, length = 0;
};

Lines lines_of(const std::string& text) {
  Lines lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

bool is_header(const std::string& line) {
  return line.starts_with("[");
}
bool is_key(const std::string& line) {
  return !line.empty() && !is_header(line) && line.front() != '#' && line.find('=') != std::string::npos;
}
bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

std::vector<std::size_t> numbers_of(const Lines& lines, bool (*wanted)(const std::string&)) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (wanted(lines[i])) all.push_back(i);
  return all;
}

// Numbers behind a '=', those within formulas too.
std::vector<Piece> numerals(const Lines& lines) {
  std::vector<Piece> all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (!is_key(line)) continue;
    for (std::size_t k = line.find('='); k < line.size(); ++k) {
      const bool digit = std::isdigit(static_cast<unsigned char>(line[k]));
      if (!digit || in_word(line[k - 1])) continue;
      char* end = nullptr;
      std::strtod(line.c_str() + k, &end);
      const auto length = static_cast<std::size_t>(end - line.c_str()) - k;
      all.push_back({i, k, length});
      k += length;
    }
  }
  return all;
}

// Texts within quotes.
std::vector<Piece> words(const Lines& lines) {
  std::vector<Piece> all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!is_key(lines[i])) continue;
    for (std::size_t k = lines[i].find('"'); k < lines[i].size(); k = lines[i].find('"', k)) {
      const std::size_t end = lines[i].find('"', k + 1);
      if (end == std::string::npos) break;
      all.push_back({i, k + 1, end - k - 1});
      k = end + 1;
    }
  }
  return all;
}

std::string at(const Lines& lines, const Piece& piece) {
  return lines[piece.line].substr(piece.begin, piece.length);
}
void put(Lines& lines, const Piece& piece, const std::string& text) {
  lines[piece.line].replace(piece.begin, piece.length, text);
}

std::string another_number(const std::string& number, Draw& draw) {
  const double value = std::strtod(number.c_str(), nullptr);
  const std::vector<double> near{0, -1, 0.5, 2, 1 + 1e-9, 1 - 1e-6, 1e3, 1e-3};
  switch (draw.whole(0, 9)) {
    case 0:
      return draw.one_of(std::vector<std::string>{"nan", "inf", "1e308", "1e-308", "-1e300", "0.0"});
    case 1:
    case 2:
    case 3:
      return fmt::format("{:.17g}", value * draw.decades(1e-12, 1e12));
    case 4:
      return fmt::format("{:.17g}", value + draw.between(-1, 1));
    default:
      return fmt::format("{:.17g}", value * draw.one_of(near));
  }
}

// Each of these changes the lines and says how, or says nothing where there is nothing to change.

std::string change_number(Lines& lines, Draw& draw) {
  const std::vector<Piece> all = numerals(lines);
  if (all.empty()) return {};
  const Piece piece = draw.one_of(all);
  const std::string was = at(lines, piece), is = another_number(was, draw);
  put(lines, piece, is);
  return fmt::format("line {}: {} for {}", piece.line + 1, is, was);
}

std::string change_word(Lines& lines, Draw& draw) {
  const std::vector<Piece> all = words(lines);
  if (all.size() < 2) return {};
  const Piece piece = draw.one_of(all);
  const std::string was = at(lines, piece), is = at(lines, draw.one_of(all));
  put(lines, piece, is);
  return fmt::format("line {}: \"{}\" for \"{}\"", piece.line + 1, is, was);
}

std::string drop_key(Lines& lines, Draw& draw) {
  const std::vector<std::size_t> all = numbers_of(lines, is_key);
  if (all.empty()) return {};
  const std::size_t i = draw.one_of(all);
  const std::string was = lines[i];
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
  return fmt::format("line {} dropped: {}", i + 1, was);
}

// From a header up to the next one.
std::pair<std::size_t, std::size_t> a_table(const Lines& lines, Draw& draw) {
  const std::vector<std::size_t> headers = numbers_of(lines, is_header);
  if (headers.empty()) return {0, 0};
  const std::size_t begin = draw.one_of(headers);
  std::size_t end = begin + 1;
  while (end < lines.size() && !is_header(lines[end])) ++end;
  return {begin, end};
}

std::string drop_table(Lines& lines, Draw& draw) {
  const auto [begin, end] = a_table(lines, draw);
  if (begin == end) return {};
  const std::string header = lines[begin];
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(begin),
              lines.begin() + static_cast<std::ptrdiff_t>(end));
  return fmt::format("{} dropped", header);
}

std::string repeat_table(Lines& lines, Draw& draw) {
  const auto [begin, end] = a_table(lines, draw);
  if (begin == end) return {};
  Lines copy(lines.begin() + static_cast<std::ptrdiff_t>(begin),
             lines.begin() + static_cast<std::ptrdiff_t>(end));
  const std::size_t close = copy.front().rfind(']');
  if (close == std::string::npos) return {};
  copy.front().insert(close, "_again");
  lines.insert(lines.end(), copy.begin(), copy.end());
  return fmt::format("{} once more", lines[begin]);
}

std::string swap_values(Lines& lines, Draw& draw) {
  const std::vector<std::size_t> keys = numbers_of(lines, is_key);
  if (keys.size() < 2) return {};
  const std::size_t a = draw.one_of(keys), b = draw.one_of(keys);
  const std::size_t first = lines[a].find('='), second = lines[b].find('=');
  const std::string value = lines[a].substr(first);
  lines[a].replace(first, std::string::npos, lines[b].substr(second));
  lines[b].replace(lines[b].find('='), std::string::npos, value);
  return fmt::format("values of lines {} and {} swapped", a + 1, b + 1);
}

std::string change_type(Lines& lines, Draw& draw, const std::vector<std::string>& types) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].starts_with("type = \"")) all.push_back(i);
  if (all.empty() || types.empty()) return {};
  const std::size_t i = draw.one_of(all);
  const std::string was = lines[i];
  lines[i] = draw.one_of(types);
  return fmt::format("line {}: {} for {}", i + 1, lines[i], was);
}

std::string change_units(Lines& lines, Draw& draw) {
  const std::vector<std::string> units{"length = \"mm\"", "length = \"km\"", "mass = \"g\"",
                                       "time = \"ms\"",   "angle = \"deg\"", "angle = \"turn\"",
                                       "force = \"kN\""};
  const std::string unit = draw.one_of(units);
  const auto found = std::find(lines.begin(), lines.end(), "[units]");
  if (found == lines.end())
    lines.insert(lines.end(), {"[units]", unit});
  else
    lines.insert(found + 1, unit);
  return fmt::format("[units] {}", unit);
}

std::string cut_short(Lines& lines, Draw& draw) {
  if (lines.size() < 3) return {};
  const int keep = draw.whole(1, static_cast<int>(lines.size()) - 1);
  lines.resize(static_cast<std::size_t>(keep));
  return fmt::format("cut after line {}", keep);
}

std::string change_letter(Lines& lines, Draw& draw) {
  const std::size_t i = static_cast<std::size_t>(draw.whole(0, static_cast<int>(lines.size()) - 1));
  if (lines[i].empty()) return {};
  const auto k = static_cast<std::size_t>(draw.whole(0, static_cast<int>(lines[i].size()) - 1));
  lines[i][k] = static_cast<char>(draw.whole(32, 126));
  return fmt::format("line {}: {}", i + 1, lines[i]);
}

std::string change(Lines& lines, Draw& draw, const std::vector<std::string>& types) {
  const int kind = draw.whole(0, 19);
  if (kind < 9) return change_number(lines, draw);
  if (kind < 12) return change_word(lines, draw);
  if (kind < 14) return drop_key(lines, draw);
  if (kind == 14) return drop_table(lines, draw);
  if (kind == 15) return repeat_table(lines, draw);
  if (kind == 16) return swap_values(lines, draw);
  if (kind == 17) return change_type(lines, draw, types);
  if (kind == 18) return draw.chance(0.7) ? change_units(lines, draw) : cut_short(lines, draw);
  return change_letter(lines, draw);
}

std::vector<std::string> types_of(const std::vector<std::string>& originals) {
  std::set<std::string> types;
  for (const std::string& text : originals)
    for (const std::string& line : lines_of(text))
      if (line.starts_with("type = \"")) types.insert(line);
  return {types.begin(), types.end()};
}

}  // namespace

Mutation mutated(const std::vector<std::string>& originals, std::uint64_t seed, std::uint64_t number) {
  Draw draw(seed, number);
  const std::vector<std::string> types = types_of(originals);
  Mutation mutation;
  mutation.original = static_cast<std::size_t>(draw.whole(0, static_cast<int>(originals.size()) - 1));
  Lines lines = lines_of(originals[mutation.original]);
  const int changes = draw.whole(1, 4);
  for (int i = 0; i < changes && !lines.empty(); ++i)
    if (std::string what = change(lines, draw, types); !what.empty()) mutation.changes.push_back(what);
  mutation.text = text_of(lines);
  return mutation;
}

}  // namespace driftless::fuzz
