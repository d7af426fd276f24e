// What is done with any bytes at all in place of a robot file: they are read, or refused with words. Behind <!--loops--> stands what a loops file says.
// Used by the fuzzers, and by the tests on what they found.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

#include <driftless/io/model_outputs.hpp>
#include <driftless/io/robot_file.hpp>

namespace driftless::fuzz {

// What is made is TOML at least, whatever names and numbers the robot has; what came from a loops file need not be.
inline void read_made(const std::string& text, bool is_toml) {
  try {
    const io::Model model = io::read_model_text(text, "robot.xml");
    const io::ModelOutputs outputs(model);
  } catch (const InputError& refused) {
    if (is_toml && std::string_view(refused.what()).find("this is not TOML") != std::string_view::npos)
      std::abort();
    throw;
  }
}

inline bool read_as_robot(std::string_view bytes) {
  constexpr std::string_view mark = "<!--loops-->";
  const auto at = bytes.find(mark);
  const std::string_view loops = at == bytes.npos ? "" : bytes.substr(at + mark.size());
  try {
    const io::RobotText made = io::robot_model_text_of(bytes.substr(0, at), "robot.xml", {}, loops);
    read_made(made.text, loops.empty());
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace driftless::fuzz
