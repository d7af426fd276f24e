// What is done with any bytes at all in place of a robot file: they are read, or refused with words.
#pragma once

#include <string_view>

#include <driftless/io/robot_file.hpp>

namespace driftless::fuzz {

inline bool read_as_robot(std::string_view bytes) {
  try {
    const io::RobotText made = io::robot_model_text_of(bytes, "robot.xml");
    static_cast<void>(io::read_model_text(made.text, "robot.xml"));
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace driftless::fuzz
