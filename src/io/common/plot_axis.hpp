// Axis: the range that is shown and its ticks. Linear axes have steps of 1, 2 or 5 times a power of ten,
// logarithmic ones whole decades.
#pragma once

#include <string>
#include <vector>

namespace driftless::io {

constexpr double largest_shown = 1e300;  // what lies beyond is treated like infinity
constexpr double log_floor = 1e-18;      // what lies below is drawn there on a logarithmic axis

bool can_be_shown(double value);

// Of the values seen; empty until there was one.
struct Range {
  double least = 1, most = 0;
  bool empty() const { return !(least <= most); }
  void include(double value);
};

struct Tick {
  double at;               // 0 at the beginning of the axis, 1 at its end
  std::string label;       // markup
  std::size_t characters;  // of the label
};

struct Axis {
  bool logarithmic = false;
  double low = 0, high = 1;   // exponents on a logarithmic axis
  int factor = 0;             // labels are to be multiplied by 10^factor
  std::vector<Tick> ticks;    // none where there is nothing to show
  std::vector<double> minor;  // lines without labels, placed like ticks

  double place(double value) const;
  std::size_t widest_label() const;
};

// At most about `steps` intervals; `margin` is left free at both ends, as a part of the range.
Axis linear_axis(Range range, int steps, double margin);
Axis log_axis(Range range, int steps, double font_size);

}  // namespace driftless::io
