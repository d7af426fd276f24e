// ModelNumbers: what text means where a number is expected: arithmetic on the parameters of the file, with the names of units as constants.
// Parameters may depend on each other in any order. All in the units of the file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <driftless/io/model_file.hpp>
#include <driftless/mechanics/expression.hpp>

namespace driftless::io {

// "mm" of "length" in SI; nothing: there is no such unit. Throws InputError that names those there are.
double unit_named(const std::string& kind, const std::string& name);
const std::vector<std::string>& unit_kinds();  // length, mass, time, angle, force

class ModelNumbers {
 public:
  ModelNumbers() = default;
  // `names` of the units: "length": "mm", all five.
  ModelNumbers(const mechanics::Units& units, const std::map<std::string, std::string>& names);

  // By their texts. Each gets a value or its name and a message is told to `refuse`.
  template <class Refuse>
  void define(const std::vector<std::pair<std::string, std::string>>& parameters, Refuse refuse) {
    for (const auto& [name, why] : defined(parameters)) refuse(name, why);
  }

  // `gives`: what it must be, where it has a unit. Throws InputError.
  double evaluate(const std::string& text, const std::optional<mechanics::Dimension>& gives = {}) const;
  const mechanics::Units& units() const { return quantities_.units; }
  const std::map<std::string, double>& parameters() const { return parameters_; }
  // Parameters, and units where no parameter has that name: what formulas may use besides variables.
  std::map<std::string, double> constants_in(std::string_view text) const;
  // All of these, where the text has a name that may be a misspelt one; else those in it.
  std::map<std::string, double> constants_for(std::string_view text) const;
  mechanics::Quantity quantity_of(const std::string& name) const;  // of such a constant

 private:
  mechanics::Expression parsed(const std::string& text,
                               const std::optional<mechanics::Dimension>& gives) const;
  std::vector<std::pair<std::string, std::string>> defined(
      const std::vector<std::pair<std::string, std::string>>& parameters);

  mechanics::NamedQuantities quantities_;
  std::map<std::string, double> unit_constants_;
  std::map<std::string, double> parameters_;
};

}  // namespace driftless::io
