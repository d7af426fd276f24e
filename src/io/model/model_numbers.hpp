// ModelNumbers: what text means where a number is expected: arithmetic on the parameters of the file, with the names of units as constants.
// Parameters may depend on each other in any order. All in the units of the file.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <driftless/io/model_file.hpp>

namespace driftless::io {

// "mm" of "length" in SI; nothing: there is no such unit. Throws InputError that names those there are.
double unit_named(const std::string& kind, const std::string& name);
const std::vector<std::string>& unit_kinds();  // length, mass, time, angle, force

class ModelNumbers {
 public:
  ModelNumbers() : ModelNumbers(mechanics::Units{}) {}
  explicit ModelNumbers(const mechanics::Units& units);

  // By their texts. Each gets a value or its name and a message is told to `refuse`.
  template <class Refuse>
  void define(const std::vector<std::pair<std::string, std::string>>& parameters, Refuse refuse) {
    for (const auto& [name, why] : defined(parameters)) refuse(name, why);
  }

  double evaluate(const std::string& text) const;  // throws InputError
  const mechanics::Units& units() const { return units_; }
  const std::map<std::string, double>& parameters() const { return parameters_; }
  // Parameters, and units where no parameter has that name: what formulas may use besides variables.
  std::map<std::string, double> constants_in(std::string_view text) const;

 private:
  std::vector<std::pair<std::string, std::string>> defined(
      const std::vector<std::pair<std::string, std::string>>& parameters);

  mechanics::Units units_;
  std::map<std::string, double> unit_constants_;
  std::map<std::string, double> parameters_;
};

}  // namespace driftless::io
