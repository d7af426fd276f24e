#include "plot_axis.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "svg_text.hpp"

namespace driftless::io {

namespace {

constexpr double smallest_shown = 1e-300;  // a linear axis takes smaller values for zero
constexpr double flat = 1e-12;  // a relative range below this is roundoff and gets no ticks of its own

double power(int exponent) {
  return std::pow(10.0, exponent);
}

// Division for negative exponents: 3 / 10 is the double nearest to 0.3, 3 * 0.1 is not.
double times_power(double value, int exponent) {
  return exponent < 0 ? value / power(-exponent) : value * power(exponent);
}

struct NiceStep {
  int digit, exponent;  // digit * 10^exponent with digit 1, 2 or 5
};

NiceStep nice_step(double least) {
  const int exponent = static_cast<int>(std::floor(std::log10(least)));
  const double rest = times_power(least, -exponent) * (1 - 1e-9);
  return rest <= 1   ? NiceStep{1, exponent}
         : rest <= 2 ? NiceStep{2, exponent}
         : rest <= 5 ? NiceStep{5, exponent}
                     : NiceStep{1, exponent + 1};
}

// A common power of ten for labels that would be long without one.
int factor_of(double largest, const NiceStep& step) {
  if (largest == 0) return 0;
  const int exponent = static_cast<int>(std::floor(std::log10(largest) + 1e-9));
  const bool large = exponent >= 10 || (exponent >= 5 && exponent - step.exponent <= 1);
  return large || exponent <= -3 ? exponent : 0;
}

}  // namespace

bool can_be_shown(double value) {
  return std::abs(value) <= largest_shown;  // false for NaN
}

void Range::include(double value) {
  if (empty())
    least = most = value;
  else
    least = std::min(least, value), most = std::max(most, value);
}

double Axis::place(double value) const {
  const double shown = logarithmic ? std::log10(std::max(value, log_floor)) : value;
  return std::clamp((shown - low) / (high - low), 0.0, 1.0);
}

std::size_t Axis::widest_label() const {
  std::size_t widest = 0;
  for (const Tick& tick : ticks) widest = std::max(widest, tick.characters);
  return widest;
}

Axis linear_axis(Range range, int steps, double margin) {
  Axis axis;
  if (range.empty()) return axis;
  double magnitude = std::max(std::abs(range.least), std::abs(range.most));
  if (magnitude < smallest_shown) range = {0, 0}, magnitude = 0;
  const double span = range.most - range.least;
  if (span <= flat * magnitude || span < smallest_shown) {
    const double middle = range.least / 2 + range.most / 2, half = magnitude > 0 ? magnitude / 10 : 1;
    axis.low = middle - half, axis.high = middle + half;
  } else {
    axis.low = range.least - margin * span, axis.high = range.most + margin * span;
  }
  const NiceStep nice = nice_step((axis.high - axis.low) / steps);
  const double step = times_power(nice.digit, nice.exponent);
  const auto first = static_cast<long long>(std::ceil(axis.low / step - 1e-6));
  const auto last = static_cast<long long>(std::floor(axis.high / step + 1e-6));
  const auto longest = static_cast<double>(std::max(std::abs(first), std::abs(last)));
  axis.factor = factor_of(longest * step, nice);
  const int decimals = std::max(0, axis.factor - nice.exponent);
  for (long long i = first; i <= last; ++i) {
    const auto units = static_cast<double>(i * nice.digit);
    const double shown = times_power(units, nice.exponent - axis.factor);
    const std::string label = i == 0 ? "0" : with_minus_sign(fmt::format("{:.{}f}", shown, decimals));
    axis.ticks.push_back({axis.place(times_power(units, nice.exponent)), label, characters(label)});
  }
  return axis;
}

Axis log_axis(Range range, int steps, double font_size) {
  Axis axis;
  axis.logarithmic = true;
  if (range.empty()) return axis;
  const bool cut = range.least < log_floor;
  const double least = std::max(range.least, log_floor), most = std::max(range.most, log_floor);
  const int low = static_cast<int>(std::floor(std::log10(least) + 1e-9));
  const int high = std::max(low + 1, static_cast<int>(std::ceil(std::log10(most) - 1e-9)));
  axis.low = low, axis.high = high;
  int stride = 1;
  for (const int wider : {2, 3, 5, 10, 20, 50, 100})
    if (high - low > steps * stride) stride = wider;
  for (int e = low; e <= high; ++e) {
    const double at = static_cast<double>(e - low) / (high - low);
    if ((cut ? e - low : e) % stride != 0) continue;
    const bool lowest = cut && e == low;
    axis.ticks.push_back({at, (lowest ? "≤ " : "") + power_of_ten(e, font_size),
                          2 + (3 * fmt::formatted_size("{}", e) + 3) / 4 + (lowest ? 2u : 0u)});
  }
  if (high - low <= 4)
    for (int e = low; e < high; ++e)
      for (int digit = 2; digit <= 9; ++digit) axis.minor.push_back(axis.place(digit * power(e)));
  return axis;
}

}  // namespace driftless::io
