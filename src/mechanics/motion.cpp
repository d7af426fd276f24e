#include <driftless/mechanics/motion.hpp>

#include <cmath>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

#include "mechanics/hermite.hpp"

namespace driftless::mechanics {

namespace {

constexpr double share = 0.05;     // of the distance to the next point, over which a jump is blended
constexpr double roundoff = 1e-9;  // of the largest rate or acceleration of a table: no jump

struct Sizes {
  double rate = 0, acceleration = 0;
};
Sizes sizes_of(const Table& table) {
  Sizes sizes;
  for (std::size_t i = 0; i + 1 < table.arguments().size(); ++i) {
    const Polynomial& piece = table.piece_after(i);
    const double width = table.arguments()[i + 1] - table.arguments()[i];
    sizes.rate =
        std::max({sizes.rate, std::abs(piece.c[1]), std::abs(piece.value(width) - piece.c[0]) / width});
    sizes.acceleration = std::max(sizes.acceleration, std::abs(2 * piece.c[2]));
  }
  return sizes;
}

Knot at_end(const Polynomial& piece, double x) {
  const double h = x - piece.at;
  return {piece.value(h), piece.slope(h), piece.second_derivative(h)};
}

std::vector<MotionJump> jumps_of(const Table& table) {
  using Place = MotionJump::Place;
  const std::vector<double>& x = table.arguments();
  const Sizes sizes = sizes_of(table);
  std::vector<MotionJump> jumps;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Place place = i == 0 ? Place::begin : i + 1 == x.size() ? Place::end : Place::inside;
    // Smooth pieces meet with their second derivatives; and where there is no value outside, nothing jumps.
    if (place == Place::inside ? table.options().interpolation != Interpolation::linear
                               : table.options().outside == Outside::error)
      continue;
    const Knot before = at_end(table.piece_before(i), x[i]), after = at_end(table.piece_after(i), x[i]);
    if (std::abs(after.slope - before.slope) > roundoff * sizes.rate)
      jumps.push_back({x[i], place, 1, before.slope, after.slope, x[i], x[i]});
    else if (std::abs(after.bend - before.bend) > roundoff * sizes.acceleration)
      jumps.push_back({x[i], place, 2, before.bend, after.bend, x[i], x[i]});
  }
  return jumps;
}

// Where a jump is blended: around it, or, at the ends, outside of the points. Before the first one a run may begin in between.
void choose_interval(MotionJump& jump, const Table& table, const JumpHandling& handling) {
  const std::vector<double>& x = table.arguments();
  const auto i = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), jump.t) - x.begin());
  const double left = i > 0 ? x[i] - x[i - 1] : x[1] - x[0],
               right = i + 1 < x.size() ? x[i + 1] - x[i] : left, room = std::min(left, right);
  if (handling.over && *handling.over > room) {
    const TableUnits& units = table.options().units;
    throw InputError(
        fmt::format("blend = {} is longer than the {} to the next point of the table at t = {}; give less",
                    amount_text(*handling.over, units.x, units.x_name),
                    amount_text(room, units.x, units.x_name), amount_text(jump.t, units.x, units.x_name)));
  }
  const double over = handling.over.value_or(share * room);
  switch (jump.place) {
    case MotionJump::Place::begin:
      jump.from = jump.t - (jump.t > 0 ? std::min(over, jump.t) : over);
      return;
    case MotionJump::Place::inside:
      jump.from = jump.t - over / 2, jump.to = jump.t + over / 2;
      return;
    case MotionJump::Place::end:
      jump.to = jump.t + over;
      return;
  }
}

}  // namespace

Motion::Motion(const Table& table) : of_t_(table.for_motion()), jumps_(jumps_of(*this->table())) {}

void Motion::handle(const JumpHandling& handling) {
  if (handling.over && !(*handling.over > 0 && std::isfinite(*handling.over)))
    throw InputError(fmt::format("blend = {}; it must be positive", *handling.over));
  handling_ = handling;
  if (!handling.blend) return;
  for (MotionJump& jump : jumps_) blend(jump);
  blends_formula_ = std::holds_alternative<Expression>(of_t_) && branches(0) != 0;
}

void Motion::blend(MotionJump& jump) {
  const Table& table = *this->table();
  choose_interval(jump, table, handling_);
  if (!jump.blended()) return;  // too short for the digits of t
  const auto i =
      static_cast<std::size_t>(std::lower_bound(table.arguments().begin(), table.arguments().end(), jump.t) -
                               table.arguments().begin());
  const Polynomial &before = table.piece_before(i), &after = table.piece_after(i);
  const Polynomial piece =
      quintic_between(jump.from, jump.to - jump.from, at_end(before, jump.from), at_end(after, jump.to));
  constexpr int samples = 64;
  for (int k = 1; k < samples; ++k) {
    const double h = (jump.to - jump.from) * k / samples;
    jump.off = std::max(jump.off, std::abs(piece.value(h) - table.value(jump.from + h)));
  }
  blends_.push_back(piece);
  blend_ends_.insert(blend_ends_.end(), {jump.from, jump.to});
}

std::string Motion::fault(double t) const {
  if (const Table* own = table()) return own->fault(t);
  const auto* expression = std::get_if<Expression>(&of_t_);
  const double own = t / time_unit_;
  return expression ? expression->fault(std::span<const double>(&own, 1)) : std::string();
}

std::vector<MotionJump> Motion::jumps(double from, double to) const {
  if (std::holds_alternative<Expression>(of_t_)) return formula_jumps(from, to);
  std::vector<MotionJump> met;
  for (const MotionJump& jump : jumps_)
    if (jump.blended()
            ? jump.to > from && jump.from < to
            // At its last point a table has what holds before.
            : jump.t > from && (jump.t < to || (jump.t == to && jump.place != MotionJump::Place::end)))
      met.push_back(jump);
  return met;
}

std::vector<double> Motion::breaks(double from, double to) const {
  std::vector<double> times;
  const auto add = [&](double t) {
    if (t > from && t <= to) times.push_back(t);
  };
  const Table* own = table();
  if (!own) {
    for (const MotionJump& jump : jumps(from, to)) add(jump.from), add(jump.to);
  } else if (own->options().interpolation == Interpolation::spline) {
    // Four derivatives of a quintic spline are continuous: only its ends are rough.
    add(own->first_argument()), add(own->last_argument());
  } else {
    const std::vector<double>& x = own->arguments();
    const auto first = std::upper_bound(x.begin(), x.end(), from),
               last = std::upper_bound(first, x.end(), to);
    for (auto t = first; t != last; ++t)
      if (!blend_at(*t)) times.push_back(*t);
  }
  for (const double t : blend_ends_) add(t);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace driftless::mechanics
