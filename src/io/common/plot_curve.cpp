#include "plot_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace driftless::io {

namespace {

constexpr Pixel a_gap = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};

// What remains of the points from `begin` to `end`, which share a column.
void keep_outline(const std::vector<Pixel>& curve, std::size_t begin, std::size_t end,
                  std::vector<Pixel>& kept) {
  if (curve[begin].gap()) kept.push_back(a_gap);
  std::array<std::size_t, 4> outline = {end, end, end, end};  // first, lowest, highest, last
  for (std::size_t i = begin; i < end; ++i) {
    if (curve[i].gap()) continue;
    if (outline[0] == end) outline.fill(i);
    if (curve[i].y < curve[outline[1]].y) outline[1] = i;
    if (curve[i].y > curve[outline[2]].y) outline[2] = i;
    outline[3] = i;
  }
  if (outline[0] == end) return;
  std::sort(outline.begin(), outline.end());
  const auto last = std::unique(outline.begin(), outline.end());
  for (auto i = outline.begin(); i != last; ++i) kept.push_back(curve[*i]);
  if (curve[end - 1].gap()) kept.push_back(a_gap);
}

}  // namespace

std::vector<Pixel> thinned(const std::vector<Pixel>& curve, double width) {
  if (curve.size() <= most_points) return curve;
  const double column_width = width / static_cast<double>(most_points / 4);
  std::vector<Pixel> kept;
  for (std::size_t begin = 0, end = 0; begin < curve.size(); begin = end) {
    const double column = std::floor(curve[begin].x / column_width);
    // A point without x belongs to the column of those before it.
    const auto inside = [&](const Pixel& p) {
      return std::isnan(p.x) || std::floor(p.x / column_width) == column;
    };
    for (end = begin + 1; end < curve.size() && inside(curve[end]);) ++end;
    keep_outline(curve, begin, end, kept);
  }
  return kept;
}

std::string coordinate(double pixels) {
  std::string text = fmt::format("{:.2f}", pixels);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string path_data(const std::vector<Pixel>& curve) {
  std::string data;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (curve[i].gap()) continue;
    const bool begins = i == 0 || curve[i - 1].gap(), ends = i + 1 == curve.size() || curve[i + 1].gap();
    data += begins ? "M" : " ";
    data += coordinate(curve[i].x) + "," + coordinate(curve[i].y);
    if (begins && ends) data += "h0";
  }
  return data;
}

}  // namespace driftless::io
