// What the conformance tests share: names for tests, methods made from text, and every form of a method that has several.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "benchmarks/conformance/combinations.hpp"
#include "support/problems.hpp"
#include "support/run.hpp"
#include "support/test_name.hpp"

namespace driftless::tests {

template <class Entry>
std::vector<std::string> names_of(const std::vector<Named<Entry>>& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.push_back(row.name);
  return names;
}

inline std::unique_ptr<Formulation> formulation_of(const std::string& text) {
  const NamedChoice choice = parse_choice(text);
  const auto& entry = catalog::formulation(choice.name);
  return entry.make(OptionValues(choice.name, entry.options, choice.options));
}

// Methods with the shapes of problems that they do not refuse (what they refuse is the combination table's matter).
template <class Make>
std::vector<std::tuple<std::string, ShapeCase>> accepted_pairs(const std::vector<std::string>& methods,
                                                               Make make) {
  std::vector<std::tuple<std::string, ShapeCase>> pairs;
  for (const auto& method : methods)
    for (const auto& c : shape_cases())
      if (!make(method)->refuses(c.problem->shape())) pairs.emplace_back(method, c);
  return pairs;
}

inline std::unique_ptr<Control> control_of(const std::string& text) {
  const NamedChoice choice = parse_choice(text);
  const auto& entry = catalog::control(choice.name);
  return entry.make(OptionValues(choice.name, entry.options, choice.options));
}

// Formulations whose options change what they compute, besides the plain ones.
inline std::vector<std::string> formulation_forms() {
  std::vector<std::string> forms = benchmarks::conformance::formulation_forms();
  forms.push_back("state-space:R=0.3;1");
  return forms;
}
inline std::vector<std::string> stabilizer_variants() {
  return benchmarks::conformance::stabilizer_texts();
}

inline const std::vector<std::string> controls = {"energy-baumgarte", "energy-descent:mu_v=0.01",
                                                  "energy-descent:mu_q=0.01,mu_v=0.02,metric=mass",
                                                  "energy-baumgarte:gain=auto", "energy-descent:gain=auto"};

}  // namespace driftless::tests
