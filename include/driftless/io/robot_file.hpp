// Robot files: MJCF, SDFormat and URDF become model files (docs/robots.md), with their loops. read_robot() makes a Model of them, with
// what there is to choose; and here is the text itself.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <driftless/io/model_file.hpp>

namespace driftless::io {

struct RobotOptions {
  bool strict = false;         // what is not simulated is an error
  std::string keyframe = {};   // of MJCF: the keyframe to start from; empty: the pose of the file
  bool allow_outside = false;  // included files may lie outside of the folder of the first one
  // Loops and whatever else a model file may say (docs/robots.md); empty: NAME.loops.toml beside the file, if it is there.
  std::filesystem::path loops = {};
};

// By the ending: .urdf, .sdf, .world, .mjcf, .xml.
bool is_robot_file(const std::filesystem::path& file);

struct RobotText {
  std::string text;                // a model file
  std::vector<std::string> notes;  // what is not simulated, and what was decided where the file is silent
};

// Throws ModelError with all that is wrong, each with its line, and InputError where a file cannot be read.
RobotText robot_model_text(const std::filesystem::path& file, const RobotOptions& options = {});
// The same of texts; `file` is what messages call it and where included files are looked for.
RobotText robot_model_text_of(std::string_view text, const std::filesystem::path& file,
                              const RobotOptions& options = {}, std::string_view loops = {});

// The model that the text describes, with the notes; and the text, if it is wanted too.
Model read_robot(const std::filesystem::path& file,
                 const std::vector<std::pair<std::string, std::string>>& set = {},
                 const RobotOptions& options = {}, std::string* text = nullptr);

}  // namespace driftless::io
