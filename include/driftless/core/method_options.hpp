// Option strings: "name:option=value,option=value", list values separated by ';'. A method or a problem
// declares its options as data; the same table drives parsing, checking, --help and the documentation.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace driftless {

struct OptionSpec {
  std::string name;
  std::string fallback;  // the default, as text; empty: not set unless given
  std::string help;
  std::vector<std::string> choices = {};  // if any: the value is one of these words, not a number
  // Limits for numbers: exclusive, then inclusive.
  double above = -std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
  double at_least = -std::numeric_limits<double>::infinity();
  double at_most = std::numeric_limits<double>::infinity();
  bool integer = false;
  bool text = false;  // any words; the method checks them
};

// Options of one method after parsing: every value checked against its spec.
class OptionValues {
 public:
  OptionValues() = default;
  // `owner` names the method in messages. Throws InputError for unknown names (near ones suggested), bad
  // values, repetition.
  // `noun` is what the options of this owner are called: options of a method, parameters of a problem.
  OptionValues(std::string owner, const std::vector<OptionSpec>& specs,
               const std::vector<std::pair<std::string, std::string>>& given, std::string noun = "option");

  bool given(std::string_view name) const;  // by the user
  double number(std::string_view name) const;
  int integer(std::string_view name) const;
  const std::string& word(std::string_view name) const;
  bool changed() const;  // is any value other than its default?

 private:
  const std::string& text(std::string_view name) const;
  std::string what(std::string_view name) const;  // "option alpha of post"
  std::string owner_, noun_;
  std::map<std::string, std::string, std::less<>> values_;
  std::map<std::string, std::string, std::less<>> given_;
  bool changed_ = false;
};

struct NamedChoice {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options;
};
// "post:F=block,alpha=1"; `kind` for messages.
NamedChoice parse_choice(std::string_view text, std::string_view kind = "method");

// "a;b;c" as its items.
std::vector<std::string> split_list(const std::string& text);

double parse_number(std::string_view text, std::string_view quantity);

// The names nearest to a misspelt one, as " (did you mean a or b?)"; empty when nothing is near.
std::string suggestion(std::string_view wrong, const std::vector<std::string>& names);

}  // namespace driftless
