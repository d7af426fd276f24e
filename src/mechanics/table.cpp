// The slopes s_i of the spline, with the widths d_i = x_{i+1} - x_i and the chords m_i = (y_{i+1} - y_i)/d_i, solve
//   y'' continuous   d_i s_{i-1} + 2 (d_{i-1} + d_i) s_i + d_{i-1} s_{i+1} = 3 (d_i m_{i-1} + d_{i-1} m_i)
//   not-a-knot       d_1 s_0 + (d_0 + d_1) s_1 = ((3 d_0 + 2 d_1) d_1 m_0 + d_0^2 m_1) / (d_0 + d_1),   mirrored at the other end
// (de Boor, A Practical Guide to Splines, ch. IV). The rows inside are diagonally dominant, and elimination from the first row on
// keeps them so; no pivots are exchanged.
#include <driftless/mechanics/table.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

namespace driftless::mechanics {

namespace {

// Rows below * s_{i-1} + diagonal * s_i + above * s_{i+1} = right.
struct Row {
  double below = 0, diagonal = 0, above = 0, right = 0;
};

// `slopes` gets the solution.
void solve_tridiagonal(std::vector<Row> rows, std::span<double> slopes) {
  const std::size_t n = rows.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = rows[i].below / rows[i - 1].diagonal;
    rows[i].diagonal -= factor * rows[i - 1].above;
    rows[i].right -= factor * rows[i - 1].right;
  }
  slopes[n - 1] = rows[n - 1].right / rows[n - 1].diagonal;
  for (std::size_t i = n - 1; i-- > 0;)
    slopes[i] = (rows[i].right - rows[i].above * slopes[i + 1]) / rows[i].diagonal;
}

// Widths and chords between successive points.
struct Steps {
  Steps(std::span<const double> x, std::span<const double> y) {
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      d.push_back(x[i + 1] - x[i]);
      m.push_back((y[i + 1] - y[i]) / d[i]);
    }
  }
  // y'' continuous between the steps `left` and `right`.
  Row smooth(std::size_t left, std::size_t right) const {
    return {.below = d[right],
            .diagonal = 2 * (d[left] + d[right]),
            .above = d[left],
            .right = 3 * (d[right] * m[left] + d[left] * m[right])};
  }
  // One cubic on both sides of the point next to an end: how the slope there and the end's go together. The end's slope comes first.
  Row not_a_knot(std::size_t outer, std::size_t inner) const {
    const double both = d[outer] + d[inner];
    return {.diagonal = d[inner],
            .above = both,
            .right = ((d[outer] + 2 * both) * d[inner] * m[outer] + d[outer] * d[outer] * m[inner]) / both};
  }
  Cubic piece(std::size_t i, double at, double value, double slope, double next_slope) const {
    return {.at = at,
            .c0 = value,
            .c1 = slope,
            .c2 = (3 * m[i] - 2 * slope - next_slope) / d[i],
            .c3 = (slope + next_slope - 2 * m[i]) / d[i] / d[i]};
  }
  std::vector<double> d, m;
};

std::vector<double> open_slopes(const Steps& steps) {
  const auto& [d, m] = steps;
  const std::size_t n = d.size() + 1;
  if (n == 2) return {m[0], m[0]};
  if (n == 3) {
    const double bend = (m[1] - m[0]) / (d[0] + d[1]);
    return {m[0] - bend * d[0], m[0] + bend * d[0], m[1] + bend * d[1]};
  }
  std::vector<Row> rows{steps.not_a_knot(0, 1)};
  for (std::size_t i = 1; i + 1 < n; ++i) rows.push_back(steps.smooth(i - 1, i));
  rows.push_back(steps.not_a_knot(n - 2, n - 3));
  std::swap(rows.back().below, rows.back().above);
  std::vector<double> slopes(n);
  solve_tridiagonal(rows, slopes);
  return slopes;
}

