// The file beside a robot file with what its format cannot say: loops, and whatever else a model file may have. It is a piece of a model file: tables as there
// (docs/models.md), which speak of links and joints by their names, and before them
//   base = "fixed" or "free"     whether what hangs on nothing is fixed to the ground
//   gravity = [x, y, z]
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <driftless/mechanics/vector3.hpp>

namespace driftless::io {

// [joint.close] in line 5
struct LoopsEntry {
  std::string kind, name;
  int line = 0;
};

// "elbow.angle" = 0.3 in [start]: where a coordinate begins, or how fast
struct LoopsStart {
  std::string coordinate;
  double value = 0;
};

struct LoopsFile {
  std::optional<bool> free_base = {};
  int base_line = 0;
  std::optional<mechanics::Vec3> gravity = {};
  std::string tables;  // the text from the first table on
  int first_line = 1;  // of that
  std::vector<LoopsEntry> entries;
  // What stands in [parameters], [start] and [output], for robots that have such tables too.
  int parameters_line = 0, start_line = 0, output_line = 0;  // of the headers; 0: there are none
  std::string parameters;                                    // the lines below the header
  std::vector<std::string> parameter_names;
  std::vector<LoopsStart> positions, rates;  // of [start], those that are plain numbers
  std::string without_parameters;  // the tables with empty lines in place of these and of the header
};

// Throws ModelError.
LoopsFile read_loops(std::string_view text, const std::filesystem::path& file);

}  // namespace driftless::io
