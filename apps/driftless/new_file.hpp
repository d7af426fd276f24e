// A text that becomes a file, or goes to standard output.
#pragma once

#include "requests.hpp"

namespace driftless::app {

// Throws InputError where the file is there already or cannot be written. `flag`: how the command calls the name.
void write_new_file(const Text& out, const std::string& text, const std::string& flag = "--out");

}  // namespace driftless::app
