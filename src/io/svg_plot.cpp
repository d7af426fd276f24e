#include <driftless/io/svg_plot.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <ostream>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

#include "common/plot_axis.hpp"
#include "common/plot_curve.hpp"
#include "common/svg_text.hpp"

namespace driftless::io {

namespace {

constexpr double plot_width = 600, plot_height = 340;  // between the axes, in pixels
constexpr double title_size = 15, label_size = 13, small_size = 12;
constexpr double edge = 14, tick_length = 4, line_height = 18, legend_sample = 24;
constexpr std::size_t few_points = 25;  // of a curve: each is marked

// Okabe and Ito's colours without their yellow, which white swallows. Curves that share one differ in their
// dashes.
constexpr std::array<const char*, 7> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#56b4e9", "#e69f00", "#000000"};
constexpr std::array<const char*, 4> dashes = {"", "7 4", "2 3.5", "9 3.5 2 3.5"};

std::string stroke_of(std::size_t number, bool dashed) {
  const std::string dash = dashes[(number / colours.size() + (dashed ? 1 : 0)) % dashes.size()];
  return fmt::format("stroke=\"{}\"", colours[number % colours.size()]) +
         (dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

void check(const Figure& figure) {
  for (const Series& series : figure.series)
    if (series.x.size() != series.y.size())
      throw InputError(fmt::format("the curve '{}' has {} values for x and {} for y; give as many of both",
                                   series.name, series.x.size(), series.y.size()));
}

bool shown(const Series& series, std::size_t i) {
  return can_be_shown(series.x[i]) && can_be_shown(series.y[i]);
}

Range range_of(const Figure& figure, std::vector<double> Series::*values) {
  Range range;
  for (const Series& series : figure.series)
    for (std::size_t i = 0; i < series.x.size(); ++i)
      if (shown(series, i)) range.include((series.*values)[i]);
  return range;
}

// Over time curves begin and end at the frame; one that runs back and forth should not touch it.
Axis x_axis(const Figure& figure) {
  if (figure.logarithmic_x) return log_axis(range_of(figure, &Series::x), 10, small_size);
  const bool over_time = std::all_of(figure.series.begin(), figure.series.end(), [](const Series& series) {
    return std::is_sorted(series.x.begin(), series.x.end());
  });
  Axis axis;
  for (int steps = 8; steps >= 1; --steps) {
    axis = linear_axis(range_of(figure, &Series::x), steps, over_time ? 0 : 0.05);
    if (axis.ticks.size() < 2) break;
    const double room = (axis.ticks[1].at - axis.ticks[0].at) * plot_width;
    if (text_width(axis.widest_label(), small_size) + 16 <= room) break;
  }
  return axis;
}

Axis y_axis(const Figure& figure) {
  const Range range = range_of(figure, &Series::y);
  return figure.logarithmic ? log_axis(range, 8, small_size) : linear_axis(range, 7, 0.05);
}

class Picture {
 public:
  explicit Picture(const Figure& figure) : figure_(figure), x_(x_axis(figure)), y_(y_axis(figure)) {
    left_ = edge + text_width(y_.widest_label(), small_size) + tick_length + 4;
    if (!figure.y_label.empty()) left_ += label_size + 8;
    top_ = edge + (figure.title.empty() ? 0 : title_size + 6) +
           (figure.subtitle.empty() ? 0 : small_size + 6) + (y_.factor != 0 ? line_height : 4);
    height_ = top_ + plot_height + tick_length + line_height + edge / 2;
    if (!figure.x_label.empty() || x_.factor != 0) height_ += line_height;
    const double last_label = text_width(x_.ticks.empty() ? 0 : x_.ticks.back().characters, small_size) / 2;
    width_ = left_ + plot_width + std::max(edge, last_label + 4) + legend_width();
  }

  std::string svg() {
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "role=\"img\" "
        "font-family=\"system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif\" fill=\"#222\">\n",
        std::ceil(width_), std::ceil(height_));
    svg_ += fmt::format("<title>{}</title>\n", xml_text(figure_.title));
    svg_ += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
    titles();
    grid();
    labels();
    curves();
    legend();
    return svg_ + "</svg>\n";
  }

 private:
  double across(double part) const { return left_ + part * plot_width; }
  double up(double part) const { return top_ + (1 - part) * plot_height; }

  // `markup` is already escaped.
  void text(double x, double y, double size, const char* attributes, const std::string& markup) {
    svg_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}>{}</text>\n", coordinate(x),
                        coordinate(y), size, attributes, markup);
  }

  void titles() {
    double y = edge + title_size - 3;
    const double room = width_ - left_ - edge;
    if (!figure_.title.empty()) {
      text(left_, y, title_size, " font-weight=\"600\"",
           xml_text(shortened(figure_.title, room, title_size)));
      y += small_size + 6;
    }
    if (!figure_.subtitle.empty())
      text(left_, y, small_size, " fill=\"#555\"", xml_text(shortened(figure_.subtitle, room, small_size)));
  }

