// What the word PROBLEM of a command means: a name of the catalog, or a model file.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <driftless/core/entries.hpp>
#include <driftless/io/model_file.hpp>
#include <driftless/io/robot_file.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

namespace driftless::app {

struct ProblemSource {
  std::string name;        // as given
  std::string summary;     // what it is, in one line
  std::string short_name;  // for the folder of results
  ProblemInstance instance;
  std::shared_ptr<const io::Model> model = {};  // null: from the catalog
  io::RobotOptions robot = {};                  // how it was read
  std::string coordinates = {};                 // of a model: absolute or relative
  std::string coordinates_reason = {};          // where the program chose
  // Where they are relative: the map to bodies, and the problem in their coordinates.
  std::shared_ptr<const mechanics::RelativeCoordinates> relative = {};
  std::shared_ptr<const Problem> absolute_problem = {};
};

// A file where the word ends with .toml, or as robot files do, or has a slash.
bool names_a_file(const std::string& word);

// Of a model file or a robot file. Throws InputError.
io::Model open_model(const std::string& file, const std::vector<std::pair<std::string, std::string>>& set,
                     const io::RobotOptions& robot = {});

// Throws InputError.
ProblemSource open_problem(const std::string& word,
                           const std::vector<std::pair<std::string, std::string>>& set,
                           const io::RobotOptions& robot = {});

}  // namespace driftless::app
