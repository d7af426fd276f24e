// Settings: what a type of joint or force may be told beyond where it sits: numbers, formulas in text, tables, profiles.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <driftless/mechanics/profile.hpp>
#include <driftless/mechanics/table.hpp>
#include <driftless/mechanics/units.hpp>

namespace driftless::mechanics {

class Setting {
 public:
  Setting(double number) : value_(number) {}
  Setting(const char* text) : value_(std::string(text)) {}
  Setting(std::string text) : value_(std::move(text)) {}
  Setting(Table table) : value_(std::move(table)) {}
  Setting(Profile profile) : value_(std::move(profile)) {}

  template <class T>
  const T* get() const {
    return std::get_if<T>(&value_);
  }

 private:
  std::variant<double, std::string, Table, Profile> value_;
};
using Settings = std::map<std::string, Setting>;

struct SettingSpec {
  enum class Kind {
    number,
    motion,
    formula,
    table,
    profile
  };  // motion: a number, a formula in t or a table over t
  std::string name;
  std::string help;
  Kind kind = Kind::number;
  Dimension dimension = {};  // of the number, of what a formula or table gives, of the points of a profile
  Dimension argument = {};   // of what a table is over
  double fallback = 0;       // of a number that is not given,
  bool optional = false;     // unless that means something else
  bool required = false;
  bool positive = false;
  bool not_negative = false;
  bool not_zero = false;
};

// What was given, checked against what there is, with numbers that were left out. `owner`: "joint A of type screw".
Settings checked_settings(const std::string& owner, const std::vector<SettingSpec>& specs,
                          const Settings& given);

}  // namespace driftless::mechanics
