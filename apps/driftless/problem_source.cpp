#include "problem_source.hpp"

#include <filesystem>

#include <fmt/format.h>

#include <driftless/catalog/catalog.hpp>

namespace driftless::app {

namespace {

constexpr double usual_end = 10;  // of a model that does not say

ProblemSource from_file(const std::string& word,
                        const std::vector<std::pair<std::string, std::string>>& set) {
  const auto model = std::make_shared<const io::Model>(io::read_model(word, set));
  ProblemSource source{.name = word,
                       .summary = model->title,
                       .short_name = std::filesystem::path(word).stem().string(),
                       .instance = {},
                       .model = model};
  source.instance.problem = model->mechanism.problem();
  source.instance.start = model->mechanism.assembled(model->closing);
  source.instance.t_end = model->run.t_end.value_or(usual_end);
  return source;
}

}  // namespace

bool names_a_file(const std::string& word) {
  return word.ends_with(".toml") || word.find('/') != std::string::npos;
}

ProblemSource open_problem(const std::string& word,
                           const std::vector<std::pair<std::string, std::string>>& set) {
  if (names_a_file(word)) return from_file(word, set);
  return {.name = word,
          .summary = catalog::problem(word).summary,
          .short_name = word,
          .instance = catalog::make_problem(word, set)};
}

}  // namespace driftless::app
