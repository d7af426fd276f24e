#include "problem_source.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <driftless/catalog/catalog.hpp>
#include <driftless/io/model_check.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>

#include "run_advice.hpp"

namespace driftless::app {

namespace {

ProblemSource from_file(const std::string& word, const std::vector<std::pair<std::string, std::string>>& set,
                        const io::RobotOptions& robot) {
  const auto model = std::make_shared<const io::Model>(open_model(word, set, robot));
  ProblemSource source{.name = word,
                       .summary = model->title,
                       .short_name = std::filesystem::path(word).stem().string(),
                       .instance = {},
                       .model = model,
                       .robot = robot};
  source.instance.problem = mechanics::make_problem(model->mechanism.finished());
  try {
    source.instance.start = model->mechanism.assembled(model->closing);
  } catch (const InputError& error) {
    throw InputError(io::start_faults(*model, error.what()));
  }
  source.instance.t_end = model->run.t_end.value_or(usual_end);
  return source;
}

// Somebody's file, by a name that says nothing of what is in it.
void refuse_unknown_ending(const std::string& word) {
  const auto& known = catalog::problem_table();
  std::error_code error;
  if (std::any_of(known.begin(), known.end(), [&](const auto& row) { return row.name == word; }) ||
      !std::filesystem::is_regular_file(word, error))
    return;
  throw InputError(fmt::format(
      "the file {} is not read, by its ending: model files end with .toml, robot files with .urdf, "
      ".sdf, .world, .xml or .mjcf; rename it",
      word));
}

}  // namespace

bool names_a_file(const std::string& word) {
  return word.ends_with(".toml") || io::is_robot_file(word) || word.find('/') != std::string::npos;
}

io::Model open_model(const std::string& file, const std::vector<std::pair<std::string, std::string>>& set,
                     const io::RobotOptions& robot) {
  return io::is_robot_file(file) ? io::read_robot(file, set, robot) : io::read_model(file, set);
}

ProblemSource open_problem(const std::string& word,
                           const std::vector<std::pair<std::string, std::string>>& set,
                           const io::RobotOptions& robot) {
  if (names_a_file(word)) return from_file(word, set, robot);
  refuse_unknown_ending(word);
  ProblemSource source{.name = word,
                       .summary = catalog::problem(word).summary,
                       .short_name = word,
                       .instance = catalog::make_problem(word, set)};
  return source;
}

}  // namespace driftless::app
