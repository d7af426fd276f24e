// A curve in pixels: thinned out, and as the data of an SVG path.
#pragma once

#include <string>
#include <vector>

namespace driftless::io {

struct Pixel {
  double x, y;  // either may be NaN: a gap
  bool gap() const { return !(x == x && y == y); }
};

constexpr std::size_t most_points = 2000;  // of one curve, where x does not run back and forth

// The same picture with fewer points, where there are more than `most_points`: points that follow each other
// in one column of `width / 500` pixels leave only the first, lowest, highest and last of them. Gaps narrower
// than a column are not seen.
std::vector<Pixel> thinned(const std::vector<Pixel>& curve, double width);

// "M1,2 3,4": a line that is interrupted at gaps. A point between two gaps becomes a dot.
std::string path_data(const std::vector<Pixel>& curve);

std::string coordinate(double pixels);  // two decimals at most

}  // namespace driftless::io
