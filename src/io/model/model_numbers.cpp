#include "io/model/model_numbers.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/method_options.hpp>
#include <driftless/mechanics/expression.hpp>

namespace driftless::io {

namespace {

using mechanics::Dimension;
using mechanics::Expression;
using mechanics::Quantity;
using mechanics::Units;

constexpr double pi = std::numbers::pi;

// clang-format off
const std::map<std::string, std::vector<std::pair<std::string, double>>>& unit_table() {
  static const std::map<std::string, std::vector<std::pair<std::string, double>>> table = {
      {"length", {{"m", 1}, {"km", 1e3}, {"cm", 1e-2}, {"mm", 1e-3}, {"um", 1e-6}, {"in", 0.0254}, {"inch", 0.0254}, {"ft", 0.3048}}},
      {"mass", {{"kg", 1}, {"g", 1e-3}, {"t", 1e3}, {"lb", 0.45359237}}},
      {"time", {{"s", 1}, {"ms", 1e-3}, {"min", 60}}},
      {"angle", {{"rad", 1}, {"deg", pi / 180}, {"turn", 2 * pi}}},
      {"force", {{"N", 1}, {"kN", 1e3}, {"mN", 1e-3}, {"lbf", 4.4482216152605}}}};
  return table;
}
// clang-format on

struct NamedUnit {
  std::string name;
  double si;
  Dimension dimension;
};

// Names of one letter are left to parameters: a forgotten m or g would quietly be a metre or a gram.
const std::vector<NamedUnit>& units_in_formulas() {
  static const std::vector<NamedUnit> all = [] {
    const Dimension turning{.time = -1, .angle = 1}, pressure{.length = -2, .force = 1};
    std::vector<NamedUnit> units = {{"rpm", 2 * pi / 60, turning},
                                    {"kPa", 1e3, pressure},
                                    {"MPa", 1e6, pressure},
                                    {"GPa", 1e9, pressure}};
    const std::pair<const char*, Dimension> kinds[] = {{"length", {.length = 1}},
                                                       {"mass", {.mass = 1}},
                                                       {"time", {.time = 1}},
                                                       {"angle", {.angle = 1}},
                                                       {"force", {.force = 1}}};
    const std::set<std::string> taken = {"min", "in"};  // a function, and too common a word
    for (const auto& [kind, dimension] : kinds)
      for (const auto& [name, si] : unit_table().at(kind))
        if (name.size() > 1 && !taken.contains(name)) units.push_back({name, si, dimension});
    return units;
  }();
  return all;
}

std::set<std::string> words_in(std::string_view text) {
  std::set<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    const auto letter = [&](std::size_t k) {
      const auto c = static_cast<unsigned char>(text[k]);
      return std::isalpha(c) || c == '_';
    };
    if (!letter(i)) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && (letter(end) || std::isdigit(static_cast<unsigned char>(text[end])))) ++end;
    words.emplace(text.substr(i, end - i));
    i = end;
  }
  return words;
}

bool is_name(const std::string& name) {
  const auto words = words_in(name);
  return words.size() == 1 && *words.begin() == name;
}

}  // namespace

const std::vector<std::string>& unit_kinds() {
  static const std::vector<std::string> kinds = {"length", "mass", "time", "angle", "force"};
  return kinds;
}

double unit_named(const std::string& kind, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [own, si] : unit_table().at(kind)) {
    if (own == name) return si;
    names.push_back(own);
  }
  throw InputError(
      fmt::format("there is no unit '{}' of {}; there are {}", name, kind, fmt::join(names, ", ")));
}

ModelNumbers::ModelNumbers(const Units& units, const std::map<std::string, std::string>& names)
    : quantities_{.units = units, .unit_names = names} {
  for (const NamedUnit& unit : units_in_formulas()) {
    unit_constants_[unit.name] = unit.si / units.of(unit.dimension);
    quantities_.of[unit.name] = Quantity::unit_of(unit.dimension);
  }
}

std::map<std::string, double> ModelNumbers::constants_in(std::string_view text) const {
  std::map<std::string, double> constants;
  for (const std::string& word : words_in(text)) {
    if (const auto own = parameters_.find(word); own != parameters_.end())
      constants.insert(*own);
    else if (const auto unit = unit_constants_.find(word); unit != unit_constants_.end())
      constants.insert(*unit);
  }
  return constants;
}

