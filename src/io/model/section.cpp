#include "io/model/section.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/method_options.hpp>

namespace driftless::io {

namespace {

using mechanics::Dimension;
using mechanics::Vec3;

std::string quoted(std::string text) {
  constexpr std::size_t most = 60;
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 32) c = ' ';
  if (text.size() > most) text = text.substr(0, most) + "..";
  return "'" + text + "'";
}

std::string shown(const toml::node& node) {
  if (const auto* v = node.as_string()) return "the text " + quoted(v->get());
  if (const auto* v = node.as_integer()) return fmt::format("the number {}", v->get());
  if (const auto* v = node.as_floating_point()) return fmt::format("the number {}", v->get());
  if (const auto* v = node.as_boolean()) return v->get() ? "true" : "false";
  if (const auto* v = node.as_array()) return fmt::format("a list of {}", v->size());
  if (node.is_table()) return "a table";
  return "a date or time";
}

bool plain(const std::string& key) {
  return !key.empty() && std::all_of(key.begin(), key.end(),
                                     [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; });
}

bool before(const toml::source_region& a, const toml::source_region& b) {
  return std::pair(a.begin.line, a.begin.column) < std::pair(b.begin.line, b.begin.column);
}

}  // namespace

void Reading::fault(const toml::source_region& where, const std::string& path, const std::string& message) {
  for (std::size_t end = 0; end < path.size(); ++end)
    if (path[end] == '.' || path[end] == '[') broken.insert(path.substr(0, end));
  broken.insert(path);
  broken.insert("");
  constexpr std::size_t most_kept = 500;
  if (faults.size() >= most_kept) {
    ++untold;
    return;
  }
  faults.push_back({static_cast<int>(where.begin.line), static_cast<int>(where.begin.column), path, message});
}

std::string Section::path_of(const std::string& key) const {
  const std::string own = plain(key) ? key : quoted(key);
  return path_.empty() ? own : path_ + "." + own;
}

bool has_control_characters(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 32 || c == 127; });
}

bool Section::broken() const {
  return reading_.broken.contains(path_);
}

const toml::node* Section::node(const std::string& key) {
  asked_.insert(key);
  return table_.get(key);
}

void Section::fault(const std::string& message) const {
  reading_.fault(table_.source(), path_, message);
}

void Section::fault(const std::string& key, const std::string& message) const {
  const toml::node* node = table_.get(key);
  reading_.fault(node ? node->source() : table_.source(), path_of(key), message);
}

void Section::wrong_type(const toml::node& node, const std::string& path, const std::string& expected) {
  reading_.fault(node.source(), path, fmt::format("{} is given where {} is expected", shown(node), expected));
}

bool Section::need(const std::string& key, const std::string& what) {
  asked_.insert(key);
  if (has(key)) return true;
  std::string meant;  // misspelt
  for (const std::string& other : keys())
    if (!asked_.contains(other) && !suggestion(other, {key}).empty())
      meant = fmt::format("; is {} meant for it?", quoted(other));
  fault(fmt::format("'{}' is missing: {}{}", key, what, meant));
  return false;
}

std::optional<double> Section::value(const toml::node& node, const std::string& path, const Dimension& d) {
  double number = 0;
  if (const auto* whole = node.as_integer()) {
    number = static_cast<double>(whole->get());
  } else if (const auto* real = node.as_floating_point()) {
    number = real->get();
  } else if (const auto* text = node.as_string()) {
    try {
      const bool has_unit = d != Dimension{};
      number = reading_.numbers.evaluate(text->get(), has_unit ? std::optional(d) : std::nullopt);
    } catch (const InputError& error) {
      reading_.fault(node.source(), path, error.what());
      return std::nullopt;
    }
  } else {
    wrong_type(node, path, "a number or arithmetic in text");
    return std::nullopt;
  }
  const double si = number * reading_.numbers.units().of(d);
  if (std::isfinite(si)) return si;
  reading_.fault(node.source(), path, fmt::format("the number {} is not finite; give one that is", number));
  return std::nullopt;
}

std::optional<double> Section::number(const std::string& key, const Dimension& d) {
  const toml::node* found = node(key);
  return found ? value(*found, path_of(key), d) : std::nullopt;
}

std::optional<double> Section::positive(const std::string& key, const Dimension& d) {
  const auto found = number(key, d);
  if (!found || *found > 0) return found;
  fault(key, fmt::format("{} is {:g} (must be above 0); give a positive one", key,
                         *found / reading_.numbers.units().of(d)));
  return std::nullopt;
}

std::optional<long> Section::whole(const std::string& key) {
  const auto found = number(key);
  if (!found) return std::nullopt;
  if (*found == std::floor(*found) && std::abs(*found) < 1e15) return static_cast<long>(*found);
  fault(key, fmt::format("{} is {:g}; give a whole number", key, *found));
  return std::nullopt;
}

std::optional<std::vector<double>> Section::numbers(const std::string& key, std::size_t count,
                                                    const Dimension& d) {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  const toml::array* list = found->as_array();
  if (!list || list->size() != count) {
    wrong_type(*found, path_of(key), fmt::format("a list of {} numbers", count));
    return std::nullopt;
  }
  std::vector<double> all;
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = value(*list->get(i), fmt::format("{}[{}]", path_of(key), i), d);
    if (!number) return std::nullopt;
    all.push_back(*number);
  }
  return all;
}

