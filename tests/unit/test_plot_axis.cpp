// Ticks and labels of plots, and text inside SVG files.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "io/common/plot_axis.hpp"
#include "io/common/svg_text.hpp"

namespace driftless::io {
namespace {

using Strings = std::vector<std::string>;

Strings labels_of(const Axis& axis) {
  Strings labels;
  for (const Tick& tick : axis.ticks) labels.push_back(tick.label);
  return labels;
}

TEST(PlotAxis, StepsOfOneTwoFive) {
  EXPECT_EQ(labels_of(linear_axis({0, 10}, 5, 0)), (Strings{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(labels_of(linear_axis({0, 0.03}, 6, 0)),
            (Strings{"0", "0.005", "0.010", "0.015", "0.020", "0.025", "0.030"}));
  EXPECT_EQ(labels_of(linear_axis({-1, 1}, 5, 0.05)), (Strings{"−1.0", "−0.5", "0", "0.5", "1.0"}));
  EXPECT_EQ(labels_of(linear_axis({9.8e4, 1e5}, 4, 0)),
            (Strings{"98000", "98500", "99000", "99500", "100000"}));
}

TEST(PlotAxis, TicksStandWhereTheirValuesAre) {
  const Axis axis = linear_axis({-2, 6}, 4, 0.25);  // from -4 to 8
  EXPECT_EQ(axis.low, -4);
  EXPECT_EQ(axis.high, 8);
  ASSERT_EQ(labels_of(axis), (Strings{"0", "5"}));
  EXPECT_DOUBLE_EQ(axis.ticks[0].at, 4.0 / 12);
  EXPECT_DOUBLE_EQ(axis.ticks[1].at, 9.0 / 12);
  EXPECT_DOUBLE_EQ(axis.place(2), 0.5);
}

TEST(PlotAxis, LongNumbersShareAFactor) {
  const Axis small = linear_axis({-4e-6, 1e-6}, 5, 0);
  EXPECT_EQ(small.factor, -6);
  EXPECT_EQ(labels_of(small), (Strings{"−4", "−3", "−2", "−1", "0", "1"}));
  const Axis large = linear_axis({0, 3e5}, 3, 0);
  EXPECT_EQ(large.factor, 5);
  EXPECT_EQ(labels_of(large), (Strings{"0", "1", "2", "3"}));
  const Axis tiny = linear_axis({0, 2e-300}, 4, 0);
  EXPECT_EQ(tiny.factor, -300);
  EXPECT_EQ(labels_of(tiny), (Strings{"0", "0.5", "1.0", "1.5", "2.0"}));
  const Axis near = linear_axis({123456, 123462}, 3, 0);  // a factor would only make these longer
  EXPECT_EQ(near.factor, 0);
  EXPECT_EQ(labels_of(near), (Strings{"123456", "123458", "123460", "123462"}));
}

TEST(PlotAxis, AFlatRangeIsWidened) {
  for (const double value : {9.81, -3.0, 1e-300, 1e300, -1e300}) {
    const Axis axis = linear_axis({value, value}, 6, 0.05);
    EXPECT_NEAR(axis.place(value), 0.5, 1e-12) << value;
    EXPECT_GE(axis.ticks.size(), 3u) << value;
  }
  // Roundoff is not magnified.
  EXPECT_EQ(labels_of(linear_axis({5, 5 + 4e-15}, 5, 0.05)), (Strings{"4.6", "4.8", "5.0", "5.2", "5.4"}));
  for (const double value : {0.0, 5e-324, 1e-310}) {
    const Axis axis = linear_axis({0, value}, 4, 0.05);
    EXPECT_EQ(labels_of(axis), (Strings{"−1.0", "−0.5", "0", "0.5", "1.0"})) << value;
  }
}

TEST(PlotAxis, TheWidestRangeHasFiniteTicks) {
  const Axis axis = linear_axis({-1e300, 1e300}, 6, 0.05);
  EXPECT_EQ(axis.factor, 300);
  EXPECT_EQ(labels_of(axis), (Strings{"−1.0", "−0.5", "0", "0.5", "1.0"}));
  EXPECT_FALSE(can_be_shown(1e301));
  EXPECT_FALSE(can_be_shown(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(can_be_shown(-std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(can_be_shown(-1e300));
}

TEST(PlotAxis, LogarithmicAxesHaveWholeDecades) {
  const Axis axis = log_axis({3e-7, 2e-4}, 8, 12);
  EXPECT_EQ(axis.low, -7);
  EXPECT_EQ(axis.high, -3);
  ASSERT_EQ(axis.ticks.size(), 5u);
  EXPECT_EQ(axis.ticks[1].at, 0.25);
  EXPECT_NE(axis.ticks[1].label.find(">−6<"), std::string::npos) << axis.ticks[1].label;
  EXPECT_DOUBLE_EQ(axis.place(1e-5), 0.5);
  EXPECT_NEAR(axis.place(std::sqrt(1e-13)), 0.125, 1e-15);
  EXPECT_EQ(axis.minor.size(), 4u * 8u);
  // One value, and one that is a power of ten.
  EXPECT_EQ(log_axis({1e-5, 1e-5}, 8, 12).high, -4);
  EXPECT_EQ(log_axis({1e-5, 1e-3}, 8, 12).low, -5);
  EXPECT_EQ(log_axis({1e-5, 1e-3}, 8, 12).high, -3);
}

TEST(PlotAxis, DecadesAreThinned) {
  const Axis axis = log_axis({1e-17, 1e-1}, 8, 12);  // 16 decades, so every second has a label
  ASSERT_EQ(axis.ticks.size(), 8u);
  EXPECT_NE(axis.ticks[0].label.find(">−16<"), std::string::npos);
  EXPECT_LE(log_axis({1e-18, 1e300}, 8, 12).ticks.size(), 9u);
}

TEST(PlotAxis, BelowTheFloorTheTickSaysSo) {
  for (const double least : {0.0, -5.0, 1e-300, 9e-19}) {
    const Axis axis = log_axis({least, 1e-6}, 8, 12);
    EXPECT_EQ(axis.low, -18);
    EXPECT_EQ(axis.place(least), 0);
    EXPECT_TRUE(axis.ticks[0].label.starts_with("≤ 10")) << axis.ticks[0].label;
  }
  EXPECT_TRUE(log_axis({1e-18, 1e-6}, 8, 12).ticks[0].label.starts_with("10"));
}

TEST(SvgText, Escapes) {
  EXPECT_EQ(xml_text("a<b & \"c\" > 'd'"), "a&lt;b &amp; &quot;c&quot; &gt; &#39;d&#39;");
  EXPECT_EQ(xml_text("ω₁ − Δx 𝛼"), "ω₁ − Δx 𝛼");
  EXPECT_EQ(xml_text("a\tb\nc"), "a b c");
  const std::string unknown = "\xEF\xBF\xBD";
  EXPECT_EQ(xml_text(std::string("a\0\x1b", 3)), "a" + unknown + unknown);
  EXPECT_EQ(xml_text("\xff\xc3"), unknown + unknown);             // no UTF-8
  EXPECT_EQ(xml_text("\xc0\xbcx"), unknown + unknown + "x");      // '<' in two bytes
  EXPECT_EQ(xml_text("\xed\xa0\x80").substr(0, 3), unknown);      // half of a pair
  EXPECT_EQ(xml_text("\xf4\x90\x80\x80").substr(0, 3), unknown);  // beyond the last code
}

TEST(SvgText, IsShortenedBetweenCharacters) {
  EXPECT_EQ(shortened("theta", 100, 10), "theta");
  EXPECT_EQ(shortened("ααααα", 24, 10), "ααα…");
  EXPECT_EQ(characters("≤ 10"), 4u);
}

}  // namespace
}  // namespace driftless::io
