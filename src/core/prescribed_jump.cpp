// The state is held still and time alone moves: what is left of g, g' and g'' is what they prescribe. By halving: a smooth function changes over half
// an interval half as much, one that jumps as much as before.
#include "prescribed_jump.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace driftless {

namespace {

constexpr int levels = 3;
constexpr double noticed = 1e-8;  // of the length, in a unit of time
constexpr double kept = 0.1;      // part of the change that is still there over the last digits of t

class Prescribed {
 public:
  Prescribed(const Problem& problem, const State& state)
      : problem_(problem), still_(state.z), at_(storage_of(problem.shape())) {
    still_.tail(still_.size() - problem.shape().nq).setZero();
  }

  // The rows of g, of g' or of g'' at the time t.
  Vector operator()(int level, double t) {
    const Part parts[levels] = {Part::position, Part::rates, Part::curvature};
    problem_.evaluate(parts[level], Point(t, still_), at_);
    return level == 0 ? at_.g : level == 1 ? Vector(at_.rates.col(0)) : at_.c;
  }

 private:
  const Problem& problem_;
  Vector still_;
  Evaluation at_;
};

// Of one row; nothing where it does not jump. `low`, `high`: the rows at the ends of the interval.
std::optional<PrescribedJump> jump_of(Prescribed& value, int level, int row, double from, double to,
                                      double low, double high) {
  const double whole = std::abs(high - low), reach = (to - from) / 2;
  while (true) {
    const double middle = from + (to - from) / 2;
    if (!(middle > from && middle < to)) break;
    const double between = value(level, middle)(row);
    if (!std::isfinite(between)) return std::nullopt;
    const bool before = std::abs(between - low) > std::abs(high - between);
    (before ? to : from) = middle;
    (before ? high : low) = between;
    if (std::abs(high - low) < kept * whole) return std::nullopt;
  }
  // Across it, for at the very place there may be a third value: sign(0) is 0.
  const double beside = 1e-6 * reach;
  return PrescribedJump{.row = row,
                        .level = level,
                        .t = to,
                        .by = std::abs(value(level, to + beside)(row) - value(level, from - beside)(row))};
}

}  // namespace

std::optional<PrescribedJump> prescribed_jump(const Problem& problem, const State& state, double reach,
                                              double time_scale) {
  const Shape& shape = problem.shape();
  if (shape.order != 2 || shape.ng == 0 || !shape.moving) return std::nullopt;
  Prescribed value(problem, state);
  const double from = state.t - reach, to = state.t + reach;
  const double size = noticed * problem.scales(state.t, state.q()).length;
  for (int level = 0; level < levels; ++level) {
    const Vector low = value(level, from), high = value(level, to);
    const double limit = size / std::pow(time_scale, level);
    for (int row = 0; row < shape.ng; ++row)
      if (const double change = std::abs(high(row) - low(row)); std::isfinite(change) && change > limit)
        if (const auto jump = jump_of(value, level, row, from, to, low(row), high(row))) return jump;
  }
  return std::nullopt;
}

std::string jump_text(const Problem& problem, const PrescribedJump& jump) {
  const char* what[levels] = {"", "the rate of ", "the acceleration of "};
  const char* why[levels] = {"nothing can follow",
                             "nothing with mass can follow, for it would take an infinite force",
                             "no step across it meets the tolerance"};
  return fmt::format(
      "{}what {} prescribes jumps by {:.6g} at t = {:.10g}, which {}; make that motion smooth there (a "
      "passage like "
      "step(t, t0, y0, t1, y1) instead of abs, min, max, sign or if), or end the run there and begin another "
      "one "
      "behind it",
      what[jump.level], problem.constraint_name(jump.row), jump.by, jump.t, why[jump.level]);
}

}  // namespace driftless
