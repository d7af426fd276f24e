// The file beside a robot file with what its format cannot say: loops, and whatever else a model file may have. It is a piece of a model file: tables as there
// (docs/models.md), which speak of links and joints by their names, and before them
//   base = "fixed" or "free"     whether what hangs on nothing is fixed to the ground
//   gravity = [x, y, z]
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <driftless/mechanics/vector3.hpp>

namespace driftless::io {

struct LoopsFile {
  std::optional<bool> free_base = {};
  std::optional<mechanics::Vec3> gravity = {};
  std::string tables;  // the text from the first table on
  int first_line = 1;  // of that
};

// Throws ModelError.
LoopsFile read_loops(std::string_view text, const std::filesystem::path& file);

}  // namespace driftless::io