// [0,4, 0] has three numbers, and 0.4 and 0 may be meant.
bool Section::fits(const toml::array& list, const double (&numbers)[3], const std::string& key,
                   Room room) const {
  if (room == Room::space && list.size() == 2) {
    fault(key,
          fmt::format("{} has 2 numbers (must be 3 in space); give the third, or dimensions = 2 for what "
                      "moves in the plane",
                      key));
    return false;
  }
  if (room != Room::plane || list.size() != 3 || numbers[2] != 0) return true;
  const auto *first = list.get(0)->as_integer(), *second = list.get(1)->as_integer();
  const bool comma = first && second && second->get() > 0;
  fault(key,
        fmt::format("{} has 3 numbers (must be 2 in the plane); {}", key,
                    comma ? fmt::format("a decimal comma? Write {0}.{1} for {0},{1}, or leave the third out",
                                        first->get(), second->get())
                          : "leave the third out"));
  return false;
}

std::optional<Vec3> Section::vector(const std::string& key, const Dimension& d, Room room) {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  const toml::array* list = found->as_array();
  if (!list || list->size() < 2 || list->size() > 3) {
    wrong_type(*found, path_of(key), "a list of 2 or 3 numbers");
    return std::nullopt;
  }
  double numbers[3] = {};
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto number = value(*list->get(i), fmt::format("{}[{}]", path_of(key), i), d);
    if (!number) return std::nullopt;
    numbers[i] = *number;
  }
  if (!fits(*list, numbers, key, room)) return std::nullopt;
  return Vec3{numbers[0], numbers[1], numbers[2]};
}

std::optional<std::string> Section::text(const std::string& key) {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  if (const auto* own = found->as_string()) return own->get();
  wrong_type(*found, path_of(key), "text");
  return std::nullopt;
}

std::optional<std::vector<std::string>> Section::texts(const std::string& key) {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  const toml::array* list = found->as_array();
  std::vector<std::string> all;
  for (std::size_t i = 0; list && i < list->size(); ++i)
    if (const auto* own = list->get(i)->as_string()) all.push_back(own->get());
  if (list && all.size() == list->size()) return all;
  wrong_type(*found, path_of(key), "a list of texts");
  return std::nullopt;
}

std::optional<bool> Section::flag(const std::string& key) {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  if (const auto* own = found->as_boolean()) return own->get();
  wrong_type(*found, path_of(key), "true or false");
  return std::nullopt;
}

std::optional<Section> Section::section(const std::string& key) {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  if (const auto* own = found->as_table()) return Section(*own, path_of(key), reading_);
  wrong_type(*found, path_of(key), "a table");
  return std::nullopt;
}

std::vector<Section> Section::list(const std::string& key) {
  std::vector<Section> all;
  const toml::node* found = node(key);
  if (!found) return all;
  const toml::array* list = found->as_array();
  for (std::size_t i = 0; list && i < list->size(); ++i)
    if (const auto* own = list->get(i)->as_table())
      all.emplace_back(*own, fmt::format("{}[{}]", path_of(key), i), reading_);
  if (!list || all.size() != list->size()) wrong_type(*found, path_of(key), "a list of tables");
  return all;
}

std::optional<std::vector<std::pair<double, double>>> Section::points(const std::string& key,
                                                                      const Dimension& x,
                                                                      const Dimension& y) {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  const toml::array* list = found->as_array();
  if (!list) {
    wrong_type(*found, path_of(key), "a list of points [x, y]");
    return std::nullopt;
  }
  std::vector<std::pair<double, double>> all;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string path = fmt::format("{}[{}]", path_of(key), i);
    const toml::array* point = list->get(i)->as_array();
    if (!point || point->size() != 2) {
      wrong_type(*list->get(i), path, "a point [x, y]");
      return std::nullopt;
    }
    const auto first = value(*point->get(0), path + "[0]", x),
               second = value(*point->get(1), path + "[1]", y);
    if (!first || !second) return std::nullopt;
    all.emplace_back(*first, *second);
  }
  return all;
}

std::vector<std::string> Section::keys() const {
  std::vector<std::pair<const toml::source_region*, std::string>> found;
  for (const auto& [key, node] : table_) found.emplace_back(&key.source(), std::string(key.str()));
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return before(*a.first, *b.first); });
  std::vector<std::string> names;
  for (auto& [where, name] : found) names.push_back(std::move(name));
  return names;
}

std::vector<std::pair<std::string, Section>> Section::entries() {
  std::vector<std::pair<std::string, Section>> all;
  bool told = false;
  for (const std::string& key : keys()) {
    const toml::node* found = node(key);
    if (const auto* own = found->as_table()) {
      all.emplace_back(key, Section(*own, path_of(key), reading_));
    } else if (!std::exchange(told, true)) {
      reading_.fault(found->source(), path_of(key),
                     fmt::format("{} is given where a table is expected: what stands under [{}] needs a name "
                                 "of its own; write [{}.NAME]",
                                 shown(*found), path_, path_));
    }
  }
  return all;
}

void Section::finish() {
  const std::vector<std::string> known(asked_.begin(), asked_.end());
  for (const std::string& key : keys()) {
    if (asked_.contains(key)) continue;
    if (reading_.untold > 0) {  // nobody will see it
      ++reading_.untold;
      continue;
    }
    const std::string near = suggestion(key, known);
    fault(key, fmt::format("there is no key {} here{}", quoted(key),
                           near.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : near));
  }
}

}  // namespace driftless::io
