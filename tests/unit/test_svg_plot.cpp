// Figures as SVG: structure, thinning, and data that no axis was made for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include <driftless/core/errors.hpp>
#include <driftless/io/svg_plot.hpp>

#include "io/common/plot_curve.hpp"
#include "support/xml_check.hpp"

namespace driftless::io {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

// The picture; not well-formed: a failure.
std::string svg_of(const Figure& figure) {
  std::ostringstream out;
  write_svg(out, figure);
  EXPECT_EQ(tests::xml_fault(out.str()), "");
  return out.str();
}

Figure figure_of(std::vector<double> x, std::vector<double> y, bool logarithmic = false) {
  return {.title = "a title",
          .subtitle = "below it",
          .x_label = "t",
          .y_label = "y",
          .logarithmic = logarithmic,
          .series = {{.name = "curve", .x = std::move(x), .y = std::move(y)}}};
}

long count(const std::string& text, const std::string& part) {
  long found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// The points of the curves, in pixels.
std::vector<Pixel> points_of(const std::string& svg) {
  std::vector<Pixel> points;
  const std::string begin = "class=\"curve\" d=\"";
  for (auto at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at + 1)) {
    const auto from = at + begin.size();
    std::string data = svg.substr(from, svg.find('"', from) - from);
    std::replace_if(
        data.begin(), data.end(), [](char c) { return c == 'M' || c == ','; }, ' ');
    std::istringstream stream(data);
    for (Pixel p{}; stream >> p.x >> p.y;) points.push_back(p);
  }
  return points;
}

// The checker itself.
TEST(XmlCheck, FindsFaults) {
  for (const char* good : {"<a/>", "<a>b</a>\n", "<a x=\"1\" y=\"&lt;\"><b/>&amp;</a>"})
    EXPECT_EQ(tests::xml_fault(good), "") << good;
  for (const char* bad :
       {"", "a", "<a>", "<a/><b/>", "<a></b>", "<a><b></a></b>", "<a x=1/>", "<a x=\"1/>", "<a>&b</a>",
        "<a x=\"1\" x=\"2\"/>", "<a x=\"<\"/>", "<a>\x01</a>", "<a>b < c</a>", "</a>"})
    EXPECT_NE(tests::xml_fault(bad), "") << bad;
}

TEST(PlotCurve, PathsAreInterruptedAtGaps) {
  EXPECT_EQ(path_data({{0, 1}, {2.5, 3}, {nan, nan}, {4, 5.125}, {4, nan}, {6, 7}, {8, 9.999}}),
            "M0,1 2.5,3M4,5.12h0M6,7 8,10");
  EXPECT_EQ(path_data({}), "");
  EXPECT_EQ(path_data({{1, nan}}), "");
}

TEST(PlotCurve, ThinningKeepsSpikesAndEnds) {
  std::vector<Pixel> curve;
  for (int i = 0; i < 100000; ++i) curve.push_back({i * 0.006, 100 + std::sin(i)});
  curve[54321].y = 300;
  curve[77777].y = -50;
  const std::vector<Pixel> kept = thinned(curve, 600);
  EXPECT_LE(kept.size(), most_points);
  EXPECT_GE(kept.size(), 1000u);
  const auto holds = [&](std::size_t i) {
    return std::any_of(kept.begin(), kept.end(),
                       [&](const Pixel& p) { return p.x == curve[i].x && p.y == curve[i].y; });
  };
  for (const std::size_t i : {0, 54321, 77777, 99999}) EXPECT_TRUE(holds(i)) << i;
  EXPECT_TRUE(
      std::is_sorted(kept.begin(), kept.end(), [](const Pixel& a, const Pixel& b) { return a.x < b.x; }));
}

TEST(PlotCurve, ThinningKeepsGapsThatCanBeSeen) {
  std::vector<Pixel> curve;
  for (int i = 0; i < 60000; ++i) curve.push_back({i * 0.01, i >= 20000 && i < 30000 ? nan : 50.0});
  const std::vector<Pixel> kept = thinned(curve, 600);
  EXPECT_LE(kept.size(), most_points + 4);
  double widest = 0;
  for (std::size_t i = 0; i + 1 < kept.size(); ++i)
    if (!kept[i].gap() && !kept[i + 1].gap()) widest = std::max(widest, kept[i + 1].x - kept[i].x);
  EXPECT_LT(widest, 3);  // no line leads across from 200 to 300
}

TEST(PlotCurve, FewPointsStayAsTheyAre) {
  const std::vector<Pixel> curve(most_points, {1, 2});
  EXPECT_EQ(thinned(curve, 600).size(), most_points);
}

TEST(SvgPlot, HasItsParts) {
  Figure figure = figure_of({0, 1, 2}, {1, 3, 2});
  figure.series.push_back({.name = "x<y & 'z'", .x = {0, 2}, .y = {2, 2}});
  const std::string svg = svg_of(figure);
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  for (const char* part : {"viewBox=\"0 0 ", "<title>a title</title>", ">below it<", ">t<", ">y<", ">curve<",
                           ">x&lt;y &amp; &#39;z&#39;<", "sans-serif", "fill=\"#fff\"",
                           "stroke-linejoin=\"round\"", "#0072b2", "#d55e00"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  EXPECT_EQ(count(svg, "class=\"curve\""), 2);
  EXPECT_EQ(count(svg, "<circle"), 5);  // so few points are marked
}

TEST(SvgPlot, LinearInBothDirections) {
  const std::vector<Pixel> p = points_of(svg_of(figure_of({0, 1, 4}, {0, 10, 5})));
  ASSERT_EQ(p.size(), 3u);
  EXPECT_NEAR((p[1].x - p[0].x) / (p[2].x - p[0].x), 0.25, 1e-4);
  EXPECT_NEAR((p[2].y - p[0].y) / (p[1].y - p[0].y), 0.5, 1e-4);
  EXPECT_LT(p[1].y, p[0].y);  // upwards
  const std::vector<Pixel> q = points_of(svg_of(figure_of({0, 1, 2}, {1e-9, 1e-6, 1e-3}, true)));
  EXPECT_NEAR((q[1].y - q[0].y) / (q[2].y - q[0].y), 0.5, 1e-4);
}

TEST(SvgPlot, BothAxesMayBeLogarithmic) {
  Figure figure = figure_of({1, 100, 1e4}, {1e-9, 1e-6, 1e-3}, true);
  figure.logarithmic_x = true;
  const std::string svg = svg_of(figure);
  const std::vector<Pixel> p = points_of(svg);
  ASSERT_EQ(p.size(), 3u);
  EXPECT_NEAR((p[1].x - p[0].x) / (p[2].x - p[0].x), 0.5, 1e-4);
  EXPECT_NEAR((p[1].y - p[0].y) / (p[2].y - p[0].y), 0.5, 1e-4);
  EXPECT_NEAR(p[2].x - p[0].x, 600, 1e-4);  // whole decades fill the width
  // Five labelled decades of x; zero and negative values stand at the beginning, as on the y axis.
  EXPECT_EQ(count(svg, " text-anchor=\"middle\">10<"), 5);
  figure.series[0].x[0] = 0;
  EXPECT_NE(svg_of(figure).find("≤ "), std::string::npos);
}

TEST(SvgPlot, PredictionsAreDashedAndNotMarked) {
  Figure figure = figure_of({0, 1, 2}, {1, 3, 2});
  figure.series.push_back({.name = "predicted", .x = {0, 2}, .y = {2, 2}, .dashed = true});
  const std::string svg = svg_of(figure);
  EXPECT_EQ(count(svg, "<circle"), 3);
  EXPECT_EQ(count(svg, "stroke-dasharray"), 2);  // the curve and its legend
  EXPECT_EQ(count(svg, "#0072b2"), 5);           // the first colour: curve, legend, three points
  figure.series[1].like = 0;
  EXPECT_EQ(count(svg_of(figure), "#0072b2"), 7);
}

TEST(SvgPlot, OneCurveNeedsNoLegend) {
  EXPECT_EQ(svg_of(figure_of({0, 1}, {1, 2})).find(">curve<"), std::string::npos);
}

// The legend begins to the right of every point, whatever the names and their number.
TEST(SvgPlot, TheLegendIsBesideTheData) {
  Figure figure = figure_of({0, 1}, {0, 1});
  for (int i = 0; i < 40; ++i)
    figure.series.push_back(
        {.name = "number " + std::to_string(i) + std::string(static_cast<std::size_t>(i), '.'),
         .x = {0, 1},
         .y = {0, double(i)}});
  const std::string svg = svg_of(figure);
  double right = 0;
  for (const Pixel& p : points_of(svg)) right = std::max(right, p.x);
  const auto before = svg.rfind("<text x=\"", svg.find(">number 0<"));
  EXPECT_GT(std::stod(svg.substr(before + 9)), right);
  const double width = std::stod(svg.substr(svg.find("width=\"") + 7));
  const auto last = svg.rfind("<text x=\"");
  EXPECT_GT(width, std::stod(svg.substr(last + 9)) + 100);
}

TEST(SvgPlot, ManyPointsMakeASmallFileAndKeepTheirExtremes) {
  std::vector<double> t, y;
  for (int i = 0; i < 300000; ++i) {
    t.push_back(i);
    y.push_back(std::sin(0.7 * i));
  }
  y[123456] = 10;
  const std::string svg = svg_of(figure_of(t, y));
  EXPECT_LT(svg.size(), 60000u);
  const std::vector<Pixel> points = points_of(svg);
  EXPECT_LE(points.size(), most_points);
  const auto top = std::min_element(points.begin(), points.end(), [](auto& a, auto& b) { return a.y < b.y; });
  const double part = (top->x - points.front().x) / (points.back().x - points.front().x);
  EXPECT_NEAR(part, 123456.0 / 299999, 1e-4);
}

TEST(SvgPlot, GapsWhereValuesAreNotFinite) {
  const std::string svg = svg_of(figure_of({0, 1, 2, 3, nan, 5, 6}, {0, 1, inf, 1, 1, 0, 1}));
  const auto from = svg.find("class=\"curve\" d=\"");
  const std::string data = svg.substr(from, svg.find("\" fill", from) - from);
  EXPECT_EQ(count(data, "M"), 3) << data;
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(SvgPlot, NothingToShowIsSaid) {
  Figure none = figure_of({}, {});
  none.series.clear();
  for (const Figure& figure : {none, figure_of({}, {}), figure_of({0, 1}, {nan, inf}), figure_of({nan}, {1}),
                               figure_of({0, 1}, {nan, nan}, true)}) {
    const std::string svg = svg_of(figure);
    EXPECT_NE(svg.find("no finite values to show"), std::string::npos);
    EXPECT_EQ(svg.find("class=\"curve\""), std::string::npos);
  }
  Figure half = figure_of({0, 1}, {1, 2});
  half.series.push_back({.name = "lost", .x = {0, 1}, .y = {nan, nan}});
  EXPECT_NE(svg_of(half).find("lost (no finite values)"), std::string::npos);
}

TEST(SvgPlot, ExtremeDataStayInThePicture) {
  for (const bool logarithmic : {false, true})
    for (const auto& y : {std::vector<double>{1e-300, 1e-300},
                          {0, 0},
                          {-1e300, 1e300},
                          {1e-300, 1e300},
                          {5e-324, 1e-310},
                          {7},
                          {-3, 0},
                          {1e308, -1e308, 1},
                          {1, 1 + 1e-15},
                          {1e15, 1e15 + 1}}) {
      std::vector<double> t(y.size());
      for (std::size_t i = 0; i < t.size(); ++i) t[i] = 1e9 + double(i);
      const std::string svg = svg_of(figure_of(t, y, logarithmic));
      const double width = std::stod(svg.substr(svg.find("width=\"") + 7));
      const double height = std::stod(svg.substr(svg.find("height=\"") + 8));
      ASSERT_FALSE(points_of(svg).empty());
      for (const Pixel& p : points_of(svg)) {
        EXPECT_TRUE(p.x >= 0 && p.x <= width && p.y >= 0 && p.y <= height) << p.x << " " << p.y;
      }
      EXPECT_EQ(svg.find("nan"), std::string::npos);
      EXPECT_LE(count(svg, "<text"), 40);
    }
}

TEST(SvgPlot, RefusesCurvesOfTwoLengths) {
  try {
    svg_of(figure_of({0, 1, 2}, {1, 2}));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'curve' has 3 values for x and 2 for y"), std::string::npos);
  }
}

}  // namespace
}  // namespace driftless::io
