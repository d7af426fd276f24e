#include <driftless/mechanics/table.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

#include "mechanics/monotone_pieces.hpp"

namespace driftless::mechanics {

namespace {

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

bool finite(const Polynomial& piece) {
  return std::ranges::all_of(piece.c, [](double c) { return std::isfinite(c); });
}

std::vector<Polynomial> pieces_through(const std::vector<double>& x, const std::vector<double>& y,
                                       Interpolation interpolation, int degree) {
  switch (interpolation) {
    case Interpolation::linear:
      return straight_pieces(x, y);
    case Interpolation::pchip:
      return monotone_pieces(x, y, degree);
    case Interpolation::spline:
      return open_spline(x, y, degree);
  }
  return {};
}

}  // namespace

Table::Table(const std::vector<double>& x, const std::vector<double>& y, const TableOptions& options,
             int degree)
    : options_(options), breaks_(x) {
  check(x, y);
  pieces_ = pieces_through(x, y, options.interpolation, degree);
  if (options.outside == Outside::hold) pieces_.front().c[1] = pieces_.back().c[1] = 0;
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

Table Table::for_motion() const {
  std::vector<double> y;
  for (std::size_t i = 0; i < breaks_.size(); ++i) y.push_back(pieces_[i + 1].c[0]);
  return Table(breaks_, y, options_, 5);
}

std::string amount_text(double si, double unit, const std::string& name) {
  return fmt::format("{:.6g}{}{}", si / unit, name.empty() ? "" : " ", name);
}

std::string Table::told_beyond(double x) const {
  const TableUnits& units = options_.units;
  return fmt::format("at {}, beyond its points ({:.6g} to {})", amount_text(x, units.x, units.x_name),
                     first_argument() / units.x, amount_text(last_argument(), units.x, units.x_name));
}

std::string Table::fault(double x) const {
  if (options_.outside != Outside::error || !beyond(x)) return {};
  return fmt::format("the table was asked for a value {}, and its `outside` is \"error\"", told_beyond(x));
}

}  // namespace driftless::mechanics
