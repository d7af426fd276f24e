// A figure of a paper, redrawn, and the name of its file.
#pragma once

#include <string>

#include <driftless/io/svg_plot.hpp>

namespace driftless::experiments {

struct FigureFile {
  std::string name;  // with .svg; the program puts the paper's number in front
  io::Figure figure;
};

}  // namespace driftless::experiments
