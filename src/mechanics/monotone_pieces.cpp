// Degree 5: y' is a quartic. On a piece with the width h and the chord m > 0, its coefficients by Bernstein's polynomials are
//   s_0,   s_0 + k_0 h/4,   5 m - 2 s_0 - 2 s_1 - k_0 h/4 + k_1 h/4,   s_1 - k_1 h/4,   s_1
// for their mean is m. Where all are positive so is y'. The middle one is, if each end keeps to its half:
//   -4 s_0/h <= k_0 <= (10 m - 8 s_0)/h,   -(10 m - 8 s_1)/h <= k_1 <= 4 s_1/h
// At a point with a piece on either side both conditions can be met at once for
//   s <= 5/2 min(m_l, m_r)   and   s <= 5/4 (m_r h_l + m_l h_r)/(h_l + h_r)
// the last being the slope of the parabola through the three points, which the harmonic mean exceeds by that much only where neighbouring
// distances are very different.
#include "mechanics/monotone_pieces.hpp"

#include <algorithm>
#include <cmath>

#include "mechanics/hermite.hpp"

namespace driftless::mechanics {

namespace {

using std::size_t;

struct Range {
  double least, most;
};

// Of second derivatives at the beginning and at the end of a piece.
Range at_beginning(double h, double m, double s) {
  const Range falling{(10 * m - 8 * s) / h, -4 * s / h};
  return m < 0 ? falling : Range{falling.most, falling.least};
}
Range at_end(double h, double m, double s) {
  const Range mirrored = at_beginning(h, m, s);
  return {-mirrored.most, -mirrored.least};
}
double into(const Range& range, double k) {
  return std::max(range.least, std::min(range.most, k));
}

class MonotoneKnots {
 public:
  MonotoneKnots(std::span<const double> x, std::span<const double> y, bool quintic)
      : x_(x), y_(y), quintic_(quintic) {
    for (size_t i = 0; i < x.size(); ++i) knots_.push_back(i == 0 || i + 1 == x.size() ? outer(i) : inner(i));
  }
  const Knot& at(size_t i) const { return knots_[i]; }

 private:
  double width(size_t piece) const { return x_[piece + 1] - x_[piece]; }
  double chord(size_t piece) const { return (y_[piece + 1] - y_[piece]) / width(piece); }

  Knot inner(size_t i) const {
    const double hl = width(i - 1), hr = width(i), ml = chord(i - 1), mr = chord(i);
    const bool turns = (ml > 0) != (mr > 0) || ml == 0 || mr == 0;
    Knot knot{.value = y_[i]};
    if (!turns) knot.slope = 3 * (hl + hr) / ((2 * hr + hl) / ml + (hr + 2 * hl) / mr);
    if (!quintic_) return knot;
    const double parabola = mr * (hl / (hl + hr)) + ml * (hr / (hl + hr));
    const double most = std::min({2.5 * std::abs(ml), 2.5 * std::abs(mr), 1.25 * std::abs(parabola)});
    knot.slope = std::clamp(knot.slope, -most, most);
    const Range left = at_end(hl, ml, knot.slope), right = at_beginning(hr, mr, knot.slope);
    knot.bend =
        into({std::max(left.least, right.least), std::min(left.most, right.most)}, 2 * (mr - ml) / (hl + hr));
    return knot;
  }

  // The parabola through three points, or what of it keeps the shape (Moler, Numerical Computing with Matlab, 3.6).
  Knot outer(size_t i) const {
    const bool first = i == 0;
    const size_t near = first ? 0 : x_.size() - 2;
    const double h = width(near), m = chord(near);
    if (x_.size() == 2) return {y_[i], m, 0};
    const size_t next = first ? 1 : near - 1;
    const double h2 = width(next), m2 = chord(next);
    Knot knot{.value = y_[i], .slope = m + (m - m2) * (h / (h + h2))};
    if ((knot.slope > 0) != (m > 0) || m == 0) knot.slope = 0;
    const double most = (quintic_ ? 2.5 : 3) * std::abs(m);
    knot.slope = std::clamp(knot.slope, -most, most);
    const double bend = 2 * (m2 - m) / (h + h2) * (first ? 1 : -1);
    if (quintic_) knot.bend = into((first ? at_beginning : at_end)(h, m, knot.slope), bend);
    return knot;
  }

  std::span<const double> x_, y_;
  bool quintic_;
  std::vector<Knot> knots_;
};

}  // namespace

std::vector<Polynomial> monotone_pieces(std::span<const double> x, std::span<const double> y, int degree) {
  const MonotoneKnots knots(x, y, degree == 5);
  const auto between = degree == 5 ? quintic_between : cubic_between;
  const size_t last = x.size() - 1;
  std::vector<Polynomial> pieces{{x.front(), {y.front(), knots.at(0).slope}}};
  for (size_t i = 0; i < last; ++i)
    pieces.push_back(between(x[i], x[i + 1] - x[i], knots.at(i), knots.at(i + 1)));
  pieces.push_back({x.back(), {y.back(), knots.at(last).slope}});
  return pieces;
}

std::vector<Polynomial> straight_pieces(std::span<const double> x, std::span<const double> y) {
  std::vector<Polynomial> pieces(1);
  for (size_t i = 0; i + 1 < x.size(); ++i)
    pieces.push_back({x[i], {y[i], (y[i + 1] - y[i]) / (x[i + 1] - x[i])}});
  pieces.front() = {x.front(), {y.front(), pieces[1].c[1]}};
  pieces.push_back({x.back(), {y.back(), pieces.back().c[1]}});
  return pieces;
}

}  // namespace driftless::mechanics
