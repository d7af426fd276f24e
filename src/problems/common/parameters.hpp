// Parameters of a problem that are members of its model: one table gives the specs for the catalog, with the
// model's own defaults, and fills a model from the values that a user gave.
#pragma once

#include <limits>
#include <vector>

#include <fmt/format.h>

#include <driftless/core/method_options.hpp>

namespace driftless::problems {

template <class Model>
struct Parameter {
  const char* name;
  double Model::*member;
  const char* help;
  double above = -std::numeric_limits<double>::infinity();  // exclusive limit
};

template <class Model>
std::vector<OptionSpec> specs_of(const std::vector<Parameter<Model>>& table) {
  const Model defaults;
  std::vector<OptionSpec> specs;
  for (const auto& p : table)
    specs.push_back({.name = p.name,
                     .fallback = fmt::format("{}", defaults.*p.member),
                     .help = p.help,
                     .above = p.above});
  return specs;
}

template <class Model>
Model model_of(const std::vector<Parameter<Model>>& table, const OptionValues& values) {
  Model model;
  for (const auto& p : table) model.*p.member = values.number(p.name);
  return model;
}

}  // namespace driftless::problems
