#include "plot.hpp"

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <langinfo.h>

namespace driftless::app {

namespace {

constexpr int columns = 68;            // of the plot itself, without the axis
constexpr double lowest = 1e-18;       // smaller values, zero above all, have no place on the axis
constexpr int dots_x = 2, dots_y = 4;  // in one Braille character

class Canvas {
 public:
  Canvas(const PlotFrame& frame, const std::vector<Curve>& curves) : frame_(frame) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const Curve& curve : curves)
      for (const double value : heights(curve)) {
        if (std::isnan(value)) continue;
        least = std::min(least, value);
        most = std::max(most, value);
      }
    if (least <= most) {
      bottom_ = static_cast<int>(std::floor(least));
      top_ = std::max(bottom_ + 1, static_cast<int>(std::ceil(most)));
    }
    cells_.assign(static_cast<std::size_t>(frame.rows * columns), {});
    for (const Curve& curve : curves) draw(curve);
    for (const Curve& curve : curves) write_label(curve);
  }

  std::string text() const {
    const char* bar = frame_.unicode ? "│" : "|";
    const char* tick = frame_.unicode ? "┤" : "+";
    std::string result;
    for (int row = 0; row < frame_.rows; ++row) {
      const std::string name = axis_label(row);
      std::string line = fmt::format("{:>8} {}", name, name.empty() ? bar : tick);
      for (int column = 0; column < columns; ++column) line += cell(row, column).show(frame_.unicode);
      result += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return result + time_axis();
  }

 private:
  struct Cell {
    int dots = 0;  // Braille pattern
    char letter = ' ';
    bool label = false;
    std::string show(bool unicode) const {
      if (label || !unicode) return std::string(1, letter);
      if (dots == 0) return " ";
      // U+2800 + pattern, in UTF-8
      return {'\xE2', static_cast<char>(0xA0 | (dots >> 6)), static_cast<char>(0x80 | (dots & 0x3F))};
    }
  };

  Cell& cell(int row, int column) { return cells_[static_cast<std::size_t>(row * columns + column)]; }
  const Cell& cell(int row, int column) const {
    return cells_[static_cast<std::size_t>(row * columns + column)];
  }

  static bool shown(double value) { return std::isfinite(value) && value >= lowest; }

  int dot_row(double logarithm) const {
    const int last = frame_.rows * dots_y - 1;
    const double depth = (top_ - logarithm) / (top_ - bottom_);
    return std::clamp(static_cast<int>(std::lround(depth * last)), 0, last);
  }

  void set_dot(int x, int y, char mark) {
    static constexpr int pattern[dots_y][dots_x] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    Cell& c = cell(y / dots_y, x / dots_x);
    c.dots |= pattern[y % dots_y][x % dots_x];
    c.letter = mark;
  }

  // The logarithm of the largest value in each column of dots; between points a straight line. NaN before
  // the first point and after the last.
  std::vector<double> heights(const Curve& curve) const {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> values(static_cast<std::size_t>(columns * dots_x), none);
    for (const auto& [t, value] : curve.points) {
      const double place = (t - frame_.t_start) / (frame_.t_end - frame_.t_start);
      if (!(place >= 0 && place <= 1) || !shown(value)) continue;
      auto& kept = values[static_cast<std::size_t>(std::lround(place * (columns * dots_x - 1)))];
      kept = std::isnan(kept) ? std::log10(value) : std::max(kept, std::log10(value));
    }
    std::size_t last = values.size();  // the last column with a point
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) continue;
      for (std::size_t j = last + 1; j < i; ++j)
        values[j] = std::lerp(values[last], values[i], double(j - last) / double(i - last));
      last = i;
    }
    return values;
  }

  void draw(const Curve& curve) {
    const std::vector<double> values = heights(curve);
    int before = -1;
    for (int x = 0; x < columns * dots_x; ++x) {
      if (std::isnan(values[static_cast<std::size_t>(x)])) continue;
      const int y = dot_row(values[static_cast<std::size_t>(x)]);
      // Joined with the column before, so that a steep curve stays a line.
      const int from = before < 0 ? y : before + (y > before) - (y < before);
      for (int i = std::min(from, y); i <= std::max(from, y); ++i) set_dot(x, i, curve.mark);
      before = y;
    }
  }

  // Above the right end of the curve, or below it where there is no room.
  void write_label(const Curve& curve) {
    const int length = static_cast<int>(curve.label.size()), begin = columns - length - 1;
    const auto free = [&](int row) {
      if (row < 0 || row >= frame_.rows || begin < 0) return false;
      for (int i = 0; i < length; ++i)
        if (cell(row, begin + i).dots != 0 || cell(row, begin + i).label) return false;
      return true;
    };
    int top = frame_.rows, bottom = -1;
    const std::vector<double> values = heights(curve);
    for (int column = std::max(begin, 0); column < columns; ++column) {
      const double value = values[static_cast<std::size_t>(column * dots_x)];
      if (std::isnan(value)) continue;
      top = std::min(top, dot_row(value) / dots_y);
      bottom = std::max(bottom, dot_row(value) / dots_y);
    }
    for (const int row : {top - 1, bottom + 1, top - 2, bottom + 2}) {
      if (!free(row)) continue;
      for (int i = 0; i < length; ++i) {
        cell(row, begin + i).letter = curve.label[static_cast<std::size_t>(i)];
        cell(row, begin + i).label = true;
      }
      return;
    }
  }

  // Decades, every one or every few, so that names are two lines apart or more.
  std::string axis_label(int row) const {
    const int decades = top_ - bottom_;
    int every = 1;
    while (2 * decades > every * (frame_.rows - 1)) ++every;
    for (int exponent = top_; exponent >= bottom_; exponent -= every)
      if (dot_row(exponent) / dots_y == row) return fmt::format("1e{:+03d}", exponent);
    return "";
  }

  std::string time_axis() const {
    const std::string first = fmt::format("t = {:g}", frame_.t_start),
                      last = fmt::format("{:g}", frame_.t_end);
    std::string rule;
    for (int i = 0; i < columns; ++i) rule += frame_.unicode ? "─" : "-";
    return fmt::format("{:9}{}{}\n{:10}{}{:>{}}\n", "", frame_.unicode ? "└" : "+", rule, "", first, last,
                       columns - static_cast<int>(first.size()));
  }

  PlotFrame frame_;
  int bottom_ = 0, top_ = 1;  // decades
  std::vector<Cell> cells_;
};

}  // namespace

std::string log_plot(const PlotFrame& frame, const std::vector<Curve>& curves) {
  return Canvas(frame, curves).text();
}

bool terminal_shows_unicode() {
  std::setlocale(LC_CTYPE, "");
  return std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

}  // namespace driftless::app