// With s_0 = s_n set aside, the rest is tridiagonal: s_i = p_i + q_i s_0, and the row of point 0 gives s_0.
std::vector<double> periodic_slopes(const Steps& steps) {
  const std::size_t n = steps.d.size();
  std::vector<Row> rows;
  for (std::size_t i = 1; i < n; ++i) rows.push_back(steps.smooth(i - 1, i));
  std::vector<double> p(n + 1), q(n + 1);
  solve_tridiagonal(rows, std::span(p).subspan(1, n - 1));
  for (Row& row : rows) row.right = 0;
  rows.front().right -= rows.front().below;
  rows.back().right -= rows.back().above;
  solve_tridiagonal(rows, std::span(q).subspan(1, n - 1));
  q.front() = q.back() = 1;
  const Row row = steps.smooth(n - 1, 0);
  const double s0 = (row.right - row.below * p[n - 1] - row.above * p[1]) /
                    (row.diagonal + row.below * q[n - 1] + row.above * q[1]);
  for (std::size_t i = 0; i <= n; ++i) p[i] += q[i] * s0;
  return p;
}

void check(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() != y.size())
    throw InputError(
        fmt::format("a table has {} arguments x and {} values y; give as many of one as of the other",
                    x.size(), y.size()));
  if (x.size() < 2)
    throw InputError(
        fmt::format("a table has {} point{}; give at least 2", x.size(), x.size() == 1 ? "" : "s"));
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      throw InputError(fmt::format(
          "the point x[{0}] = {1}, y[{0}] = {2} of a table is not finite; give numbers", i, x[i], y[i]));
  for (std::size_t i = 1; i < x.size(); ++i)
    if (!(x[i - 1] < x[i]))
      throw InputError(
          fmt::format("x[{}] = {} of a table is not greater than x[{}] = {}; give the points in the order of "
                      "x, each x once",
                      i, x[i], i - 1, x[i - 1]));
}

bool finite(const Cubic& p) {
  return std::isfinite(p.c1) && std::isfinite(p.c2) && std::isfinite(p.c3);
}

}  // namespace

std::vector<Cubic> open_spline(std::span<const double> x, std::span<const double> y) {
  const Steps steps(x, y);
  const std::vector<double> s = open_slopes(steps);
  std::vector<Cubic> pieces{{.at = x.front(), .c0 = y.front(), .c1 = s.front()}};
  for (std::size_t i = 0; i + 1 < x.size(); ++i) pieces.push_back(steps.piece(i, x[i], y[i], s[i], s[i + 1]));
  pieces.push_back({.at = x.back(), .c0 = y.back(), .c1 = s.back()});
  return pieces;
}

std::vector<Cubic> periodic_spline(std::span<const double> x, std::span<const double> y) {
  const Steps steps(x, y);
  const std::vector<double> s = periodic_slopes(steps);
  std::vector<Cubic> pieces;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) pieces.push_back(steps.piece(i, x[i], y[i], s[i], s[i + 1]));
  return pieces;
}

std::size_t piece_at(std::span<const double> breaks, double x) {
  if (x > breaks.back()) return breaks.size();
  return static_cast<std::size_t>(std::upper_bound(breaks.begin(), breaks.end() - 1, x) - breaks.begin());
}

Table::Table(const std::vector<double>& x, const std::vector<double>& y) : breaks_(x) {
  check(x, y);
  pieces_ = open_spline(x, y);
  areas_ = {0, 0};
  for (std::size_t i = 1; i + 1 < pieces_.size(); ++i) {
    areas_.push_back(areas_[i] + pieces_[i].area(x[i] - x[i - 1]));
    if (!finite(pieces_[i]) || !std::isfinite(areas_.back()))
      throw InputError(
          fmt::format("the points of a table around x[{}] = {} lie too close or too far apart for double "
                      "precision; scale them",
                      i - 1, x[i - 1]));
  }
}

}  // namespace driftless::mechanics