  void grid() {
    const auto line = [](double x1, double y1, double x2, double y2) {
      return fmt::format("M{},{} {},{}", coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2));
    };
    const double right = left_ + plot_width, bottom = top_ + plot_height;
    std::string minor, major, frame = line(left_, top_, left_, bottom) + line(left_, bottom, right, bottom);
    for (const double at : y_.minor) minor += line(left_, up(at), right, up(at));
    for (const double at : x_.minor) minor += line(across(at), top_, across(at), bottom);
    for (const Tick& tick : y_.ticks) {
      major += line(left_, up(tick.at), right, up(tick.at));
      frame += line(left_ - tick_length, up(tick.at), left_, up(tick.at));
    }
    for (const Tick& tick : x_.ticks) {
      major += line(across(tick.at), top_, across(tick.at), bottom);
      frame += line(across(tick.at), bottom, across(tick.at), bottom + tick_length);
    }
    const auto path = [&](const std::string& data, const char* colour) {
      if (!data.empty()) svg_ += fmt::format("<path d=\"{}\" stroke=\"{}\" fill=\"none\"/>\n", data, colour);
    };
    path(minor, "#f2f2f2");
    path(major, "#e0e0e0");
    path(frame, "#444");
  }

  void labels() {
    const double bottom = top_ + plot_height, below = bottom + tick_length + small_size + 2;
    for (const Tick& tick : x_.ticks)
      text(across(tick.at), below, small_size, " text-anchor=\"middle\"", tick.label);
    for (const Tick& tick : y_.ticks)
      text(left_ - tick_length - 4, up(tick.at) + 0.35 * small_size, small_size, " text-anchor=\"end\"",
           tick.label);
    const auto factor = [](const Axis& axis) { return "× " + power_of_ten(axis.factor, small_size); };
    if (y_.factor != 0) text(left_, top_ - 7, small_size, " text-anchor=\"middle\"", factor(y_));
    if (x_.factor != 0) text(across(1), below + line_height, small_size, " text-anchor=\"end\"", factor(x_));
    if (!figure_.x_label.empty())
      text(across(0.5), below + line_height, label_size, " text-anchor=\"middle\"",
           xml_text(shortened(figure_.x_label, plot_width, label_size)));
    if (!figure_.y_label.empty()) {
      const double x = edge + label_size - 4, y = up(0.5);
      const std::string turned = fmt::format(" text-anchor=\"middle\" transform=\"rotate(-90 {} {})\"",
                                             coordinate(x), coordinate(y));
      text(x, y, label_size, turned.c_str(), xml_text(shortened(figure_.y_label, plot_height, label_size)));
    }
    if (x_.ticks.empty())
      text(across(0.5), up(0.5), label_size, " text-anchor=\"middle\" fill=\"#555\"",
           "no finite values to show");
  }

  void curves() {
    constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t number = 0; number < figure_.series.size(); ++number) {
      const Series& series = figure_.series[number];
      std::vector<Pixel> curve;
      for (std::size_t i = 0; i < series.x.size(); ++i)
        curve.push_back({can_be_shown(series.x[i]) ? across(x_.place(series.x[i])) : nowhere,
                         can_be_shown(series.y[i]) ? up(y_.place(series.y[i])) : nowhere});
      const std::string data = path_data(thinned(curve, plot_width));
      if (data.empty()) continue;
      svg_ += fmt::format(
          "<path class=\"curve\" d=\"{}\" fill=\"none\" stroke-width=\"1.5\" stroke-linejoin=\"round\" "
          "stroke-linecap=\"round\" {}/>\n",
          data, stroke_of(colour_of(number), series.dashed));
      if (series.dashed || curve.size() > few_points) continue;
      for (const Pixel& point : curve)
        if (!point.gap())
          svg_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"2.6\" fill=\"{}\"/>\n", coordinate(point.x),
                              coordinate(point.y), colours[colour_of(number) % colours.size()]);
    }
  }

  // Beside the plot, in as many columns as it takes.
  std::size_t colour_of(std::size_t number) const {
    const int like = figure_.series[number].like;
    return like >= 0 ? static_cast<std::size_t>(like) : number;
  }

  static constexpr auto legend_rows = static_cast<std::size_t>(plot_height / line_height);

  std::string legend_name(const Series& series) const {
    for (std::size_t i = 0; i < series.x.size(); ++i)
      if (shown(series, i)) return shortened(series.name, 280, small_size);
    return shortened(series.name, 160, small_size) + " (no finite values)";
  }

  double legend_column() const {
    std::size_t longest = 0;
    for (const Series& series : figure_.series) longest = std::max(longest, characters(legend_name(series)));
    return legend_sample + 6 + text_width(longest, small_size) + edge;
  }

  double legend_width() const {
    if (figure_.series.size() < 2) return 0;
    const std::size_t columns = (figure_.series.size() + legend_rows - 1) / legend_rows;
    return static_cast<double>(columns) * legend_column();
  }

  void legend() {
    if (figure_.series.size() < 2) return;
    for (std::size_t number = 0; number < figure_.series.size(); ++number) {
      const auto column = static_cast<double>(number / legend_rows),
                 row = static_cast<double>(number % legend_rows);
      const double x = width_ - legend_width() + column * legend_column(),
                   y = top_ + line_height * (row + 0.5);
      svg_ += fmt::format("<path d=\"M{},{}h{}\" stroke-width=\"2\" {}/>\n", coordinate(x), coordinate(y),
                          legend_sample, stroke_of(colour_of(number), figure_.series[number].dashed));
      text(x + legend_sample + 6, y + 0.35 * small_size, small_size, "",
           xml_text(legend_name(figure_.series[number])));
    }
  }

  const Figure& figure_;
  const Axis x_, y_;
  double left_, top_, width_, height_;
  std::string svg_;
};

}  // namespace

void write_svg(std::ostream& out, const Figure& figure) {
  check(figure);
  out << Picture(figure).svg();
}

}  // namespace driftless::io
