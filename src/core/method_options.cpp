#include <driftless/core/method_options.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/errors.hpp>

namespace driftless {

namespace {

// Changes of one letter that turn a into b (Levenshtein).
int distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row.back();
}

std::vector<std::string> names_of(const std::vector<OptionSpec>& specs) {
  std::vector<std::string> names;
  for (const auto& spec : specs) names.push_back(spec.name);
  return names;
}

void check_value(const std::string& what, const OptionSpec& spec, const std::string& value) {
  if (spec.text) return;
  if (!spec.choices.empty()) {
    if (std::find(spec.choices.begin(), spec.choices.end(), value) != spec.choices.end()) return;
    throw InputError(fmt::format("{} is '{}' (one of: {}){}", what, value, fmt::join(spec.choices, ", "),
                                 suggestion(value, spec.choices)));
  }
  const double number = parse_number(value, what);
  std::string limit;
  if (number <= spec.above) limit = fmt::format("must be above {:g}", spec.above);
  if (number >= spec.below) limit = fmt::format("must be below {:g}", spec.below);
  if (number < spec.at_least) limit = fmt::format("must be at least {:g}", spec.at_least);
  if (number > spec.at_most) limit = fmt::format("must be at most {:g}", spec.at_most);
  if (spec.integer && number != std::floor(number)) limit = "must be a whole number";
  if (!limit.empty())
    throw InputError(fmt::format("{} is {} ({}); change it or leave it out", what, value, limit));
}

bool differs(const OptionSpec& spec, const std::string& value) {
  if (!spec.choices.empty() || spec.text || spec.fallback.empty()) return value != spec.fallback;
  return parse_number(value, spec.name) != parse_number(spec.fallback, spec.name);
}

}  // namespace

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    items.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

double parse_number(std::string_view text, std::string_view quantity) {
  double value = 0;
  const char* first = text.data();
  const char* last = text.data() + text.size();
  if (first != last && *first == '+') ++first;
  const auto [end, error] = std::from_chars(first, last, value);
  if (error != std::errc() || end != last || !std::isfinite(value))
    throw InputError(
        fmt::format("{} is '{}' (must be a finite number); write it like 0.01 or 1e-6", quantity, text));
  return value;
}

std::string suggestion(std::string_view wrong, const std::vector<std::string>& names) {
  constexpr std::size_t longest = 100;  // a comparison costs the product of both lengths
  if (wrong.size() > longest) return {};
  std::vector<std::pair<int, std::string>> near;
  for (const auto& name : names) {
    if (name.size() > longest) continue;
    const auto [less, more] = std::minmax({wrong.size(), name.size()});
    const std::size_t allowed = std::max<std::size_t>(1, (more + 1) / 3);
    const bool contained = wrong.size() >= 3 && name.find(wrong) != std::string::npos;
    if (!contained && more - less > allowed) continue;
    const int d = distance(wrong, name);
    if (contained || d <= static_cast<int>(allowed)) near.emplace_back(d, name);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (near.empty()) return {};
  std::string text = " (did you mean " + near[0].second;
  if (near.size() > 1) text += " or " + near[1].second;
  return text + "?)";
}

NamedChoice parse_choice(std::string_view text, std::string_view kind) {
  NamedChoice choice;
  const auto colon = text.find(':');
  choice.name = text.substr(0, colon);
  if (choice.name.empty())
    throw InputError(
        fmt::format("'{}' names no {}; write NAME or NAME:option=value,option=value", text, kind));
  if (colon == std::string_view::npos) return choice;
  std::string_view rest = text.substr(colon + 1);
  while (true) {
    const auto comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    const auto equals = item.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == item.size())
      throw InputError(fmt::format("'{}' in '{}' is no option; write {}:option=value,option=value", item,
                                   text, choice.name));
    choice.options.emplace_back(item.substr(0, equals), item.substr(equals + 1));
    if (comma == std::string_view::npos) return choice;
    rest = rest.substr(comma + 1);
  }
}

OptionValues::OptionValues(std::string owner, const std::vector<OptionSpec>& specs,
                           const std::vector<std::pair<std::string, std::string>>& given, std::string noun)
    : owner_(std::move(owner)), noun_(std::move(noun)) {
  for (const auto& spec : specs)
    if (!spec.fallback.empty()) values_[spec.name] = spec.fallback;
  for (const auto& item : given) {
    const std::string &name = item.first, &value = item.second;
    const auto spec = std::find_if(specs.begin(), specs.end(), [&](const auto& s) { return s.name == name; });
    if (spec == specs.end()) {
      const auto names = names_of(specs);
      const std::string known =
          names.empty() ? "it has none" : fmt::format("known: {}", fmt::join(names, ", "));
      throw InputError(
          fmt::format("{} has no {} '{}'; {}{}", owner_, noun_, name, known, suggestion(name, names)));
    }
    if (given_.count(name))
      throw InputError(
          fmt::format("{} is given twice ({} and {}); give it once", what(name), given_[name], value));
    check_value(what(name), *spec, value);
    changed_ = changed_ || differs(*spec, value);
    given_[name] = value;
    values_[name] = value;
  }
}

std::string OptionValues::what(std::string_view name) const {
  return fmt::format("{} {} of {}", noun_, name, owner_);
}

bool OptionValues::given(std::string_view name) const {
  return given_.find(name) != given_.end();
}

const std::string& OptionValues::text(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw InputError(fmt::format("{} needs {} {}; give it", owner_, noun_, name));
  return found->second;
}

double OptionValues::number(std::string_view name) const {
  return parse_number(text(name), what(name));
}

int OptionValues::integer(std::string_view name) const {
  return static_cast<int>(number(name));
}

const std::string& OptionValues::word(std::string_view name) const {
  return text(name);
}

bool OptionValues::changed() const {
  return changed_;
}

}  // namespace driftless