std::map<std::string, double> ModelNumbers::constants_for(std::string_view text) const {
  static const std::set<std::string> others = {"t", "pi", "e", "and", "or", "not"};
  std::map<std::string, double> constants = constants_in(text);
  for (const std::string& word : words_in(text)) {
    const std::size_t at = text.find(word), end = at + word.size();
    const char before = at > 0 ? text[at - 1] : ' ', after = end < text.size() ? text[end] : ' ';
    if (constants.contains(word) || others.contains(word) || before == '.' || after == '.' || after == '(')
      continue;  // known, of a coordinate, or a function
    constants.insert(parameters_.begin(), parameters_.end());
    for (const auto& [name, value] : unit_constants_) constants.try_emplace(name, value);
    break;
  }
  return constants;
}

Quantity ModelNumbers::quantity_of(const std::string& name) const {
  const auto found = quantities_.of.find(name);
  return found == quantities_.of.end() ? Quantity{} : found->second;
}

Expression ModelNumbers::parsed(const std::string& text, const std::optional<Dimension>& gives) const {
  return Expression::parse(text, {.variables = {},
                                  .constants = constants_in(text),
                                  .quantities = quantities_.unit_names.empty() ? nullptr : &quantities_,
                                  .gives = gives});
}

double ModelNumbers::evaluate(const std::string& text, const std::optional<Dimension>& gives) const {
  return parsed(text, gives).evaluate<double>({});
}

std::vector<std::pair<std::string, std::string>> ModelNumbers::defined(
    const std::vector<std::pair<std::string, std::string>>& given) {
  std::vector<std::pair<std::string, std::string>> refused;
  std::map<std::string, const std::string*> texts;
  for (const auto& [name, text] : given) {
    if (!is_name(name))
      refused.emplace_back(name,
                           "a parameter's name begins with a letter and has letters, digits and _ only");
    else
      texts.emplace(name, &text), quantities_.of.try_emplace(name);
  }
  // Those that it needs first; `open` is the way to the one at work, so that a circle is seen.
  enum class State { open, done, failed };
  std::map<std::string, State> states;
  for (const auto& [start, unused] : texts) {
    std::vector<std::string> open = {start};
    while (!open.empty()) {
      const std::string name = open.back();
      if (states.contains(name) && states.at(name) != State::open) {
        open.pop_back();
        continue;
      }
      states[name] = State::open;
      const std::string& text = *texts.at(name);
      std::string waiting;
      bool failed = false;
      for (const std::string& word : words_in(text)) {
        if (!texts.contains(word)) continue;
        if (!states.contains(word))
          waiting = word;
        else if (states.at(word) == State::failed)
          failed = true;
        else if (states.at(word) == State::open) {
          std::string circle = word;
          int told = 0;
          for (auto at = std::find(open.begin(), open.end(), word) + 1; at < open.end(); ++at)
            if (++told <= 8) circle += ", " + *at;
          if (told > 8) circle += fmt::format(" and {} more", told - 8);
          refused.emplace_back(
              name, fmt::format("the parameter depends on itself, by way of {}; break the circle", circle));
          failed = true;
          break;
        }
      }
      if (!failed && !waiting.empty()) {
        open.push_back(waiting);
        continue;
      }
      if (!failed) {
        try {
          const Expression expression = parsed(text, {});
          const double value = expression.evaluate<double>({});
          if (!std::isfinite(value))
            throw InputError(fmt::format("the value {} of '{}' is not finite", value, text));
          parameters_[name] = value;
          quantities_.of[name] = expression.quantity();
          quantities_.of[name].unit = false;  // 7850*width may be a mass for an area, 7850*mm is a length
        } catch (const InputError& error) {
          refused.emplace_back(name, error.what());
          failed = true;
        }
      }
      if (failed)
        parameters_[name] = 1, quantities_.of.erase(name);  // what uses it makes no faults of its own
      states[name] = failed ? State::failed : State::done;
      open.pop_back();
    }
  }
  return refused;
}

}  // namespace driftless::io
