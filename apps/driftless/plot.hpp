// A plot of curves over time on a logarithmic axis, made of characters: Braille dots where the terminal can
// show them, else one letter per curve.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace driftless::app {

struct Curve {
  std::string label;                              // written beside the curve
  char mark;                                      // its letter, without Braille
  std::vector<std::pair<double, double>> points;  // (t, value), t not falling
};

struct PlotFrame {
  double t_start, t_end;
  int rows;      // lines of text
  bool unicode;  // may Braille be used?
};

std::string log_plot(const PlotFrame& frame, const std::vector<Curve>& curves);

bool terminal_shows_unicode();  // by the locale

}  // namespace driftless::app
