// Text for a terminal of 80 columns.
#pragma once

#include <string>
#include <string_view>

namespace driftless::app {

constexpr int terminal_width = 80;

// Breaks text at spaces so that no line is longer than the terminal; lines after the first begin with
// `indent` spaces, and the first one is taken to begin at that column too. No line break at the end.
std::string wrap(std::string_view text, int indent);

// "  name      text": the name after `indent` spaces, the text from `column` on, wrapped there.
std::string entry(int indent, std::string_view name, int column, std::string_view text);

std::string count(long number, std::string_view noun);  // "1 step", "2 steps"
std::string duration(double seconds);                   // "0.21 ms", "3.4 s"

}  // namespace driftless::app
