// Curves as a picture: one figure with axes, grid and legend, written as SVG. Meant for papers and browsers:
// a white ground, colours that colour-blind readers can tell apart (Okabe and Ito), the legend beside the
// data.
//   Values that are not finite, or beyond 1e300, leave a gap. A logarithmic axis ends at 1e-18: what is
//   smaller, zero and negative values included, is drawn there and the tick says so. A curve of more than
//   2000 points keeps the first, smallest, largest and last of each of 500 columns, so that files stay small
//   and spikes stay visible.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace driftless::io {

struct Series {
  std::string name;  // for the legend, which a figure with one curve does not need
  std::vector<double> x, y;
  // A prediction or a limit, to tell it from what was computed; its points are not marked.
  bool dashed = false;
  int like = -1;  // number of the series whose colour it has, as what belongs to that; -1: one of its own
};

struct Figure {
  std::string title, subtitle;
  std::string x_label, y_label;
  bool logarithmic = false;  // the y axis
  std::vector<Series> series;
  bool logarithmic_x = false;
};

// Throws InputError where a series has more x than y or the reverse. A figure without a finite point says so.
void write_svg(std::ostream& out, const Figure& figure);

}  // namespace driftless::io
